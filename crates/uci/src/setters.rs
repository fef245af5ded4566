//! Chained setters for structs whose fields may become more.

/// Writes a setter for each field named: `value.with_field(new)` is the value with another field. An optional field takes
/// `impl Into<Option<_>>`, so that a bare value does.
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
