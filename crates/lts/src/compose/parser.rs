//! Reading a composition file.

use wherefore_base::{Diagnostic, FileId, Span, deep, nearest};
use wherefore_syntax::{Cursor, Parser};

use crate::quoted::unquoted;
use crate::reduce::Reduction;

use super::lexer::{NetToken, tokens};
use super::net::{Buffer, Net, NetBranch, NetPart, PartId, Queue, Sync, Vector};
use super::pattern::{LabelPattern, Template};
use super::relabel::Relabelling;

/// What can follow a part.
const OPERATIONS: [&str; 5] = ["hide", "cut", "rename", "buffer", "reduce"];
/// Words that are no gates.
const KEYWORDS: [&str; 11] = [
    "par", "in", "end", "hide", "cut", "rename", "buffer", "reduce", "all", "but", "fifo",
];

impl Net {
    /// Reads a composition file.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn parse(file: FileId, text: &str) -> Result<Self, Diagnostic> {
        let mut parser = NetParser {
            cursor: Cursor::new(file, text, tokens(file, text)?),
            net: Net::default(),
        };
        parser.part()?;
        match parser.peek() {
            NetToken::End => Ok(parser.net),
            NetToken::Word => {
                let mut wrong = parser.unexpected("an operation or the end of the text");
                if let Some(near) = nearest(parser.text(), OPERATIONS, 2) {
                    wrong = wrong.help(format!("Did you mean `{near}`?"));
                }
                Err(wrong)
            }
            NetToken::Sign("||") => Err(parser
                .unexpected("an operation or the end of the text")
                .help("Branches stand between `par ... in` and `end par`.")),
            _ => Err(parser.unexpected("an operation or the end of the text")),
        }
    }
}

struct NetParser<'t> {
    cursor: Cursor<'t, NetToken>,
    net: Net,
}

impl<'t> Parser<'t> for NetParser<'t> {
    type Kind = NetToken;
    type Error = Diagnostic;

    fn cursor(&self) -> &Cursor<'t, NetToken> {
        &self.cursor
    }

    fn cursor_mut(&mut self) -> &mut Cursor<'t, NetToken> {
        &mut self.cursor
    }

    fn reject(&mut self, wrong: Diagnostic) -> Diagnostic {
        wrong
    }
}

/// What a header of `par` lists: the gates, and the vectors with the number of their slots.
#[derive(Default)]
struct ParHeader {
    syncs: Vec<Sync>,
    vectors: Vec<Vector>,
}

