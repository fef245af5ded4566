//! JSON as text, in both directions. Everything passes through here, so that each type is compiled for one serializer and one
//! deserializer.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A value as text.
pub(crate) fn write<T: Serialize + ?Sized>(value: &T) -> String {
    // Only a map whose keys are not strings could fail, and there is none.
    serde_json::to_string(value).unwrap_or_default()
}

/// The value of a text.
pub(crate) fn read<T: DeserializeOwned>(text: &[u8]) -> Result<T, serde_json::Error> {
    of_value(serde_json::from_slice(text)?)
}

/// The value of a text that was parsed already.
pub(crate) fn of_value<T: DeserializeOwned>(value: Value) -> Result<T, serde_json::Error> {
    serde_json::from_value(value)
}

/// What is wrong with a text that cannot be parsed, to be put into a sentence. The values have sentences of their own, which
/// end already.
pub(crate) fn why(error: &serde_json::Error) -> String {
    let mut why = error.to_string();
    why.truncate(why.trim_end_matches('.').len());
    why
}
