//! The modules of a model: which files there are, and how often each is opened with which arguments.
//!
//! A file becomes one [`ModuleUse`] for each list of signatures given for its parameters. Arguments may
//! name signatures of other opened modules, so modules are opened as soon as their arguments are known.

mod opening;

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use wherefore_base::{Diagnostic, Effort, FileId, Names, SourceFile, SourceMap, Symbol, nearest};

use crate::ast::{self, AlloyIdent, AlloyModule};
use crate::lexer::Edition;
use crate::library;
use crate::model::{AlloyModel, FunctionId, SigId};
use crate::parser;
use wherefore_syntax::ParseReport;

/// How many modules a model may consist of.
const MOST_INSTANCES: usize = 10_000;

/// The module of integers, which every module opens.
const INTEGERS: &str = "util/integer.als (built in)";

/// A file that is read.
#[derive(Clone, Debug)]
pub(crate) struct ModuleFile {
    pub(crate) module: Arc<AlloyModule>,
    /// What the user knows it by.
    name: String,
    /// Whether it uses names of the meta level.
    meta: bool,
}

/// A module with its arguments.
#[derive(Clone, Default, Debug)]
pub(crate) struct ModuleUse {
    pub(crate) file: usize,
    /// The path of aliases that leads to it; empty for the main module.
    pub(crate) path: String,
    pub(crate) params: Vec<(Symbol, SigId)>,
    pub(crate) sigs: BTreeMap<Symbol, SigId>,
    /// Its signatures in the order of their declarations, with the place of each in the file.
    pub(crate) declared: Vec<(SigId, usize)>,
    pub(crate) functions: BTreeMap<Symbol, Vec<FunctionId>>,
    pub(crate) macros: BTreeMap<Symbol, usize>,
    /// Assertions by name: their place among the assertions of the model, once they are resolved.
    pub(crate) assertions: BTreeMap<Symbol, usize>,
    pub(crate) opens: Vec<OpenedModule>,
}

/// An opened module.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenedModule {
    pub(crate) alias: Symbol,
    pub(crate) instance: usize,
    pub(crate) private: bool,
}

/// The names of a model, for expressions given from outside.
#[derive(Clone, Debug)]
pub struct WorldScope {
    main: FileId,
    files: Vec<ModuleFile>,
    instances: Vec<ModuleUse>,
    sigs: Vec<DeclaredSig>,
}

/// All files and instances.
pub(crate) struct ModuleWorld<'a> {
    /// The file that was asked for.
    pub(crate) main: FileId,
    pub(crate) sources: &'a mut SourceMap,
    find: &'a mut dyn FnMut(&str) -> Option<String>,
    edition: Option<Edition>,
    effort: &'a Effort<'a>,
    pub(crate) names: Names,
    pub(crate) report: ParseReport,
    pub(crate) files: Vec<ModuleFile>,
    by_name: FxHashMap<String, Option<usize>>,
    pub(crate) instances: Vec<ModuleUse>,
    known: FxHashMap<(usize, Vec<SigId>), usize>,
    /// Which signatures there are: the place of each, in order of ids.
    pub(crate) sigs: Vec<DeclaredSig>,
    /// The signatures that modules want exact.
    pub(crate) exact: Vec<SigId>,
    /// See [`AlloyModel::lent`].
    pub(crate) lent: Vec<(String, String)>,
}

/// Where a signature is declared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DeclaredSig {
    pub(crate) instance: usize,
    /// Its place among the signatures of the file; `None` for a parameter of the main module.
    pub(crate) place: Option<usize>,
    pub(crate) name: AlloyIdent,
}

