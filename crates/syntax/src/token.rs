//! Tokens, and the texts of reserved words and signs.

/// A token: its kind, where it stands, and where its text is.
///
/// Place and text differ where a macro stands: the text is in its definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token<K> {
    /// What it is.
    pub kind: K,
    /// First byte of its place.
    pub start: u32,
    /// One past the last byte of its place.
    pub end: u32,
    /// The bytes of its text.
    pub text: (u32, u32),
}

/// What a token of a language is.
pub trait TokenKind: Clone + PartialEq {
    /// The end of the text, which is the last token.
    const END: Self;

    /// Whether it is a character that starts no token.
    fn is_unknown(&self) -> bool {
        false
    }

    /// Whether it is a word: a name, or a reserved word where words are not told apart by kind.
    fn is_word(&self) -> bool {
        false
    }

    /// How it is written, for a kind with one text; as in "`;` is expected".
    fn spelling(&self) -> &str {
        ""
    }
}

/// Implements [`TokenKind`] for an enumeration whose last token is `End`.
///
/// First come the methods of [`TokenKind`] that hold for one variant each, then the variants that hold their spelling, as in
/// `token_kind!(Kind { is_word: Word } from { Sign(&'static str) })`.
#[macro_export]
macro_rules! token_kind {
    ($kind:ident { $($is:ident: $variant:ident),* } from { $($spelled:ident($text:ty)),* }) => {
        impl $crate::TokenKind for $kind {
            const END: Self = $kind::End;

            $(fn $is(&self) -> bool {
                matches!(self, $kind::$variant)
            })*

            fn spelling(&self) -> &str {
                match self {
                    $($kind::$spelled(text) => text.as_ref(),)*
                    _ => "",
                }
            }
        }

        $(impl From<$text> for $kind {
            fn from(text: $text) -> Self {
                $kind::$spelled(text)
            }
        })*
    };
}

/// Defines an enumeration of reserved words or signs with their texts.
#[macro_export]
macro_rules! spelled {
    ($(#[$meta:meta])* $name:ident { $($variant:ident $text:literal)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum $name { $($variant),* }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                self.text()
            }
        }

        #[allow(dead_code)]
        impl $name {
            /// The text as the user writes it.
            pub(crate) fn text(self) -> &'static str {
                match self { $($name::$variant => $text),* }
            }

            /// The one with this text.
            pub(crate) fn find(text: &str) -> Option<Self> {
                match text { $($text => Some($name::$variant),)* _ => None }
            }

            /// The longest one that a text starts with.
            pub(crate) fn longest(text: &str) -> Option<Self> {
                const MOST: usize = 3;
                (1..=MOST).rev().find_map(|length| text.get(..length).and_then(Self::find))
            }
        }
    };
}
