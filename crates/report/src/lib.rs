//! What a run writes: tables, figures, the HTML report.
//!
//! The crate knows columns, curves, polygons and pages, and nothing of mechanics except what is
//! handed to it as data.
//!
//! * [`table`] streams rows to CSV and Parquet in bounded memory.
//! * [`figure`] describes figures as data and renders them to self-contained SVG.
//! * [`motion`] describes moving pictures as data: shapes, and how columns move them.
//! * [`vtk`] writes fields on a regular grid for ParaView, [`vtu`] those on a mesh of finite elements.
//! * [`html`] puts facts, verdicts, interactive charts and figures into one file that works offline.
//!
//! Stick and slip have the same two colours everywhere; they are set once, in [`palette`].

mod error;
pub mod figure;
pub mod html;
pub mod label;
pub mod motion;
pub mod palette;
pub mod polygon;
pub mod table;
pub mod thinning;
pub mod vtk;
pub mod vtu;

pub use error::Error;
