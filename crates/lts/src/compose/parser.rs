//! Reading a composition file.

use wherefore_base::{Diagnostic, FileId, Span, deep, nearest};

use crate::reduce::Reduction;

use super::lexer::{Token, tokens};
use super::net::{Branch, Buffer, Net, Part, PartId, Queue, Sync, Vector};
use super::pattern::{Pattern, Template};
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
        let tokens = tokens(file, text)?;
        let mut parser = NetParser {
            tokens,
            at: 0,
            net: Net::default(),
        };
        parser.part()?;
        match parser.peek() {
            Token::End => Ok(parser.net),
            Token::Word(word) => {
                let mut wrong = parser.unexpected("an operation or the end of the text");
                if let Some(near) = nearest(word, OPERATIONS, 2) {
                    wrong = wrong.help(format!("Did you mean `{near}`?"));
                }
                Err(wrong)
            }
            Token::Bars => Err(parser
                .unexpected("an operation or the end of the text")
                .help("Branches stand between `par ... in` and `end par`.")),
            _ => Err(parser.unexpected("an operation or the end of the text")),
        }
    }
}

struct NetParser {
    tokens: Vec<(Token, Span)>,
    at: usize,
    net: Net,
}

/// What a header of `par` lists: the gates, and the vectors with the number of their slots.
#[derive(Default)]
struct ParHeader {
    syncs: Vec<Sync>,
    vectors: Vec<Vector>,
}

impl NetParser {
    fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    fn peek_after(&self) -> &Token {
        let last = self.tokens.len() - 1;
        &self.tokens[(self.at + 1).min(last)].0
    }

    fn span(&self) -> Span {
        self.tokens[self.at].1
    }

