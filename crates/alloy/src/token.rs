//! Tokens and reserved words.

/// A token: what it is and where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    /// First byte.
    pub(crate) start: u32,
    /// One past the last byte.
    pub(crate) end: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    Ident,
    Number,
    /// A string, with its quotes.
    Text,
    Keyword(Keyword),
    /// Punctuation and operators.
    Sign(Sign),
    /// A character that starts no token.
    Unknown,
    /// The end of the text.
    End,
}

macro_rules! texts {
    ($(#[$meta:meta])* $name:ident { $($variant:ident $text:literal)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum $name { $($variant),* }

        impl $name {
            /// As the user writes it.
            pub(crate) fn text(self) -> &'static str {
                match self { $($name::$variant => $text),* }
            }

            /// All of them, in the order of their declaration.
            pub(crate) const ALL: &'static [$name] = &[$($name::$variant),*];
        }
    };
}

texts!(
    /// A reserved word.
    Keyword {
        Abstract "abstract" All "all" And "and" As "as" Assert "assert" But "but" Check "check"
        Disj "disj" Else "else" Enum "enum" Exactly "exactly" Exh "exh" Expect "expect"
        Extends "extends" Fact "fact" For "for" Fun "fun" Iden "iden" Iff "iff"
        Implies "implies" In "in" SigInt "Int" Int "int" Let "let" Lone "lone" Module "module"
        No "no" None "none" Not "not" One "one" Open "open" Or "or" Part "part" Pred "pred"
        Private "private" Run "run" Seq "seq" Set "set" Sig "sig" Some "some" String "String"
        Sum "sum" This "this" Univ "univ"
        After "after" Always "always" Before "before" Eventually "eventually"
        Historically "historically" Once "once" Releases "releases" Since "since"
        Steps "steps" Triggered "triggered" Until "until" Var "var"
    }
);

impl Keyword {
    /// The reserved word with this text; the words of time are reserved since Alloy 6 only.
    pub(crate) fn find(text: &str, temporal: bool) -> Option<Self> {
        let text = match text {
            "disjoint" => "disj",
            "exhaustive" => "exh",
            "partition" => "part",
            other => other,
        };
        let found = Self::ALL.iter().copied().find(|word| word.text() == text);
        found.filter(|word| temporal || !word.is_temporal())
    }

    /// Whether it is reserved since Alloy 6 only.
    pub(crate) fn is_temporal(self) -> bool {
        use Keyword as K;
        matches!(
            self,
            K::After
                | K::Always
                | K::Before
                | K::Eventually
                | K::Historically
                | K::Once
                | K::Releases
                | K::Since
                | K::Steps
                | K::Triggered
                | K::Until
                | K::Var
        )
    }

    /// Whether it opens a paragraph and stands nowhere else.
    pub(crate) fn opens_paragraph(self) -> bool {
        use Keyword as K;
        matches!(
            self,
            K::Abstract
                | K::Assert
                | K::Check
                | K::Enum
                | K::Fact
                | K::Fun
                | K::Module
                | K::Open
                | K::Pred
                | K::Run
                | K::Sig
        )
    }
}

texts!(
    /// Punctuation or an operator.
    Sign {
        Not "!" Hash "#" AndAnd "&&" Ampersand "&" Open "(" Close ")" Star "*" PlusPlus "++"
        Plus "+" Comma "," Arrow "->" Minus "-" Dot "." Slash "/" Range ":>" Colon ":"
        Iff "<=>" LessEqual "<=" Domain "<:" ShiftLeft "<<" Less "<" Implies "=>" Equal "="
        ShiftRight ">>>" ShiftArith ">>" GreaterEqual ">=" Greater ">" At "@" OpenBracket "["
        CloseBracket "]" Caret "^" OpenBrace "{" OrOr "||" Bar "|" CloseBrace "}" Tilde "~"
        Prime "'" Semicolon ";"
    }
);
