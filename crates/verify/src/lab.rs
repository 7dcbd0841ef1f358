//! Runs that several claims look at.

use std::any::Any;
use std::collections::HashMap;

/// Keeps what it has measured.
#[derive(Default)]
pub struct Lab(HashMap<String, Box<dyn Any>>);

impl Lab {
    /// What is kept under a name, or what `make` makes of it, which is kept from then on.
    pub fn kept<T: Any>(&mut self, name: &str, make: impl FnOnce() -> Result<T, String>) -> Result<&T, String> {
        if !self.0.contains_key(name) {
            self.0.insert(name.to_string(), Box::new(make()?));
        }
        let kept = self.0.get(name).and_then(|kept| kept.downcast_ref());
        kept.ok_or_else(|| format!("{name:?} is kept as something else"))
    }
}
