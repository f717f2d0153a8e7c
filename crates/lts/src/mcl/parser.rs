//! Tokens to syntax tree.
//!
//! A recursive-descent parser. A file is a list of libraries and macros and then one formula, or several
//! properties with names. A name means what stands above it: macros may use earlier macros only, so
//! they never go round in circles.

mod data;
mod formula;

use std::sync::Arc;

use rustc_hash::FxHashMap;
use wherefore_base::{Diagnostic, FileId, SourceFile, SourceMap, Span, nearest};
use wherefore_syntax::{Cursor, Failed, Parser, TokenKind as _};

use super::ast::{
    BinderId, DeclaredProperty, MacroId, MclKind, MclMacro, MclNode, MclNodeId, MclSlot, MclTree,
};
use super::token::{MclToken, tokens};

type Parse<T> = Result<T, Failed>;

/// Who finds the text of a library.
pub(super) type Library<'a> = dyn Fn(&str) -> Option<SourceFile> + 'a;

/// Reads a file with its libraries.
pub(super) fn read(
    file: FileId,
    sources: &mut SourceMap,
    library: &Library<'_>,
) -> (MclTree, Vec<Diagnostic>) {
    let mut reader = MclReader {
        tree: MclTree::default(),
        macros: FxHashMap::default(),
        diagnostics: Vec::new(),
        sources,
        library,
        open: Vec::new(),
        done: Vec::new(),
    };
    reader.file(file, true);
    (reader.tree, reader.diagnostics)
}

/// Words that nothing else can be called by.
const RESERVED: [&str; 17] = [
    "true",
    "false",
    "nil",
    "tau",
    "visible",
    "not",
    "and",
    "or",
    "implies",
    "equ",
    "mu",
    "nu",
    "macro",
    "end_macro",
    "library",
    "end_library",
    "where",
];

/// Libraries in libraries deeper than this are certainly a mistake.
const DEEPEST: usize = 100;

/// What all files of a run have in common.
struct MclReader<'a> {
    tree: MclTree,
    /// By name and number of parameters.
    macros: FxHashMap<(String, usize), MacroId>,
    diagnostics: Vec<Diagnostic>,
    sources: &'a mut SourceMap,
    library: &'a Library<'a>,
    /// The files being read, by name, outermost first.
    open: Vec<String>,
    /// The libraries already read.
    done: Vec<String>,
}

impl MclReader<'_> {
    fn file(&mut self, file: FileId, whole: bool) {
        let source = self.sources.file(file);
        let (name, text): (String, Arc<str>) = (source.name().to_owned(), source.text().into());
        self.open.push(name.clone());
        self.tree.texts.push((file, text.clone()));
        let (tokens, wrong) = tokens(file, &text);
        if let Some(wrong) = wrong {
            self.diagnostics.push(wrong);
        } else {
            let mut parser = MclParser {
                reader: self,
                cursor: Cursor::new(file, &text, tokens),
                names: FxHashMap::default(),
                trail: Vec::new(),
                slots: 0,
                pattern: None,
                defines: None,
            };
            // What is wrong was told.
            let _ = parser.items(whole);
        }
        self.open.pop();
        self.done.push(name);
    }
}

/// What a name stands for.
#[derive(Clone, Copy)]
enum MclName {
    /// A variable of a fixpoint.
    Variable(MclSlot),
    /// A parameter of the macro.
    Parameter(MclSlot),
    /// A variable over data, bound by a pattern or by a quantifier.
    Data(MclSlot, Option<BinderId>),
}

struct MclParser<'r, 'a> {
    reader: &'r mut MclReader<'a>,
    cursor: Cursor<'r, MclToken>,
    /// The names in scope with their depths, the innermost meaning last.
    names: FxHashMap<&'r str, Vec<(MclName, usize)>>,
    /// The names in scope, outermost first: a depth is a place in it.
    trail: Vec<&'r str>,
    /// How many slots the present macro or property has.
    slots: usize,
    /// The depth at which the pattern began that is being read.
    pattern: Option<usize>,
    /// The name of the macro that is being read.
    defines: Option<&'r str>,
}

impl<'r> Parser<'r> for MclParser<'r, '_> {
    type Kind = MclToken;
    type Error = Failed;

    fn cursor(&self) -> &Cursor<'r, MclToken> {
        &self.cursor
    }

    fn cursor_mut(&mut self) -> &mut Cursor<'r, MclToken> {
        &mut self.cursor
    }

    fn reject(&mut self, wrong: Diagnostic) -> Failed {
        self.tell(wrong);
        Failed
    }

    fn advise(&self, wrong: Diagnostic, expected: &str) -> Diagnostic {
        match advice(self.text()) {
            Some(advice) if !expected.starts_with('`') => wrong.help(advice),
            _ => wrong,
        }
    }
}

