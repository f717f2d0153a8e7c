//! Tokens and reserved words.

/// A token: what it is, where it stands, and its text.
///
/// The two differ where a macro stands: the text is in its definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    /// Where it stands, in bytes.
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Where its text is, in bytes.
    pub(crate) text: (u32, u32),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    Ident,
    Number,
    /// A numeral of a word type, as `0ud4_3`.
    WordLiteral,
    /// A fraction, as `1.5` or `f'3/2`.
    Fraction,
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

            /// The one the user writes so.
            pub(crate) fn find(text: &str) -> Option<Self> {
                match text { $($text => Some($name::$variant),)* _ => None }
            }
        }
    };
}

texts!(
    /// A reserved word.
    Keyword {
        Module "MODULE" Define "DEFINE" Mdefine "MDEFINE" Constants "CONSTANTS" Var "VAR"
        Ivar "IVAR" Frozenvar "FROZENVAR" InitSection "INIT" Trans "TRANS" Invar "INVAR"
        Spec "SPEC" Ctlspec "CTLSPEC" Ltlspec "LTLSPEC" Pslspec "PSLSPEC" Compute "COMPUTE"
        Name "NAME" Invarspec "INVARSPEC" Fairness "FAIRNESS" Justice "JUSTICE"
        Compassion "COMPASSION" Isa "ISA" Assign "ASSIGN" Constraint "CONSTRAINT"
        Simpwff "SIMPWFF" Ctlwff "CTLWFF" Ltlwff "LTLWFF" Pslwff "PSLWFF" Compwff "COMPWFF"
        InContext "IN" MinQuantity "MIN" MaxQuantity "MAX" Mirror "MIRROR" Pred "PRED"
        Predicates "PREDICATES" Process "process" Array "array" Of "of" Boolean "boolean"
        Integer "integer" Real "real" Word "word" Word1 "word1" Bool "bool" Signed "signed"
        Unsigned "unsigned" Extend "extend" Resize "resize" Sizeof "sizeof" Uwconst "uwconst"
        Swconst "swconst" Ex "EX" Ax "AX" Ef "EF" Af "AF" Eg "EG" Ag "AG" E "E" F "F" O "O"
        G "G" H "H" X "X" Y "Y" Z "Z" A "A" U "U" S "S" V "V" T "T" Bu "BU" Ebf "EBF" Abf "ABF"
        Ebg "EBG" Abg "ABG" Case "case" Esac "esac" Mod "mod" Next "next" Init "init"
        Union "union" In "in" Xor "xor" Xnor "xnor" SelfName "self" True "TRUE" False "FALSE"
        Count "count" Toint "toint" Abs "abs" Max "max" Min "min"
    }
);

impl Keyword {
    /// Whether it opens a section of a module, or a module.
    pub(crate) fn opens_section(self) -> bool {
        use Keyword as K;
        matches!(
            self,
            K::Module
                | K::Define
                | K::Mdefine
                | K::Constants
                | K::Var
                | K::Ivar
                | K::Frozenvar
                | K::InitSection
                | K::Trans
                | K::Invar
                | K::Spec
                | K::Ctlspec
                | K::Ltlspec
                | K::Pslspec
                | K::Compute
                | K::Invarspec
                | K::Fairness
                | K::Justice
                | K::Compassion
                | K::Isa
                | K::Assign
                | K::Mirror
                | K::Pred
        )
    }
}

texts!(
    /// Punctuation and operators.
    Sign {
        Becomes ":=" Concat "::" Colon ":" Semicolon ";" Comma "," Dots ".." Dot "."
        Open "(" Close ")" OpenBracket "[" CloseBracket "]" OpenBrace "{" CloseBrace "}"
        Unequal "!=" Not "!" Equal "=" And "&" Or "|" Implies "->" Iff "<->"
        RotateLeft "<<<" RotateRight ">>>" ShiftLeft "<<" LessEqual "<=" Less "<" ShiftRight ">>" GreaterEqual ">=" Greater ">"
        Plus "+" Minus "-" Star "*" Slash "/" Question "?"
    }
);
