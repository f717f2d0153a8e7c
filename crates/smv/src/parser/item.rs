//! Parsing of modules and their sections.

use wherefore_base::{Diagnostic, Value, deep};
use wherefore_model::Number;

use wherefore_syntax::{Failed, Parser};

use super::{Parse, ParsedSmv, SmvParser};
use crate::ast::{
    Assign, AssignKind, ConstraintKind, DefineDecl, EnumValue, ModuleItem, SmvExprId, SmvExprKind,
    SmvIdent, SmvModule, Spec, SpecBody, TypeDecl, VarSection,
};
use crate::token::{Keyword, Sign, SmvToken};

impl SmvParser<'_> {
    /// All modules of the file.
    pub(super) fn modules(&mut self) -> Vec<SmvModule> {
        let mut modules = Vec::new();
        while !self.is(SmvToken::End) && !self.given_up() {
            if self.eat(Keyword::Module) {
                match self.module() {
                    Ok(module) => modules.push(module),
                    Err(Failed) => self.skip_to_module(),
                }
            } else {
                self.no_module();
                self.skip_to_module();
            }
        }
        modules
    }

    fn skip_to_module(&mut self) {
        let ends = [SmvToken::End, SmvToken::Keyword(Keyword::Module)];
        while !ends.contains(&self.peek()) {
            self.skip(1);
        }
    }

    /// Says that something stands before the first module.
    fn no_module(&mut self) {
        let macros = [
            "define",
            "include",
            "changequote",
            "divert",
            "dnl",
            "undefine",
            "pushdef",
        ];
        if self.is(SmvToken::Ident) && macros.contains(&self.text()) {
            let message = "This line is for the macro processor m4, which is not run on models";
            let diagnostic = Diagnostic::error(self.here(), message)
                .help("Run m4 first, as in `m4 model.m4.smv > plain.smv`, and check the result.");
            self.report.tell(diagnostic);
            self.cursor.at = self.cursor.tokens.len() - 1;
        } else {
            self.unexpected("`MODULE`");
        }
    }

    fn module(&mut self) -> Parse<SmvModule> {
        let name = self.ident("a module")?;
        let mut params = Vec::new();
        if self.eat(Sign::Open) && !self.eat(Sign::Close) {
            params = self.separated(Sign::Comma, |p| p.ident("a parameter"))?;
            self.expect(Sign::Close, "to close the list of parameters")?;
        }
        let mut items = Vec::new();
        while !self.given_up() {
            match self.peek() {
                SmvToken::End | SmvToken::Keyword(Keyword::Module) => break,
                SmvToken::Sign(Sign::Semicolon) => self.skip(1),
                SmvToken::Keyword(keyword) if keyword.opens_section() => {
                    self.skip(1);
                    self.section(keyword, &mut items);
                }
                _ => {
                    self.unexpected("a section such as `VAR`, `ASSIGN` or `SPEC`");
                    self.recover();
                }
            }
        }
        Ok(SmvModule {
            name,
            params,
            items,
        })
    }

    fn section(&mut self, keyword: Keyword, items: &mut Vec<ModuleItem>) {
        use Keyword as K;
        match keyword {
            K::Var => self.lines(items, |p, items| p.variable(VarSection::State, items)),
            K::Frozenvar => self.lines(items, |p, items| p.variable(VarSection::Frozen, items)),
            K::Ivar => self.lines(items, |p, items| p.variable(VarSection::Input, items)),
            K::Define => self.lines(items, Self::define),
            K::Assign => self.lines(items, Self::assign),
            K::Constants => self.or_recover(items, Self::constants),
            K::InitSection => self.constraint(ConstraintKind::Init, items),
            K::Invar => self.constraint(ConstraintKind::Invar, items),
            K::Trans => self.constraint(ConstraintKind::Trans, items),
            K::Fairness | K::Justice => self.or_recover(items, |p, items| {
                items.push(ModuleItem::Justice(p.expression()?.id));
                p.optional_end()
            }),
            K::Compassion => self.or_recover(items, Self::compassion),
            K::Spec | K::Ctlspec | K::Invarspec => {
                self.or_recover(items, |p, items| p.spec(keyword, items));
            }
            K::Ltlspec => self.or_recover(items, Self::linear_spec),
            K::Pslspec => self.or_recover(items, Self::psl_spec),
            K::Compute => self.or_recover(items, Self::compute_spec),
            K::Isa => self.or_recover(items, |p, items| {
                items.push(ModuleItem::Isa(p.ident("a module")?));
                p.optional_end()
            }),
            _ => {
                let (span, text) = (self.before(), keyword.text());
                self.unsupported(span, &format!("`{text}` sections"));
                self.recover();
            }
        }
    }

    /// Reads something, and goes on after it if it is broken.
    fn or_recover(
        &mut self,
        items: &mut Vec<ModuleItem>,
        read: impl FnOnce(&mut Self, &mut Vec<ModuleItem>) -> Parse<()>,
    ) {
        if read(self, items).is_err() {
            self.recover();
        }
    }

    /// The lines of a section, up to the next section.
    fn lines(
        &mut self,
        items: &mut Vec<ModuleItem>,
        mut read: impl FnMut(&mut Self, &mut Vec<ModuleItem>) -> Parse<()>,
    ) {
        loop {
            match self.peek() {
                SmvToken::End => return,
                SmvToken::Keyword(keyword) if keyword.opens_section() => return,
                SmvToken::Sign(Sign::Semicolon) => self.skip(1),
                _ if self.given_up() => self.recover(),
                _ => self.or_recover(items, &mut read),
            }
        }
    }

    fn variable(&mut self, section: VarSection, items: &mut Vec<ModuleItem>) -> Parse<()> {
        let name = self.ident("a variable")?;
        self.expect(Sign::Colon, "and a type after the name of a variable")?;
        let ty = self.variable_type()?;
        self.expect_end("the declaration of a variable")?;
        items.push(ModuleItem::Var(section, name, ty));
        Ok(())
    }

    fn variable_type(&mut self) -> Parse<TypeDecl> {
        use Keyword as K;
        let here = self.here();
        match self.peek() {
            SmvToken::Keyword(K::Boolean) => {
                self.skip(1);
                Ok(TypeDecl::Bool)
            }
            SmvToken::Keyword(K::Process) => {
                self.skip(1);
                let (module, arguments) = self.instance()?;
                Ok(TypeDecl::Process(module, arguments, here.to(self.before())))
            }
            SmvToken::Keyword(K::Array) => {
                self.skip(1);
                let low = self.bound()?.id;
                self.expect(Sign::Dots, "between the bounds of an array")?;
                let high = self.bound()?.id;
                if !self.eat(K::Of) {
                    return Err(self.unexpected("`of` and the type of the elements"));
                }
                let element = deep(|| self.variable_type())?;
                Ok(TypeDecl::Array(low, high, Box::new(element)))
            }
            SmvToken::Keyword(first @ (K::Word | K::Signed | K::Unsigned)) => {
                self.skip(1);
                if first != K::Word && !self.eat(K::Word) {
                    return Err(self.unexpected("`word`"));
                }
                let open = self.here();
                self.expect(Sign::OpenBracket, "and the number of bits after `word`")?;
                let width = self.bound()?.id;
                self.expect_close(Sign::CloseBracket, open)?;
                Ok(TypeDecl::Word(first == K::Signed, width))
            }
            SmvToken::Keyword(kind @ (K::Integer | K::Real)) => {
                self.skip(1);
                let number = match kind {
                    K::Integer => Number::Integer,
                    _ => Number::Real,
                };
                Ok(TypeDecl::Number(number, here))
            }
            SmvToken::Sign(Sign::OpenBrace) => self.enumeration(),
            SmvToken::Ident if self.names_module() => {
                let (module, arguments) = self.instance()?;
                Ok(TypeDecl::Instance(
                    module,
                    arguments,
                    here.to(self.before()),
                ))
            }
            SmvToken::Ident
            | SmvToken::Number
            | SmvToken::Sign(Sign::Minus | Sign::Plus | Sign::Open) => {
                let low = self.bound()?.id;
                self.expect(Sign::Dots, "between the bounds of a range")?;
                let high = self.bound()?.id;
                Ok(TypeDecl::Range(low, high))
            }
            _ => Err(self.unexpected("a type")),
        }
    }

    /// `module(arguments)`
    fn instance(&mut self) -> Parse<(SmvIdent, Vec<SmvExprId>)> {
        let module = self.ident("a module")?;
        let mut arguments = Vec::new();
        let open = self.here();
        if self.eat(Sign::Open) && !self.eat(Sign::Close) {
            arguments = self.list(Sign::Close, open)?;
        }
        Ok((module, arguments))
    }

    /// Whether the name here is a module, and not the bound of a range.
    fn names_module(&self) -> bool {
        let bound = [
            Sign::Dots,
            Sign::Dot,
            Sign::Plus,
            Sign::Minus,
            Sign::Star,
            Sign::Slash,
        ];
        match self.ahead(1) {
            SmvToken::Sign(sign) => !bound.contains(&sign),
            SmvToken::Keyword(keyword) => keyword != Keyword::Mod,
            _ => true,
        }
    }

    fn enumeration(&mut self) -> Parse<TypeDecl> {
        let start = self.here();
        self.skip(1);
        let values = self.separated(Sign::Comma, Self::enum_value)?;
        self.expect(Sign::CloseBrace, "to close the list of values")?;
        Ok(TypeDecl::Enum(values, start.to(self.before())))
    }

    fn enum_value(&mut self) -> Parse<EnumValue> {
        let start = self.here();
        let negative = self.eat(Sign::Minus);
        let value = match self.peek() {
            SmvToken::Number => {
                let number: Option<i64> = self.advance().parse().ok();
                match number {
                    Some(number) => Value::Int(if negative { -number } else { number }),
                    None => {
                        let message = "This numeral is too large: integers have 64 bits";
                        return Err(self.wrong(self.before(), message));
                    }
                }
            }
            SmvToken::Keyword(keyword @ (Keyword::True | Keyword::False)) if !negative => {
                self.skip(1);
                Value::Bool(keyword == Keyword::True)
            }
            _ if negative => return Err(self.unexpected("a numeral")),
            _ => Value::Symbol(self.ident("a symbolic constant")?.symbol),
        };
        let span = start.to(self.before());
        Ok(EnumValue { value, span })
    }

    fn define(&mut self, items: &mut Vec<ModuleItem>) -> Parse<()> {
        let mut name = self.ident("a define")?;
        let mut owner: Option<ParsedSmv> = None;
        while self.eat(Sign::Dot) {
            let path = match owner {
                None => self.add(SmvExprKind::Name(name.symbol), name.span),
                Some(owner) => self.add(SmvExprKind::Dot(owner.id, name), owner.span.to(name.span)),
            };
            owner = Some(path);
            name = self.ident("a define")?;
        }
        self.expect(Sign::Becomes, "after the name of a define")?;
        let body = self.expression()?.id;
        self.expect_end("a define")?;
        let owner = owner.map(|owner| owner.id);
        items.push(ModuleItem::Define(DefineDecl { owner, name, body }));
        Ok(())
    }

    fn constants(&mut self, items: &mut Vec<ModuleItem>) -> Parse<()> {
        self.separated(Sign::Comma, |p| {
            items.push(ModuleItem::Constant(p.ident("a symbolic constant")?));
            Ok(())
        })?;
        self.expect_end("the list of constants")
    }

    fn assign(&mut self, items: &mut Vec<ModuleItem>) -> Parse<()> {
        let start = self.here();
        let kind = match self.peek() {
            SmvToken::Keyword(Keyword::Init) => AssignKind::Init,
            SmvToken::Keyword(Keyword::Next) => AssignKind::Next,
            _ => AssignKind::Present,
        };
        let target = if kind == AssignKind::Present {
            self.target()?.id
        } else {
            self.skip(1);
            self.expect(Sign::Open, "before the name of the variable")?;
            let target = self.target()?.id;
            self.expect(Sign::Close, "after the name of the variable")?;
            target
        };
        self.expect(Sign::Becomes, "after the target of an assignment")?;
        let value = self.expression()?;
        let assign = Assign {
            kind,
            target,
            value: value.id,
            span: start.to(value.span),
        };
        self.expect_end("an assignment")?;
        items.push(ModuleItem::Assign(assign));
        Ok(())
    }

    fn constraint(&mut self, kind: ConstraintKind, items: &mut Vec<ModuleItem>) {
        self.or_recover(items, |p, items| {
            items.push(ModuleItem::Constraint(kind, p.expression()?.id));
            p.optional_end()
        });
    }

    fn compassion(&mut self, items: &mut Vec<ModuleItem>) -> Parse<()> {
        self.expect(Sign::Open, "after `COMPASSION`")?;
        let first = self.expression()?.id;
        self.expect(Sign::Comma, "between the two conditions")?;
        let second = self.expression()?.id;
        self.expect(Sign::Close, "after the two conditions")?;
        items.push(ModuleItem::Compassion(first, second));
        self.optional_end()
    }

    /// The end of a section that needs no semicolon: nothing but a section may follow.
    pub(super) fn optional_end(&mut self) -> Parse<()> {
        if self.eat(Sign::Semicolon) {
            return Ok(());
        }
        match self.peek() {
            SmvToken::End => Ok(()),
            SmvToken::Keyword(keyword) if keyword.opens_section() => Ok(()),
            _ => Err(self.unexpected("an operator, `;` or the next section")),
        }
    }

    pub(super) fn spec_name(&mut self) -> Parse<Option<crate::ast::SmvIdent>> {
        if !self.eat(Keyword::Name) {
            return Ok(None);
        }
        let name = self.ident("a property")?;
        self.expect(Sign::Becomes, "after the name of a property")?;
        Ok(Some(name))
    }

    fn spec(&mut self, keyword: Keyword, items: &mut Vec<ModuleItem>) -> Parse<()> {
        let name = self.spec_name()?;
        let formula = self.expression()?;
        let body = match keyword {
            Keyword::Invarspec => SpecBody::Invar(formula.id),
            _ => SpecBody::Ctl(formula.id),
        };
        let span = formula.span;
        items.push(ModuleItem::Spec(Spec { name, body, span }));
        self.optional_end()
    }
}