impl<'a> ModuleWorld<'a> {
    /// Reads the main file and everything it opens.
    pub(crate) fn load(
        sources: &'a mut SourceMap,
        file: FileId,
        find: &'a mut dyn FnMut(&str) -> Option<String>,
        edition: Option<Edition>,
        effort: &'a Effort<'a>,
    ) -> Self {
        let mut world = Self {
            main: file,
            sources,
            find,
            edition,
            effort,
            names: Names::default(),
            report: ParseReport::with_warnings_apart(),
            files: Vec::new(),
            by_name: FxHashMap::default(),
            instances: Vec::new(),
            known: FxHashMap::default(),
            sigs: Vec::new(),
            exact: Vec::new(),
            lent: Vec::new(),
        };
        let main = world.read(file);
        world.instantiate(main, Vec::new(), &mut Vec::new());
        world.name_instances();
        world
    }

    /// A world with the names of a model that was read before.
    pub(crate) fn resume(
        scope: &WorldScope,
        names: Names,
        sources: &'a mut SourceMap,
        find: &'a mut dyn FnMut(&str) -> Option<String>,
        effort: &'a Effort<'a>,
    ) -> Self {
        Self {
            main: scope.main,
            sources,
            find,
            edition: None,
            effort,
            names,
            report: ParseReport::with_warnings_apart(),
            files: scope.files.clone(),
            by_name: FxHashMap::default(),
            instances: scope.instances.clone(),
            known: FxHashMap::default(),
            sigs: scope.sigs.clone(),
            exact: Vec::new(),
            lent: Vec::new(),
        }
    }

    /// The names, to go on from later.
    pub(crate) fn scope(&self) -> WorldScope {
        WorldScope {
            main: self.main,
            files: self.files.clone(),
            instances: self.instances.clone(),
            sigs: self.sigs.clone(),
        }
    }

    /// Reads a file as one expression of the main module.
    pub(crate) fn read_expression(&mut self, file: FileId) -> Option<ast::AlloyExprId> {
        let main = self.instances.first()?.file;
        let module = (*self.files[main].module).clone();
        let read = parser::expression(self.sources, file, &mut self.names, module, self.effort);
        let (module, root, report) = read;
        for diagnostic in report.finish() {
            self.report.tell(diagnostic);
        }
        self.files[main].module = Arc::new(module);
        root.filter(|_| !self.report.failed())
    }

    /// Whether the file of an instance uses names of the meta level, as `sig$`.
    pub(crate) fn uses_meta_names(&self, instance: usize) -> bool {
        self.files[self.instances[instance].file].meta
    }

    pub(crate) fn module(&self, instance: usize) -> Arc<AlloyModule> {
        Arc::clone(&self.files[self.instances[instance].file].module)
    }

    /// The instances whose names can be used in one: itself, what it opens, and what these open for others.
    pub(crate) fn nameable(&self, from: usize) -> Vec<usize> {
        let mut seen = vec![from];
        let mut at = 0;
        while let Some(&instance) = seen.get(at) {
            for opened in &self.instances[instance].opens {
                let visible = instance == from || !opened.private;
                if visible && !seen.contains(&opened.instance) {
                    seen.push(opened.instance);
                }
            }
            at += 1;
        }
        seen
    }

    /// The instances that a name is looked up in, and the last part of the name. A name with a path that
    /// is not declared at its end may be declared in what is opened there.
    pub(crate) fn places(&self, from: usize, name: Symbol) -> (Vec<usize>, String) {
        let text = self.names.text(name);
        let Some((path, last)) = text.rsplit_once('/') else {
            return (self.nameable(from), text.to_owned());
        };
        let mut at = from;
        for (level, alias) in path.split('/').enumerate() {
            if level == 0 && alias == "this" {
                continue;
            }
            let opens = &self.instances[at].opens;
            let opened = opens
                .iter()
                .find(|open| self.names.text(open.alias) == alias && (at == from || !open.private));
            match opened {
                Some(opened) => at = opened.instance,
                None => return (Vec::new(), last.to_owned()),
            }
        }
        let mut places = self.nameable(at);
        if let Some(symbol) = self.names.find(last) {
            let here = &self.instances[at];
            let declared = here.sigs.contains_key(&symbol)
                || here.functions.contains_key(&symbol)
                || here.macros.contains_key(&symbol)
                || here.assertions.contains_key(&symbol)
                || here.params.iter().any(|(param, _)| *param == symbol);
            if declared {
                places.truncate(1);
            }
        }
        (places, last.to_owned())
    }

