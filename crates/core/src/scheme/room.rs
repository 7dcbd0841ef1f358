//! Copies that are made often: into room that is kept, so that nothing is allocated.

/// Room for a value that is no part of whoever has it: copies have none of their own yet, and take nothing along.
#[derive(Debug)]
pub(super) struct Room<T>(Option<Box<T>>);

impl<T> Room<T> {
    /// What was left there.
    pub fn take(&mut self) -> Option<Box<T>> {
        self.0.take()
    }

    /// Leaves a value whose room is used again.
    pub fn leave(&mut self, value: Box<T>) {
        self.0 = Some(value);
    }
}

impl<T> Default for Room<T> {
    fn default() -> Room<T> {
        Room(None)
    }
}

impl<T> Clone for Room<T> {
    fn clone(&self) -> Room<T> {
        Room::default()
    }

    fn clone_from(&mut self, _: &Room<T>) {}
}

/// [`Clone`], whose `clone_from` uses the room that lists have already, which the derived one does not. All fields must be named.
#[macro_export]
macro_rules! clone_in_place {
    ($name:ident $(<$of:ident>)? { $($field:ident),* $(,)? }) => {
        impl$(<$of: Clone>)? Clone for $name$(<$of>)? {
            fn clone(&self) -> Self {
                Self { $($field: Clone::clone(&self.$field)),* }
            }

            #[inline]
            fn clone_from(&mut self, other: &Self) {
                $(Clone::clone_from(&mut self.$field, &other.$field);)*
            }
        }
    };
}
