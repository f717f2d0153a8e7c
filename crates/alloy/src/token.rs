//! Tokens and reserved words.

use wherefore_syntax::{spelled, token_kind};

pub(crate) type Token = wherefore_syntax::Token<AlloyToken>;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AlloyToken {
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

token_kind!(AlloyToken { is_unknown: Unknown } from { Keyword(Keyword), Sign(Sign) });

spelled!(
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
    pub(crate) fn reserved(text: &str, temporal: bool) -> Option<Self> {
        let found = match text {
            "disjoint" => Some(Keyword::Disj),
            "exhaustive" => Some(Keyword::Exh),
            "partition" => Some(Keyword::Part),
            other => Keyword::find(other),
        };
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

spelled!(
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
