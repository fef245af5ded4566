//! A value for each side, in the form that messages have.

use serde::{Deserialize, Serialize};
use tabiya_rules::Color;

/// A value for each side.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Sides<T> {
    pub(crate) white: T,
    pub(crate) black: T,
}

impl<T> Sides<T> {
    pub(crate) fn from_fn(mut of: impl FnMut(Color) -> T) -> Sides<T> {
        Sides {
            white: of(Color::White),
            black: of(Color::Black),
        }
    }
}