impl<'r> MclParser<'r, '_> {
    /// A whole file: `whole` if it has a formula, not only macros.
    fn items(&mut self, whole: bool) -> Parse<()> {
        let mut formulas = 0;
        loop {
            match self.word() {
                Some("library") => self.libraries()?,
                Some("macro") => self.macro_definition()?,
                // Followed by anything else it is a name.
                Some("property") if whole && self.ahead(1).is_word() => {
                    formulas += 1;
                    self.property()?;
                }
                _ if self.is(MclToken::End) => break,
                _ if !whole => {
                    let wrong = self.misplaced("a macro").help(
                        "A library has macros only; formulas stand in the file that uses it.",
                    );
                    return Err(self.reject(wrong));
                }
                _ => {
                    formulas += 1;
                    self.formula_of_file()?;
                }
            }
        }
        if whole && formulas == 0 {
            let here = self.here();
            self.tell(Diagnostic::error(here, "There is no formula in this file"));
        }
        Ok(())
    }

    /// `library a.mcl, b.mcl end_library`
    fn libraries(&mut self) -> Parse<()> {
        let start = self.here();
        self.skip(1);
        while self.is(MclToken::FileName) || self.is(",") {
            let named = self.is(MclToken::FileName);
            let (text, span) = (self.advance(), self.before());
            if named {
                self.library(text.trim_matches('"'), span);
            }
        }
        if self.eat_word("end_library") {
            return Ok(());
        }
        let wrong = self
            .misplaced("`end_library`")
            .see(start, "this has no end");
        Err(self.reject(wrong))
    }

    fn library(&mut self, name: &str, span: Span) {
        let Some(source) = (self.reader.library)(name) else {
            let message = format!("The library `{name}` cannot be read");
            return self.tell(Diagnostic::error(span, message));
        };
        let open = &self.reader.open;
        if open.iter().any(|open| open == source.name()) {
            let message = format!("The library `{name}` includes itself");
            let round = open.join("`, then `");
            return self.tell(
                Diagnostic::error(span, message)
                    .help(format!("The files being read here are `{round}`.")),
            );
        }
        if open.len() > DEEPEST {
            let message = format!("Libraries include each other more than {DEEPEST} levels deep");
            return self.tell(Diagnostic::error(span, message));
        }
        // Several files may use one library.
        if self.reader.done.iter().any(|done| done == source.name()) {
            return;
        }
        let file = self.reader.sources.add(source);
        self.reader.file(file, false);
    }

    /// `macro NAME (x, y) = body end_macro`
    fn macro_definition(&mut self) -> Parse<()> {
        let start = self.here();
        self.skip(1);
        let (name, name_span) = self.name("a macro")?;
        let mut parameters: Vec<&str> = Vec::new();
        if self.eat("(") && !self.eat(")") {
            loop {
                let (parameter, span) = self.name("a parameter")?;
                if parameters.contains(&parameter) {
                    let message = format!("Two parameters are called `{parameter}`");
                    self.tell(Diagnostic::error(span, message));
                }
                parameters.push(parameter);
                if self.eat(")") {
                    break;
                }
                self.expect(",", "between parameters")?;
            }
        }
        self.expect("=", "between a macro and its meaning")?;
        self.slots = 0;
        for &parameter in &parameters {
            let slot = self.new_slot();
            self.bind(parameter, MclName::Parameter(slot));
        }
        self.defines = Some(name);
        let body = self.formula()?.id;
        self.defines = None;
        self.forget(0);
        if !self.eat_word("end_macro") {
            let wrong = self.misplaced("`end_macro` or an operator");
            return Err(self.reject(wrong.see(start, "this has no end")));
        }
        let key = (name.to_owned(), parameters.len());
        let known = self.reader.macros.get(&key);
        if let Some(known) = known.map(|&id| self.reader.tree.macros[id].span) {
            let message = format!(
                "There already is a macro `{name}` with {}",
                counted(parameters.len(), "parameter")
            );
            self.tell(Diagnostic::error(name_span, message).see(known, "it is here"));
            return Ok(());
        }
        let id = self.reader.tree.macros.push(MclMacro {
            parameters: parameters.into_iter().map(str::to_owned).collect(),
            body,
            slots: self.slots,
            span: name_span,
        });
        self.reader.macros.insert(key, id);
        Ok(())
    }

    /// `property NAME is F end property`
    fn property(&mut self) -> Parse<()> {
        let start = self.here();
        self.skip(1);
        let (name, name_span) = self.name("a property")?;
        if self.is(MclToken::Text) {
            self.skip(1);
        }
        if !self.eat_word("is") {
            return Err(self.unexpected("`is` after the name of a property"));
        }
        self.slots = 0;
        let root = self.formula()?.id;
        self.eat(";");
        if !(self.eat_word("end") && self.eat_word("property")) {
            let wrong = self.misplaced("`end property` or an operator");
            return Err(self.reject(wrong.see(start, "this has no end")));
        }
        let properties = &self.reader.tree.properties;
        if properties.iter().any(|p| p.name.as_deref() == Some(name)) {
            let message = format!("Two properties are called `{name}`");
            self.tell(Diagnostic::error(name_span, message));
        }
        self.declare(Some(name.to_owned()), root);
        Ok(())
    }

    fn formula_of_file(&mut self) -> Parse<()> {
        let properties = &self.reader.tree.properties;
        if let Some(first) = properties.first() {
            let first = self.reader.tree.nodes[first.root].outer;
            let mut wrong = self.misplaced("the end of the file");
            let starts = match self.peek() {
                MclToken::Sign(sign) => matches!(sign, "[" | "<" | "(" | "@"),
                MclToken::Word => !matches!(self.word(), Some("and" | "or" | "end")),
                _ => false,
            };
            if starts {
                wrong = wrong.see(first, "the formula is this").help(
                    "Several formulas in a file have names: `property NAME is F end property`.",
                );
            }
            return Err(self.reject(wrong));
        }
        self.slots = 0;
        let root = self.formula()?.id;
        self.eat(";");
        self.declare(None, root);
        Ok(())
    }

    fn declare(&mut self, name: Option<String>, root: MclNodeId) {
        let slots = self.slots;
        let declared = DeclaredProperty { name, root, slots };
        self.reader.tree.properties.push(declared);
    }

    fn new_slot(&mut self) -> MclSlot {
        self.slots += 1;
        MclSlot::new(self.slots - 1)
    }

    fn bind(&mut self, name: &'r str, meaning: MclName) {
        let depth = self.trail.len();
        self.names.entry(name).or_default().push((meaning, depth));
        self.trail.push(name);
    }

    /// Ends the scope of all names deeper than this.
    fn forget(&mut self, depth: usize) {
        for name in self.trail.drain(depth..) {
            if let Some(meanings) = self.names.get_mut(name) {
                meanings.pop();
            }
        }
    }

    fn meaning(&mut self, name: &str) -> Option<(MclName, u32)> {
        let &(meaning, depth) = self.names.get(name)?.last()?;
        // A use within the pattern that binds the variable does not count: only later ones need a value each.
        if let MclName::Data(_, Some(binder)) = meaning
            && self.pattern.is_none_or(|pattern| depth < pattern)
        {
            self.reader.tree.used[binder] = true;
        }
        Some((meaning, depth as u32))
    }

    /// A name that the user chooses; `what` is as "a macro".
    fn name(&mut self, what: &str) -> Parse<(&'r str, Span)> {
        match self.word() {
            Some(word) if RESERVED.contains(&word) => {
                let message = format!("`{word}` is a reserved word and cannot name {what}");
                let here = self.here();
                Err(self.wrong(here, message))
            }
            Some(word) => {
                let here = self.here();
                self.skip(1);
                Ok((word, here))
            }
            None => Err(self.unexpected(&format!("the name of {what}"))),
        }
    }

    fn tell(&mut self, diagnostic: Diagnostic) {
        self.reader.diagnostics.push(diagnostic);
    }

    /// What to say about a name that stands for nothing.
    fn undefined(&self, name: &str, arguments: Option<usize>, span: Span) -> Diagnostic {
        let others = self.reader.macros.keys().filter(|key| key.0 == name);
        let mut counts: Vec<usize> = others.map(|key| key.1).collect();
        counts.sort_unstable();
        if let (Some(&first), Some(given)) = (counts.first(), arguments.or(Some(0))) {
            let message = format!(
                "The macro `{name}` takes {}, but {} given",
                counted(first, "argument"),
                match given {
                    0 => "none is".to_owned(),
                    1 => "1 is".to_owned(),
                    more => format!("{more} are"),
                }
            );
            return Diagnostic::error(span, message);
        }
        let wrong = Diagnostic::error(span, format!("Nothing is called `{name}` here"));
        if self.defines == Some(name) {
            return wrong.help("A macro can use those that are defined above it, not itself.");
        }
        let mut known: Vec<&str> = self.reader.macros.keys().map(|key| &*key.0).collect();
        known.extend(&self.trail);
        known.sort_unstable();
        known.dedup();
        let most = (name.len() / 3).max(usize::from(name.len() > 1));
        if let Some(meant) = nearest(name, known, most) {
            return wrong.help(format!("Did you mean `{meant}`?"));
        }
        if arguments.is_some() {
            return wrong.help("A macro is defined above the formula that uses it.");
        }
        wrong.help(format!(
            "A label is written in quotes: \"{name}\" is this one, '{name}.*' are all that begin so."
        ))
    }

    fn add(&mut self, kind: MclKind, span: Span, depth: usize) -> MclNodeId {
        let tree = &mut self.reader.tree;
        let reaches = tree.reaches(&kind);
        let closed = reaches as usize >= depth;
        tree.nodes.push(MclNode {
            kind,
            span,
            outer: span,
            closed,
            reaches,
        })
    }
}

/// What somebody who wrote this probably wants.
fn advice(shown: &str) -> Option<&'static str> {
    Some(match shown {
        "&" => "Conjunction is written `and`.",
        "~" | "!" => "Negation is written `not`.",
        "/" | "#" | "%" => "A comment is written `(* so *)`.",
        "or" | "and" => {
            "`or` and `and` join action formulas and state formulas; sequences of actions are joined with `|` and `.`."
        }
        "=" => "Equivalence is written `equ`.",
        _ => return None,
    })
}

/// `no argument`, `1 argument`, `2 arguments`
fn counted(count: usize, what: &str) -> String {
    match count {
        0 => format!("no {what}"),
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}
