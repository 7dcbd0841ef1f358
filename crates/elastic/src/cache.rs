//! Kept on disk.
