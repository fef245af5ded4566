//! The values of some tags of the game being read.

/// Defines a text for each of some tags. One list, so that none is forgotten when the next game begins.
macro_rules! tag_values {
    ($(#[$about:meta])* $name:ident { $($field:ident = $tag:literal,)* }) => {
        $(#[$about])*
        #[derive(Debug, Default)]
        pub(super) struct $name {
            $(pub(super) $field: String,)*
        }

        impl $name {
            /// Where the value of a tag goes, if it matters.
            #[inline]
            pub(super) fn place(&mut self, name: &[u8]) -> Option<&mut String> {
                match name {
                    $($tag => Some(&mut self.$field),)*
                    _ => None,
                }
            }

            pub(super) fn clear(&mut self) {
                $(self.$field.clear();)*
            }
        }
    };
}
pub(super) use tag_values;