impl NetParser<'_> {
    /// The word here that is no reserved one.
    fn gate_word(&self) -> Option<String> {
        let word = self.word().filter(|word| !KEYWORDS.contains(word));
        word.map(str::to_string)
    }

    /// What the present token has between its quotes; it is passed.
    fn quoted(&mut self) -> String {
        unquoted(self.advance())
    }

    /// The place of the present token, which is passed.
    fn pass(&mut self) -> Span {
        self.advance();
        self.before()
    }

    /// A file or branches side by side, with operations after it.
    fn part(&mut self) -> Result<PartId, Diagnostic> {
        let mut part = match self.peek() {
            NetToken::Text => {
                let (name, span) = (self.quoted(), self.before());
                self.net.parts.push(NetPart::File(name, Some(span)))
            }
            NetToken::Word if self.is_word("par") => deep(|| self.par())?,
            NetToken::Regex => {
                return Err(self
                    .unexpected("the name of a file or `par`")
                    .help("The name of a file stands in \"double quotes\"."));
            }
            _ => return Err(self.unexpected("the name of a file, as \"worker.aut\", or `par`")),
        };
        loop {
            part = if self.eat_word("hide") {
                let (patterns, all_but) = self.patterns()?;
                self.net
                    .relabel(Relabelling::Hide { patterns, all_but }, part)
            } else if self.eat_word("cut") {
                let (patterns, all_but) = self.patterns()?;
                self.net
                    .relabel(Relabelling::Cut { patterns, all_but }, part)
            } else if self.eat_word("rename") {
                let rules = self.renamings()?;
                self.net.relabel(Relabelling::Rename(rules), part)
            } else if self.is_word("buffer") {
                let buffer = self.buffer()?;
                self.net.parts.push(NetPart::Buffer(buffer, part))
            } else if self.eat_word("reduce") {
                let reduction = self.reduction()?;
                self.net.reduce(reduction, part)
            } else {
                return Ok(part);
            };
        }
    }

    /// `par GAME #2, "A" * _ -> "B" in ... || ... end par`
    fn par(&mut self) -> Result<PartId, Diagnostic> {
        let start = self.pass();
        let header = self.header()?;
        let branches = self.separated("||", Self::branch)?;
        if !self.is_word("end") {
            let wrong = self.unexpected("`||`, an operation or `end par`");
            return Err(wrong.see(start, "of this `par`"));
        }
        self.advance();
        self.expect_word("par")?;
        let ParHeader { syncs, vectors } = header;
        check_widths(&syncs, &vectors, &branches)?;
        Ok(self.net.parts.push(NetPart::Par(syncs, vectors, branches)))
    }

    fn header(&mut self) -> Result<ParHeader, Diagnostic> {
        let mut header = ParHeader::default();
        if self.eat_word("in") {
            return Ok(header);
        }
        loop {
            // A gate and a vector may begin alike: a `*` after the first word tells them apart.
            let is_vector = self.ahead(1) == NetToken::Sign("*");
            if is_vector || matches!(self.peek(), NetToken::Sign("_") | NetToken::Regex) {
                header.vectors.push(self.vector()?);
            } else {
                let (gate, span) = self.gate()?;
                let together = self.eat("#").then(|| self.number("a number of branches"));
                let together = together.transpose()?;
                if header.syncs.iter().any(|sync| sync.gate == gate) {
                    let message = format!("The gate `{gate}` is listed twice");
                    return Err(Diagnostic::error(span, message));
                }
                header.syncs.push(Sync {
                    gate,
                    together,
                    span: Some(span),
                });
            }
            if self.eat_word("in") {
                return Ok(header);
            }
            if !self.eat(",") {
                return Err(self.unexpected("`,` or `in`"));
            }
        }
    }

    /// `"SEND" * _ * "RECEIVE" -> "MESSAGE"`
    fn vector(&mut self) -> Result<Vector, Diagnostic> {
        let start = self.here();
        let slots = self.separated("*", Self::slot)?;
        if slots.iter().all(Option::is_none) {
            return Err(Diagnostic::error(
                start,
                "No branch takes part in this vector",
            ));
        }
        self.expect("->", "")?;
        let patterns: Vec<&LabelPattern> = slots.iter().flatten().collect();
        let groups = patterns.iter().map(|pattern| pattern.groups()).max();
        let has_gate = patterns.iter().any(|p| matches!(p, LabelPattern::Gate(_)));
        let result = self.template(groups.unwrap_or(0), has_gate)?;
        let span = start.to(self.before());
        Ok(Vector {
            slots,
            result,
            span: Some(span),
        })
    }

    fn slot(&mut self) -> Result<Option<LabelPattern>, Diagnostic> {
        if self.eat("_") {
            return Ok(None);
        }
        self.pattern().map(Some)
    }

    /// `SEND, RECEIVE -> "worker.aut"`, or without gates
    fn branch(&mut self) -> Result<NetBranch, Diagnostic> {
        let mut gates = Vec::new();
        // The sign after the first gate tells a list of gates from a file or a `par`.
        if matches!(self.ahead(1), NetToken::Sign("," | "->")) {
            loop {
                let (gate, span) = self.gate()?;
                gates.push((gate, Some(span)));
                if self.eat("->") {
                    break;
                }
                if !self.eat(",") {
                    return Err(self.unexpected("`,` or `->`"));
                }
            }
        }
        let part = self.part()?;
        Ok(NetBranch { gates, part })
    }

    fn gate(&mut self) -> Result<(String, Span), Diagnostic> {
        if let Some(word) = self.gate_word() {
            return Ok((word, self.pass()));
        }
        match self.peek() {
            NetToken::Text => {
                let (text, span) = (self.quoted(), self.before());
                if super::gate(&text) != text || text.is_empty() {
                    let message =
                        format!("`{text}` is no gate but a label with more than one word");
                    return Err(Diagnostic::error(span, message).help(
                        "A gate is the first word of labels; vectors are for single labels.",
                    ));
                }
                Ok((text, span))
            }
            _ => Err(self.unexpected("a gate")),
        }
    }

    fn number(&mut self, what: &str) -> Result<usize, Diagnostic> {
        match self.peek() {
            NetToken::Number(0) => {
                let message = "This is zero, and at least one is needed";
                Err(Diagnostic::error(self.here(), message))
            }
            NetToken::Number(number) => {
                self.advance();
                Ok(number)
            }
            _ => Err(self.unexpected(what)),
        }
    }

    /// A gate, a label or a regular expression.
    fn pattern(&mut self) -> Result<LabelPattern, Diagnostic> {
        match self.peek() {
            NetToken::Text => Ok(LabelPattern::Text(self.quoted())),
            NetToken::Regex => LabelPattern::regex(&self.quoted()).map_err(|why| {
                let message = "This is no regular expression";
                Diagnostic::error(self.before(), message).because(why)
            }),
            _ => match self.gate_word() {
                Some(word) => {
                    self.advance();
                    Ok(LabelPattern::Gate(word))
                }
                None => Err(self.unexpected("a gate, a \"label\" or a 'regular expression'")),
            },
        }
    }

    /// `all but 'A.*', "B"`
    fn patterns(&mut self) -> Result<(Vec<LabelPattern>, bool), Diagnostic> {
        let all_but = self.eat_word("all");
        if all_but {
            self.expect_word("but")?;
        }
        Ok((self.separated(",", Self::pattern)?, all_but))
    }

    /// `'A (.*)' -> 'B $1', C -> D`
    fn renamings(&mut self) -> Result<Vec<(LabelPattern, Template)>, Diagnostic> {
        self.separated(",", |p| {
            let pattern = p.pattern()?;
            p.expect("->", "")?;
            let is_gate = matches!(pattern, LabelPattern::Gate(_));
            let template = p.template(pattern.groups(), is_gate)?;
            Ok((pattern, template))
        })
    }

    /// What a label becomes; the word of a gate keeps what follows the gate it replaces.
    fn template(&mut self, groups: usize, has_gate: bool) -> Result<Template, Diagnostic> {
        match self.peek() {
            NetToken::Text => Ok(Template::text(self.quoted())),
            NetToken::Regex => Template::expanding(&self.quoted(), groups)
                .map_err(|why| Diagnostic::error(self.before(), why)),
            _ => match self.gate_word() {
                Some(word) => {
                    self.advance();
                    Ok(if has_gate {
                        Template::gate(word)
                    } else {
                        Template::text(word)
                    })
                }
                None => Err(self.unexpected("a gate, a \"label\" or a 'label with $1'")),
            },
        }
    }

    /// `buffer fifo 2 '(.*)_EM' -> '(.*)_REC'`
    fn buffer(&mut self) -> Result<Buffer, Diagnostic> {
        let start = self.pass();
        let queue = match self.word() {
            Some("fifo") => Queue::Fifo,
            Some("bag") => Queue::Bag,
            _ => return Err(self.unexpected("`fifo` or `bag`")),
        };
        self.advance();
        let bound = self.number("a number of messages")?;
        let send = self.pattern()?;
        self.expect("->", "")?;
        let receive = self.pattern()?;
        let span = start.to(self.before());
        if send.groups() != receive.groups() {
            let message = format!(
                "The groups are the message, and there are {} in what sends but {} in what receives",
                send.groups(),
                receive.groups()
            );
            return Err(Diagnostic::error(span, message));
        }
        Ok(Buffer {
            queue,
            bound,
            send,
            receive,
            span: Some(span),
        })
    }

    fn reduction(&mut self) -> Result<Reduction, Diagnostic> {
        let Some(name) = self.word() else {
            return Err(self.unexpected("`strong`, `tau-a` or `weak-trace`"));
        };
        let reduction = name.parse().map_err(|_| {
            let wrong = self.unexpected("`strong`, `tau-a` or `weak-trace`");
            let names = Reduction::ALL.map(Reduction::name);
            match nearest(name, names, 2) {
                Some(near) => wrong.help(format!("Did you mean `{near}`?")),
                None => wrong,
            }
        })?;
        self.advance();
        Ok(reduction)
    }
}

/// Vectors have a slot for each branch, and no gate asks for more branches than it concerns.
fn check_widths(
    syncs: &[Sync],
    vectors: &[Vector],
    branches: &[NetBranch],
) -> Result<(), Diagnostic> {
    let count = branches.len();
    if let Some(vector) = vectors.iter().find(|v| v.slots.len() != count) {
        let slots = vector.slots.len();
        let message = format!("This vector is for {slots} branches, and there are {count}");
        let span = vector.span.expect("it was read");
        return Err(Diagnostic::error(span, message)
            .help("Write `_` for each branch that does not take part."));
    }
    for sync in syncs {
        let naming = branches
            .iter()
            .filter(|b| b.gates.iter().any(|g| g.0 == sync.gate));
        let concerned = match naming.count() {
            0 => count,
            some => some,
        };
        if let Some(together) = sync.together.filter(|&together| together > concerned) {
            let message = format!(
                "`{}` needs {together} branches at a time, and concerns only {concerned}",
                sync.gate
            );
            return Err(Diagnostic::error(sync.span.expect("it was read"), message));
        }
    }
    Ok(())
}
