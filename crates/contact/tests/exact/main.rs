//! The exact solver against closed forms, CONTACT's numbers, an independent solver and by property.

mod carter;
mod case;
mod contact;
mod dense;
mod edge;
mod errors;
mod falling;
mod kalker;
mod normal;
mod order;
mod progress;
mod property;
mod theory;
mod transient;
