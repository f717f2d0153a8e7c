//! What to say about a name without a meaning.

use wherefore_base::{Diagnostic, Span, Symbol, nearest};

use super::draft::DraftId;
use super::{ResolveContext, Resolver};
use crate::library;
use crate::token::Keyword;

impl Resolver<'_, '_> {
    /// A draft for a name that means nothing here, with advice.
    pub(super) fn unknown(
        &mut self,
        context: &ResolveContext,
        name: Symbol,
        span: Span,
    ) -> DraftId {
        if self.failed.contains(&name) {
            return self.already_told(span);
        }
        let text = self.text(name).to_owned();
        if let Some(diagnostic) = self.unknown_meta(&text, span) {
            return self.bad(diagnostic);
        }
        let message = format!("The name `{text}` is not known here");
        let mut diagnostic = Diagnostic::error(span, message);
        if let Some(assertion) = self.assertion_called(context, name) {
            diagnostic = diagnostic
                .see(assertion, "it is an assertion")
                .help("An assertion is only checked. What is used in formulas is a predicate.");
        } else if let Some(advice) = self.advice(context, &text) {
            diagnostic = diagnostic.help(advice);
        }
        self.bad(diagnostic)
    }

    fn assertion_called(&self, context: &ResolveContext, name: Symbol) -> Option<Span> {
        let module = self.world.module(context.instance);
        let mut names = module.assertions.iter().filter_map(|(name, _)| *name);
        names.find(|other| other.symbol == name).map(|n| n.span)
    }

    fn advice(&mut self, context: &ResolveContext, text: &str) -> Option<String> {
        let written = match text {
            "true" => "A formula that always holds is written `{}` or `no none`.",
            "false" => "A formula that never holds is written `some none`.",
            "exh" | "exhaustive" => "Say that a union equals the whole set instead.",
            "xor" => "Exclusive or is written `not (a iff b)`.",
            "id" => "The identity relation is written `iden`.",
            "if" | "then" => "A choice is written `condition => a else b`.",
            "forall" | "exists" => "The quantifiers are `all`, `some`, `no`, `lone` and `one`.",
            _ => "",
        };
        if !written.is_empty() {
            return Some(written.to_owned());
        }
        if Keyword::reserved(text, true).is_some() {
            return Some(format!(
                "`{text}` is a word of Alloy 6. This file is read in the way of the versions before it, \
                 in which a prime is part of a name, since it cannot be read otherwise."
            ));
        }
        if let Some((path, last)) = text.rsplit_once('/') {
            return self.advice_for_path(context, path, last);
        }
        if let Some(near) = self.near(context, text) {
            return Some(format!("Is `{near}` meant?"));
        }
        let module = library::declaring(text)?;
        Some(format!(
            "`{text}` is declared in `{module}`, which is not opened."
        ))
    }

    /// A name with the path of a module: is the path wrong, or the name?
    fn advice_for_path(&self, context: &ResolveContext, path: &str, last: &str) -> Option<String> {
        let mut at = context.instance;
        for alias in path.split('/').filter(|alias| *alias != "this") {
            let opens = &self.world.instances[at].opens;
            let found = opens.iter().find(|open| self.text(open.alias) == alias);
            let Some(found) = found else {
                let aliases = opens.iter().map(|open| self.text(open.alias));
                let none = format!("No module is opened as `{alias}`");
                return Some(match nearest(alias, aliases, 2) {
                    Some(near) => format!("{none}. Is `{near}` meant?"),
                    None => format!("{none} here."),
                });
            };
            at = found.instance;
        }
        let instance = &self.world.instances[at];
        let names = instance.sigs.keys().chain(instance.functions.keys());
        let names = names.chain(instance.macros.keys()).map(|&n| self.text(n));
        let near = nearest(last, names, (last.len() / 3).clamp(1, 3))?;
        if near == last {
            return Some(format!("`{last}` is private to its module."));
        }
        Some(format!("Is `{path}/{near}` meant?"))
    }

    fn near(&mut self, context: &ResolveContext, text: &str) -> Option<String> {
        let places = self.nameable(context.instance);
        let mut symbols: Vec<Symbol> = context
            .local
            .iter()
            .filter(|(_, meanings)| !meanings.is_empty())
            .map(|(&name, _)| name)
            .collect();
        symbols.sort_unstable();
        symbols.extend(self.model.fields.iter().map(|field| field.name));
        for place in places {
            let instance = &self.world.instances[place];
            symbols.extend(instance.sigs.keys());
            symbols.extend(instance.functions.keys());
            symbols.extend(instance.macros.keys());
        }
        let texts = symbols.into_iter().map(|symbol| self.text(symbol));
        let texts = texts.filter(|other| *other != text);
        nearest(text, texts, (text.len() / 3).clamp(1, 3)).map(str::to_owned)
    }
}