    /// The signatures with a name, as seen from an instance.
    pub(crate) fn find_sigs(&self, from: usize, name: Symbol) -> Vec<SigId> {
        let built_in = match self.names.text(name) {
            "univ" => Some(AlloyModel::UNIV),
            "Int" => Some(AlloyModel::INT),
            "seq/Int" => Some(AlloyModel::SEQ_INT),
            "String" => Some(AlloyModel::STRING),
            "none" => Some(AlloyModel::NONE),
            _ => None,
        };
        if let Some(index) = built_in {
            return vec![SigId::new(index)];
        }
        let (places, last) = self.places(from, name);
        let Some(last) = self.names.find(&last) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for place in places {
            let instance = &self.instances[place];
            let own = instance.sigs.get(&last).copied();
            let own = own.filter(|&sig| place == from || !self.is_private(sig));
            let param = instance.params.iter().find(|(param, _)| *param == last);
            let param = param.filter(|_| place == from).map(|(_, sig)| *sig);
            for sig in own.into_iter().chain(param) {
                if !found.contains(&sig) {
                    found.push(sig);
                }
            }
        }
        found
    }

    fn is_private(&self, sig: SigId) -> bool {
        let declared = self.sigs[sig.index() - AlloyModel::BUILT_IN];
        let module = &self.files[self.instances[declared.instance].file].module;
        declared
            .place
            .is_some_and(|place| module.sigs[place].private)
    }

    fn read(&mut self, file: FileId) -> usize {
        let read = parser::module(
            self.sources,
            file,
            &mut self.names,
            self.edition,
            self.effort,
        );
        for diagnostic in read.report.finish() {
            self.report.tell(diagnostic);
        }
        let meta = read.module.exprs.iter().any(|expr| match expr.kind {
            ast::AlloyExprKind::Name(name, _) => self.names.text(name).contains('$'),
            _ => false,
        });
        self.files.push(ModuleFile {
            module: Arc::new(read.module),
            meta,
            name: self.sources.file(file).name().to_owned(),
        });
        self.files.len() - 1
    }

    /// The file of a module that is opened in another file.
    fn find(&mut self, from: usize, open: &ast::OpenDecl) -> Option<usize> {
        let path = self.names.text(open.path.symbol).to_owned();
        let own = self.files[from].module.name;
        let own = own.map_or("", |name| self.names.text(name.symbol));
        let candidate = beside(&self.files[from].name, own, &path);
        if let Some(&known) = self.by_name.get(&candidate) {
            if known.is_some() {
                return known;
            }
        } else {
            let text = (self.find)(&candidate);
            let found = text.map(|text| self.sources.add(SourceFile::new(&candidate, text)));
            let found = found.map(|file| self.read(file));
            self.by_name.insert(candidate.clone(), found);
            if found.is_some() {
                return found;
            }
        }
        let built_in = format!("{path}.als (built in)");
        if !path.starts_with("util/") {
            let lent = (candidate.clone(), built_in.clone());
            if !self.lent.contains(&lent) {
                self.lent.push(lent);
            }
        }
        if let Some(&known) = self.by_name.get(&built_in) {
            return known;
        }
        let Some(text) = library::text(&path) else {
            let message = format!("The module `{path}` is not found");
            let mut diagnostic = Diagnostic::error(open.path.span, message)
                .because(format!("there is no `{candidate}`"));
            if let Some(near) = nearest(&path, library::PATHS.iter().copied(), 2) {
                diagnostic = diagnostic.help(format!("Is `{near}` meant, which is built in?"));
            } else {
                diagnostic = diagnostic.help(
                    "Modules are looked up from the folder of this file, without the folders of its own `module` name.",
                );
            }
            self.report.tell(diagnostic);
            return None;
        };
        let file = self.sources.add(SourceFile::new(&built_in, text));
        let found = self.read(file);
        self.by_name.insert(built_in, Some(found));
        Some(found)
    }

