//! Parsing of paragraphs: the header, opened modules, signatures, functions, facts, assertions, macros.

use wherefore_base::Diagnostic;
use wherefore_syntax::Parser;

use super::{AlloyParser, Parse};
use crate::ast::{
    AlloyExpr, AlloyExprKind, AlloyIdent, Decl, FunctionDecl, Macro, Mult, OpenDecl, Param, Parent,
    SigDecl,
};
use crate::token::{AlloyToken, Keyword, Sign};

impl AlloyParser<'_> {
    /// All paragraphs of the file.
    pub(super) fn paragraphs(&mut self) {
        while !self.is(AlloyToken::End) {
            if self.report.is_full() || self.effort.is_over() {
                return;
            }
            let start = self.cursor.at;
            if self.paragraph().is_err() {
                if self.cursor.at == start {
                    self.advance();
                }
                self.recover();
            }
        }
    }

    /// Skips what is left of a broken paragraph.
    fn recover(&mut self) {
        let failed = self.cursor.at;
        loop {
            match self.peek() {
                AlloyToken::End => return,
                AlloyToken::Keyword(word)
                    if word.opens_paragraph() && self.ahead(1) != AlloyToken::Sign(Sign::Slash) =>
                {
                    // Words before `sig` belong to the paragraph that starts here.
                    while self.cursor.at > failed
                        && qualifies(self.cursor.tokens[self.cursor.at - 1].kind)
                    {
                        self.cursor.at -= 1;
                    }
                    return;
                }
                _ => self.skip(1),
            }
        }
    }

    fn paragraph(&mut self) -> Parse<()> {
        let labelled = self.is(AlloyToken::Ident)
            && self.ahead(1) == AlloyToken::Sign(Sign::Colon)
            && matches!(
                self.ahead(2),
                AlloyToken::Keyword(Keyword::Run | Keyword::Check)
            );
        if labelled {
            return self.command();
        }
        let private = self.is(Keyword::Private);
        let word = if private { self.ahead(1) } else { self.peek() };
        let AlloyToken::Keyword(word) = word else {
            return Err(self.unexpected("a paragraph such as `sig`, `fact` or `run`"));
        };
        let eat_private = usize::from(private);
        match word {
            Keyword::Module if !private => self.header(),
            Keyword::Open => {
                self.skip(eat_private);
                self.open(private)
            }
            Keyword::Enum => {
                self.skip(eat_private);
                self.enumeration(private)
            }
            Keyword::Fact if !private => {
                self.skip(1);
                let name = self.optional_name("a fact")?;
                let body = self.block()?.id;
                self.module.facts.push((name, body));
                Ok(())
            }
            Keyword::Assert if !private => {
                self.skip(1);
                let name = self.optional_name("an assertion")?;
                let body = self.block()?.id;
                self.module.assertions.push((name, body));
                Ok(())
            }
            Keyword::Pred | Keyword::Fun => {
                self.skip(eat_private);
                self.function(private)
            }
            Keyword::Let => {
                self.skip(eat_private);
                self.macro_definition(private)
            }
            Keyword::Run | Keyword::Check if !private => self.command(),
            _ if qualifies(AlloyToken::Keyword(word)) || word == Keyword::Sig => self.signature(),
            _ => Err(self.unexpected("a paragraph such as `sig`, `fact` or `run`")),
        }
    }

    /// A name or a string before a block.
    fn optional_name(&mut self, what: &str) -> Parse<Option<AlloyIdent>> {
        if self.is(Sign::OpenBrace) {
            return Ok(None);
        }
        if self.is(AlloyToken::Text) {
            let span = self.here();
            let text = self.advance();
            let symbol = self.names.intern(text.trim_matches('"'));
            return Ok(Some(AlloyIdent { symbol, span }));
        }
        self.declared(what).map(Some)
    }

    fn header(&mut self) -> Parse<()> {
        let start = self.here();
        let is_first = self.module.name.is_none()
            && self.module.opens.is_empty()
            && self.module.sigs.is_empty()
            && self.module.exprs.is_empty();
        self.skip(1);
        if !is_first {
            let message = "`module` stands once, at the top of the file";
            self.report.tell(Diagnostic::error(start, message));
        }
        self.module.name = Some(self.name("a module")?);
        if !self.eat(Sign::OpenBracket) {
            return Ok(());
        }
        while !self.is(Sign::CloseBracket) {
            let exactly = self.eat(Keyword::Exactly);
            let name = self.declared("a parameter")?;
            self.module.params.push(Param { name, exactly });
            if !self.eat(Sign::Comma) {
                break;
            }
        }
        self.expect(Sign::CloseBracket, "after the parameters of a module")
    }

    fn open(&mut self, private: bool) -> Parse<()> {
        let start = self.here();
        self.skip(1);
        let has_paragraphs = !self.module.sigs.is_empty()
            || !self.module.functions.is_empty()
            || !self.module.facts.is_empty()
            || !self.module.commands.is_empty();
        if has_paragraphs {
            let diagnostic = Diagnostic::error(start, "`open` stands before all other paragraphs")
                .help("Move it to the top of the file, after `module`.");
            self.report.tell(diagnostic);
        }
        let path = self.name("a module")?;
        let mut arguments = Vec::new();
        if self.eat(Sign::OpenBracket) {
            while !self.is(Sign::CloseBracket) {
                arguments.push(self.sig_name()?);
                if !self.eat(Sign::Comma) {
                    break;
                }
            }
            self.expect(Sign::CloseBracket, "after the arguments of a module")?;
        }
        let alias = if self.eat(Keyword::As) {
            Some(self.declared("an opened module")?)
        } else {
            None
        };
        let span = start.to(self.before());
        self.module.opens.push(OpenDecl {
            private,
            path,
            arguments,
            alias,
            span,
        });
        Ok(())
    }

    /// The name of a signature, the built-in ones included.
    pub(super) fn sig_name(&mut self) -> Parse<AlloyIdent> {
        let text = match self.peek() {
            AlloyToken::Keyword(
                word @ (Keyword::Univ | Keyword::SigInt | Keyword::String | Keyword::None),
            ) => word.text(),
            AlloyToken::Keyword(Keyword::Seq)
                if self.ahead(2) == AlloyToken::Keyword(Keyword::SigInt) =>
            {
                self.skip(2);
                "seq/Int"
            }
            _ => return self.name("a signature"),
        };
        let span = self.here();
        self.skip(1);
        let symbol = self.names.intern(text);
        Ok(AlloyIdent { symbol, span })
    }

    fn enumeration(&mut self, private: bool) -> Parse<()> {
        self.skip(1);
        let name = self.declared("an enumeration")?;
        let open = self.here();
        self.expect(Sign::OpenBrace, "before the values of an enumeration")?;
        let mut values = Vec::new();
        while !self.is(Sign::CloseBrace) {
            values.push(self.declared("a value")?);
            if !self.eat(Sign::Comma) {
                break;
            }
        }
        if self.is(AlloyToken::Ident) {
            let failed = self.unexpected("`,` between the values of an enumeration");
            return Err(failed);
        }
        self.expect_close(Sign::CloseBrace, open)?;
        if values.is_empty() {
            let message = "An enumeration has at least one value";
            self.report.tell(Diagnostic::error(name.span, message));
        }
        let sig = |name, parent| SigDecl {
            name,
            private,
            is_abstract: false,
            var: false,
            mult: None,
            is_enum: false,
            parent,
            fields: Vec::new(),
            fact: None,
        };
        self.module.sigs.push(SigDecl {
            is_abstract: true,
            is_enum: true,
            ..sig(name, Parent::None)
        });
        // A value goes by the enumeration of this module, whatever else has its name.
        let of = format!("this/{}", self.names.text(name.symbol));
        let of = self.names.intern(&of);
        for value in values {
            let parent = AlloyIdent {
                symbol: of,
                span: name.span,
            };
            self.module.sigs.push(SigDecl {
                mult: Some(Mult::One),
                ..sig(value, Parent::Extends(parent))
            });
        }
        let path = self.names.intern("util/ordering");
        self.module.opens.push(OpenDecl {
            private: false,
            path: AlloyIdent {
                symbol: path,
                span: name.span,
            },
            arguments: vec![AlloyIdent {
                symbol: of,
                span: name.span,
            }],
            alias: None,
            span: name.span,
        });
        Ok(())
    }

    fn signature(&mut self) -> Parse<()> {
        let (mut private, mut is_abstract, mut var) = (false, false, false);
        let mut mult = None;
        while !self.eat(Keyword::Sig) {
            let AlloyToken::Keyword(word) = self.peek() else {
                return Err(self.unexpected("`sig`"));
            };
            let again = match word {
                Keyword::Private => std::mem::replace(&mut private, true),
                Keyword::Abstract => std::mem::replace(&mut is_abstract, true),
                Keyword::Var => std::mem::replace(&mut var, true),
                Keyword::One => mult.replace(Mult::One).is_some(),
                Keyword::Lone => mult.replace(Mult::Lone).is_some(),
                Keyword::Some => mult.replace(Mult::Some).is_some(),
                _ => return Err(self.unexpected("`sig`")),
            };
            if again {
                let message = format!("A signature has no second qualifier `{}`", word.text());
                return Err(self.wrong(self.here(), message));
            }
            self.skip(1);
        }
        let names = self.separated(Sign::Comma, |p| p.declared("a signature"))?;
        let parent = self.parent()?;
        let open = self.here();
        self.expect(Sign::OpenBrace, "before the fields of a signature")?;
        let fields = self.decls(Sign::CloseBrace, "a field", true)?;
        self.expect_close(Sign::CloseBrace, open)?;
        let fact = if self.is(Sign::OpenBrace) {
            Some(self.block()?.id)
        } else {
            None
        };
        for name in names {
            self.module.sigs.push(SigDecl {
                name,
                private,
                is_abstract,
                var,
                mult,
                is_enum: false,
                parent: parent.clone(),
                fields: fields.clone(),
                fact,
            });
        }
        Ok(())
    }

    fn parent(&mut self) -> Parse<Parent> {
        if self.eat(Keyword::Extends) {
            return Ok(Parent::Extends(self.sig_name()?));
        }
        let exactly = self.is(Sign::Equal);
        if !exactly && !self.is(Keyword::In) {
            return Ok(Parent::None);
        }
        self.skip(1);
        let of = self.separated(Sign::Plus, |p| p.sig_name())?;
        Ok(Parent::In { of, exactly })
    }

    /// Declarations up to a closing sign; commas may be doubled.
    fn decls(&mut self, close: Sign, what: &str, may_define: bool) -> Parse<Vec<Decl>> {
        let mut decls = Vec::new();
        loop {
            while self.eat(Sign::Comma) {}
            if self.is(close) {
                return Ok(decls);
            }
            decls.push(self.decl(what, may_define)?);
            if !self.is(Sign::Comma) {
                return Ok(decls);
            }
        }
    }

    fn function(&mut self, private: bool) -> Parse<()> {
        let is_function = self.is(Keyword::Fun);
        let what = if is_function {
            "a function"
        } else {
            "a predicate"
        };
        self.skip(1);
        let mut params = Vec::new();
        let builtin = !matches!(
            self.peek(),
            AlloyToken::Ident | AlloyToken::Keyword(Keyword::This)
        );
        let mut name = if builtin && self.has_receiver() {
            self.sig_name()?
        } else {
            self.name(what)?
        };
        if self.eat(Sign::Dot) {
            let kind = AlloyExprKind::Name(name.symbol, false);
            let span = name.span;
            let bound = self.module.exprs.push(AlloyExpr { kind, span });
            let symbol = self.names.intern("this");
            params.push(Decl {
                private: false,
                var: false,
                disj: false,
                disj_value: false,
                defined: false,
                names: vec![AlloyIdent { symbol, span }],
                bound,
            });
            name = self.declared(what)?;
        }
        for (open, close) in [
            (Sign::Open, Sign::Close),
            (Sign::OpenBracket, Sign::CloseBracket),
        ] {
            if self.is(open) {
                let at = self.here();
                self.skip(1);
                params.extend(self.decls(close, "a parameter", false)?);
                self.expect_close(close, at)?;
                break;
            }
        }
        let result = if is_function {
            self.expect(Sign::Colon, "before what the function returns")?;
            Some(self.expression()?.id)
        } else {
            None
        };
        let body = self.block()?.id;
        self.module.functions.push(FunctionDecl {
            name,
            private,
            params,
            result,
            body,
        });
        Ok(())
    }

    /// Whether a built-in signature with a dot stands here.
    fn has_receiver(&self) -> bool {
        let dot = AlloyToken::Sign(Sign::Dot);
        self.ahead(1) == dot || self.ahead(3) == dot
    }

    fn macro_definition(&mut self, private: bool) -> Parse<()> {
        self.skip(1);
        let name = self.declared("a macro")?;
        let mut params = Vec::new();
        for (open, close) in [
            (Sign::Open, Sign::Close),
            (Sign::OpenBracket, Sign::CloseBracket),
        ] {
            if self.eat(open) {
                while !self.is(close) {
                    params.push(self.declared("a parameter")?);
                    if !self.eat(Sign::Comma) {
                        break;
                    }
                }
                self.expect(close, "after the parameters of a macro")?;
                break;
            }
        }
        let body = if self.eat(Sign::Equal) {
            self.expression()?.id
        } else {
            self.block()?.id
        };
        self.module.macros.push(Macro {
            name,
            private,
            params,
            body,
        });
        Ok(())
    }
}

/// Whether a token may stand before `sig`.
fn qualifies(kind: AlloyToken) -> bool {
    use Keyword as K;
    matches!(
        kind,
        AlloyToken::Keyword(K::Private | K::Abstract | K::Var | K::One | K::Lone | K::Some)
    )
}
