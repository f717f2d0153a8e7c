//! Tokens and reserved words.

use wherefore_syntax::{spelled, token_kind};

pub(crate) type Token = wherefore_syntax::Token<SmvToken>;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SmvToken {
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

token_kind!(SmvToken { is_unknown: Unknown } from { Keyword(Keyword), Sign(Sign) });

spelled!(
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

spelled!(
    /// Punctuation and operators.
    Sign {
        Becomes ":=" Concat "::" Colon ":" Semicolon ";" Comma "," Dots ".." Dot "."
        Open "(" Close ")" OpenBracket "[" CloseBracket "]" OpenBrace "{" CloseBrace "}"
        Unequal "!=" Not "!" Equal "=" And "&" Or "|" Implies "->" Iff "<->"
        RotateLeft "<<<" RotateRight ">>>" ShiftLeft "<<" LessEqual "<=" Less "<" ShiftRight ">>" GreaterEqual ">=" Greater ">"
        Plus "+" Minus "-" Star "*" Slash "/" Question "?"
    }
);