    fn instantiate(
        &mut self,
        file: usize,
        arguments: Vec<SigId>,
        opening: &mut Vec<usize>,
    ) -> usize {
        if let Some(&known) = self.known.get(&(file, arguments.clone())) {
            return known;
        }
        let number = self.instances.len();
        self.known.insert((file, arguments.clone()), number);
        let module = Arc::clone(&self.files[file].module);
        self.instances.push(ModuleUse {
            file,
            ..ModuleUse::default()
        });
        for (param, argument) in module.params.iter().zip(&arguments) {
            self.instances[number]
                .params
                .push((param.name.symbol, *argument));
            if param.exactly {
                self.exact.push(*argument);
            }
        }
        if arguments.is_empty() {
            // The parameters of the main module are signatures of their own.
            for param in &module.params {
                let sig = self.declare(number, param.name, None);
                if param.exactly {
                    self.exact.push(sig);
                }
            }
        }
        for (place, sig) in module.sigs.iter().enumerate() {
            self.declare(number, sig.name, Some(place));
        }
        opening.push(file);
        self.open_all(number, &module, opening);
        opening.pop();
        number
    }

    fn declare(&mut self, instance: usize, name: AlloyIdent, place: Option<usize>) -> SigId {
        let sig = SigId::new(AlloyModel::BUILT_IN + self.sigs.len());
        self.sigs.push(DeclaredSig {
            instance,
            place,
            name,
        });
        if let Some(place) = place {
            self.instances[instance].declared.push((sig, place));
        }
        if let Some(&before) = self.instances[instance].sigs.get(&name.symbol) {
            let text = self.names.text(name.symbol);
            let before = self.sigs[before.index() - AlloyModel::BUILT_IN].name.span;
            let message = format!("The signature `{text}` is declared twice");
            let diagnostic =
                Diagnostic::error(name.span, message).see(before, "declared here first");
            self.report.tell(diagnostic);
        } else {
            self.instances[instance].sigs.insert(name.symbol, sig);
        }
        sig
    }
}

/// "1 signature", "2 signatures" or "no signature".
pub(crate) fn count(number: usize, what: &str) -> String {
    match number {
        0 => format!("no {what}"),
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}

/// The file of a module, seen from a file whose own module has a name: folders that both names begin
/// with are shared, and the other folders of the own name lead up.
fn beside(file: &str, own: &str, path: &str) -> String {
    let (mut own, mut path): (Vec<&str>, Vec<&str>) =
        (own.split('/').collect(), path.split('/').collect());
    while own.len() > 1 && path.len() > 1 && own[0] == path[0] {
        own.remove(0);
        path.remove(0);
    }
    let mut folders: Vec<&str> = file.split('/').collect();
    folders.pop();
    for _ in 1..own.len() {
        folders.pop();
    }
    folders.extend(path);
    format!("{}.als", folders.join("/"))
}

#[cfg(test)]
mod tests {
    use super::beside;

    #[test]
    fn modules_are_found_from_the_root_of_the_opening_file() {
        let found = beside("m/shop/cart.als", "shop/cart", "util/pairs");
        assert_eq!(found, "m/util/pairs.als");
        let found = beside("m/shop/cart.als", "shop/cart", "shop/item");
        assert_eq!(found, "m/shop/item.als");
        assert_eq!(beside("cart.als", "", "item"), "item.als");
        assert_eq!(beside("/a/cart.als", "cart", "x/item"), "/a/x/item.als");
    }
}