    /// The token, gone past; the last one is never gone past.
    fn next(&mut self) -> (Token, Span) {
        let token = self.tokens[self.at].clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(this) if this == word)
    }

    fn eat(&mut self, token: &Token) -> bool {
        let found = self.peek() == token;
        if found {
            self.next();
        }
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.next();
        }
        found
    }

    fn expect(&mut self, token: &Token) -> Result<(), Diagnostic> {
        match self.eat(token) {
            true => Ok(()),
            false => Err(self.unexpected(&token.shown())),
        }
    }

    fn expect_word(&mut self, word: &str) -> Result<(), Diagnostic> {
        match self.eat_word(word) {
            true => Ok(()),
            false => Err(self.unexpected(&format!("`{word}`"))),
        }
    }

    fn unexpected(&self, wanted: &str) -> Diagnostic {
        let found = self.peek().shown();
        Diagnostic::error(
            self.span(),
            format!("There is {found} where {wanted} is expected"),
        )
    }

    /// A file or branches side by side, with operations after it.
    fn part(&mut self) -> Result<PartId, Diagnostic> {
        let mut part = match self.peek().clone() {
            Token::Text(name) => {
                let (_, span) = self.next();
                self.net.parts.push(Part::File(name, Some(span)))
            }
            Token::Word(word) if word == "par" => deep(|| self.par())?,
            Token::Regex(_) => {
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
                self.net.parts.push(Part::Buffer(buffer, part))
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
        let (_, start) = self.next();
        let header = self.header()?;
        let mut branches = vec![self.branch()?];
        while self.eat(&Token::Bars) {
            branches.push(self.branch()?);
        }
        if !self.is_word("end") {
            let wrong = self.unexpected("`||`, an operation or `end par`");
            return Err(wrong.see(start, "of this `par`"));
        }
        self.next();
        self.expect_word("par")?;
        let ParHeader { syncs, vectors } = header;
        check_widths(&syncs, &vectors, &branches)?;
        Ok(self.net.parts.push(Part::Par(syncs, vectors, branches)))
    }

    fn header(&mut self) -> Result<ParHeader, Diagnostic> {
        let mut header = ParHeader::default();
        if self.eat_word("in") {
            return Ok(header);
        }
        loop {
            let is_vector = *self.peek_after() == Token::Star;
            if is_vector || matches!(self.peek(), Token::Blank | Token::Regex(_)) {
                header.vectors.push(self.vector()?);
            } else {
                let (gate, span) = self.gate()?;
                let together = match self.eat(&Token::Hash) {
                    true => Some(self.number("a number of branches")?),
                    false => None,
                };
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
            if !self.eat(&Token::Comma) {
                return Err(self.unexpected("`,` or `in`"));
            }
        }
    }

    /// `"SEND" * _ * "RECEIVE" -> "MESSAGE"`
    fn vector(&mut self) -> Result<Vector, Diagnostic> {
        let start = self.span();
        let mut slots = vec![self.slot()?];
        while self.eat(&Token::Star) {
            slots.push(self.slot()?);
        }
        if slots.iter().all(Option::is_none) {
            return Err(Diagnostic::error(
                start,
                "No branch takes part in this vector",
            ));
        }
        self.expect(&Token::Arrow)?;
        let patterns: Vec<&Pattern> = slots.iter().flatten().collect();
        let groups = patterns.iter().map(|pattern| pattern.groups()).max();
        let has_gate = patterns.iter().any(|p| matches!(p, Pattern::Gate(_)));
        let result = self.template(groups.unwrap_or(0), has_gate)?;
        let span = start.to(self.tokens[self.at - 1].1);
        Ok(Vector {
            slots,
            result,
            span: Some(span),
        })
    }

    fn slot(&mut self) -> Result<Option<Pattern>, Diagnostic> {
        match self.eat(&Token::Blank) {
            true => Ok(None),
            false => self.pattern().map(Some),
        }
    }

    /// `SEND, RECEIVE -> "worker.aut"`, or without gates
    fn branch(&mut self) -> Result<Branch, Diagnostic> {
        let mut gates = Vec::new();
        if matches!(self.peek_after(), Token::Comma | Token::Arrow) {
            loop {
                let (gate, span) = self.gate()?;
                gates.push((gate, Some(span)));
                if self.eat(&Token::Arrow) {
                    break;
                }
                if !self.eat(&Token::Comma) {
                    return Err(self.unexpected("`,` or `->`"));
                }
            }
        }
        let part = self.part()?;
        Ok(Branch { gates, part })
    }

    fn gate(&mut self) -> Result<(String, Span), Diagnostic> {
        match self.peek().clone() {
            Token::Word(word) if !KEYWORDS.contains(&&*word) => {
                let (_, span) = self.next();
                Ok((word, span))
            }
            Token::Text(text) => {
                let (_, span) = self.next();
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
        match *self.peek() {
            Token::Number(0) => {
                let message = "This is zero, and at least one is needed";
                Err(Diagnostic::error(self.span(), message))
            }
            Token::Number(number) => {
                self.next();
                Ok(number)
            }
            _ => Err(self.unexpected(what)),
        }
    }

    /// A gate, a label or a regular expression.
    fn pattern(&mut self) -> Result<Pattern, Diagnostic> {
        match self.peek().clone() {
            Token::Text(text) => {
                self.next();
                Ok(Pattern::Text(text))
            }
            Token::Regex(text) => {
                let (_, span) = self.next();
                Pattern::regex(&text).map_err(|why| {
                    let message = "This is no regular expression";
                    Diagnostic::error(span, message).because(why)
                })
            }
            Token::Word(word) if !KEYWORDS.contains(&&*word) => {
                self.next();
                Ok(Pattern::Gate(word))
            }
            _ => Err(self.unexpected("a gate, a \"label\" or a 'regular expression'")),
        }
    }

    /// `all but 'A.*', "B"`
    fn patterns(&mut self) -> Result<(Vec<Pattern>, bool), Diagnostic> {
        let all_but = self.eat_word("all");
        if all_but {
            self.expect_word("but")?;
        }
        let mut patterns = vec![self.pattern()?];
        while self.eat(&Token::Comma) {
            patterns.push(self.pattern()?);
        }
        Ok((patterns, all_but))
    }

    /// `'A (.*)' -> 'B $1', C -> D`
    fn renamings(&mut self) -> Result<Vec<(Pattern, Template)>, Diagnostic> {
        let mut rules = Vec::new();
        loop {
            let pattern = self.pattern()?;
            self.expect(&Token::Arrow)?;
            let is_gate = matches!(pattern, Pattern::Gate(_));
            let template = self.template(pattern.groups(), is_gate)?;
            rules.push((pattern, template));
            if !self.eat(&Token::Comma) {
                return Ok(rules);
            }
        }
    }

    /// What a label becomes; the word of a gate keeps what follows the gate it replaces.
    fn template(&mut self, groups: usize, has_gate: bool) -> Result<Template, Diagnostic> {
        match self.peek().clone() {
            Token::Text(text) => {
                self.next();
                Ok(Template::text(text))
            }
            Token::Regex(text) => {
                let (_, span) = self.next();
                Template::expanding(&text, groups).map_err(|why| Diagnostic::error(span, why))
            }
            Token::Word(word) if !KEYWORDS.contains(&&*word) => {
                self.next();
                Ok(match has_gate {
                    true => Template::gate(word),
                    false => Template::text(word),
                })
            }
            _ => Err(self.unexpected("a gate, a \"label\" or a 'label with $1'")),
        }
    }

    /// `buffer fifo 2 '(.*)_EM' -> '(.*)_REC'`
    fn buffer(&mut self) -> Result<Buffer, Diagnostic> {
        let (_, start) = self.next();
        let queue = match self.peek() {
            Token::Word(word) if word == "fifo" => Queue::Fifo,
            Token::Word(word) if word == "bag" => Queue::Bag,
            _ => return Err(self.unexpected("`fifo` or `bag`")),
        };
        self.next();
        let bound = self.number("a number of messages")?;
        let send = self.pattern()?;
        self.expect(&Token::Arrow)?;
        let receive = self.pattern()?;
        let span = start.to(self.tokens[self.at - 1].1);
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
        let Token::Word(name) = self.peek() else {
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
        self.next();
        Ok(reduction)
    }
}

/// Vectors have a slot for each branch, and no gate asks for more branches than it concerns.
fn check_widths(syncs: &[Sync], vectors: &[Vector], branches: &[Branch]) -> Result<(), Diagnostic> {
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
