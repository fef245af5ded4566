//! Chained setters for structs that may gain fields.

/// Defines a setter for each named field: `value.with_field(new)` returns the value with that field
/// changed. An optional field takes `impl Into<Option<_>>`, so that a bare value is accepted.
#[doc(hidden)]
#[macro_export]
macro_rules! setters {
    ($type:ty { $($(#[$doc:meta])* $setter:ident($field:ident: $value:ty);)* }) => {
        impl $type {$(
            $(#[$doc])*
            #[must_use]
            pub fn $setter(mut self, $field: $value) -> $type {
                self.$field = $field.into();
                self
            }
        )*}
    };
}
