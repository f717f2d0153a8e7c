//! An instance as the document that the visualizer of Alloy 6 and Sterling read.
//!
//! One `<instance>` for each state, with all signatures, fields and witnesses in it, and the texts of the
//! model after them. An atom stands in the smallest signature that extends others; a type is made of
//! signatures that are no subsets. Numbers are not listed: their width says which there are.

use std::fmt::Write;

use wherefore_alloy::defined::Defined;
use wherefore_alloy::model::{AlloyModel, AlloyPlace, FieldId, Mult, SigId};
use wherefore_alloy::scene::{Moment, SceneWitness};
use wherefore_base::{SourceMap, deep};
use wherefore_relational::UniverseAtomId;

use super::opened::FUNCTION;
use super::{BUILT_IN, ShownInstance};

/// Where an instance comes from.
#[derive(Clone, Copy, Debug)]
pub struct XmlOrigin<'a> {
    /// The command, as a line of text.
    pub command: &'a str,
    /// The name of the main file.
    pub file: &'a str,
    /// The names and texts of the files of the model; those of the modules that Alloy knows are not needed.
    pub sources: &'a [(&'a str, &'a str)],
    /// The values of functions, to be seen beside the fields.
    pub functions: &'a [Defined],
}

/// The instance as a document, with the texts of its model and the values of its functions. Readers know files by
/// names that say where they are from anywhere: `named` makes such a name of that of a file.
pub fn with_sources(
    instance: &ShownInstance<'_>,
    sources: &SourceMap,
    file: &str,
    named: &dyn Fn(&str) -> String,
) -> String {
    let files = sources.files().iter();
    let own = files
        .clone()
        .filter(|file| !file.name().ends_with(BUILT_IN))
        .map(|file| (named(file.name()), file.text()));
    // Alloy looks for all modules but its own beside the one that opens them.
    let lent = instance.model.lent.iter().filter_map(|(place, name)| {
        let text = files.clone().find(|file| file.name() == name)?.text();
        Some((named(place), text))
    });
    let texts: Vec<(String, &str)> = own.chain(lent).collect();
    let texts: Vec<(&str, &str)> = texts
        .iter()
        .map(|(name, text)| (&name[..], *text))
        .collect();
    let command = sources.text_on_one_line(instance.command.span, "--");
    let command = if command.is_empty() {
        "run {}"
    } else {
        &command
    };
    let origin = XmlOrigin {
        command,
        file: &named(file),
        sources: &texts,
        functions: &instance.scene.defined(instance.model),
    };
    render(instance, &origin)
}

/// The instance as a document.
pub fn render(instance: &ShownInstance<'_>, origin: &XmlOrigin<'_>) -> String {
    let mut writer = Writer {
        instance,
        out: String::new(),
    };
    let attributes = head(instance, origin);
    let _ = writeln!(writer.out, "<alloy builddate=\"{BUILT}\"{attributes}>\n");
    for (state, moment) in instance.scene.moments.iter().enumerate() {
        let _ = writeln!(writer.out, "<instance{attributes}>");
        writer.state(moment);
        for (number, function) in origin.functions.iter().enumerate() {
            writer.function(number, function, state);
        }
        writer.out.push_str("\n</instance>\n");
    }
    for (name, text) in origin.sources {
        let (name, text) = (escaped(name), escaped(text));
        let _ = writeln!(
            writer.out,
            "\n<source filename=\"{name}\" content=\"{text}\"/>"
        );
    }
    writer.out.push_str("\n</alloy>\n");
    writer.out
}

/// Readers want a date here, and the same instance should give the same document.
const BUILT: &str = "1970-01-01T00:00:00.000Z";

/// The attributes that the document and every state have.
fn head(instance: &ShownInstance<'_>, origin: &XmlOrigin<'_>) -> String {
    let scene = instance.scene;
    let (least, most) = scene.steps.unwrap_or((-1, Some(-1)));
    format!(
        " bitwidth=\"{}\" maxseq=\"{}\" mintrace=\"{least}\" maxtrace=\"{}\" command=\"{}\" \
         filename=\"{}\" tracelength=\"{}\" backloop=\"{}\"",
        scene.bits,
        scene.sequence,
        most.unwrap_or(i32::MAX),
        escaped(origin.command),
        escaped(origin.file),
        scene.moments.len(),
        scene.back.unwrap_or(0)
    )
}

struct Writer<'a> {
    instance: &'a ShownInstance<'a>,
    out: String,
}

impl Writer<'_> {
    fn state(&mut self, moment: &Moment) {
        let model = self.instance.model;
        let univ = SigId::new(AlloyModel::UNIV);
        for sig in [AlloyModel::SEQ_INT, AlloyModel::INT, AlloyModel::STRING] {
            self.signature(moment, SigId::new(sig));
        }
        for (id, sig) in model.declared() {
            if sig.is_top_level() {
                self.family(moment, id);
            }
        }
        self.signature(moment, univ);
        for (id, _) in model.declared() {
            if self.instance.is_subset(id) {
                self.signature(moment, id);
            }
        }
        for (number, witness) in self.instance.scene.witnesses.iter().enumerate() {
            self.witness(number, witness);
        }
    }

    /// A signature after those that extend it.
    fn family(&mut self, moment: &Moment, sig: SigId) {
        deep(|| {
            for &child in &self.instance.model.sigs[sig].children {
                self.family(moment, child);
            }
            self.signature(moment, sig);
        });
    }

    fn signature(&mut self, moment: &Moment, id: SigId) {
        let sig = &self.instance.model.sigs[id];
        let built_in = id.index() < AlloyModel::BUILT_IN;
        let path = if built_in || sig.label.contains('/') {
            ""
        } else {
            "this/"
        };
        let label = format!("{path}{}", escaped(&sig.label));
        let _ = write!(self.out, "\n<sig label=\"{label}\" ID=\"{}\"", number(id));
        if let Some(parent) = sig.extends() {
            let _ = write!(self.out, " parentID=\"{}\"", number(parent));
        }
        let exactly = matches!(sig.place, AlloyPlace::In { exactly: true, .. });
        self.marks(&[
            (built_in, "builtin"),
            (sig.is_abstract || sig.is_enum, "abstract"),
            (sig.mult == Some(Mult::One), "one"),
            (sig.mult == Some(Mult::Lone), "lone"),
            (sig.mult == Some(Mult::Some), "some"),
            (sig.private, "private"),
            (exactly, "exact"),
            (sig.is_enum, "enum"),
            (sig.var, "var"),
        ]);
        self.out.push_str(">\n");
        if !built_in || id.index() == AlloyModel::STRING {
            for atom in self.instance.own_atoms(moment, id) {
                let name = escaped(self.instance.scene.name(atom));
                let _ = writeln!(self.out, "   <atom label=\"{name}\"/>");
            }
        }
        if let AlloyPlace::In { of, .. } = &sig.place {
            for parent in of {
                let _ = writeln!(self.out, "   <type ID=\"{}\"/>", number(*parent));
            }
        }
        self.out.push_str("</sig>\n");
        for decl in &sig.decls {
            for &field in &decl.fields {
                self.field(moment, field);
            }
        }
    }

    fn field(&mut self, moment: &Moment, id: FieldId) {
        let model = self.instance.model;
        let field = &model.fields[id];
        let ty = &field.ty;
        let types = ty
            .arity()
            .map_or(Vec::new(), |arity| ty.real_products(arity));
        if types.is_empty() {
            return;
        }
        let number = model.sigs.len() + id.index();
        let name = escaped(model.names.text(field.name));
        let _ = write!(
            self.out,
            "\n<field label=\"{name}\" ID=\"{number}\" parentID=\"{}\"",
            self::number(field.sig)
        );
        self.marks(&[(field.private, "private"), (field.var, "var")]);
        self.out.push_str(">\n");
        self.rows(&moment.fields[id]);
        self.types(&types);
        self.out.push_str("</field>\n");
    }

    fn witness(&mut self, number: usize, witness: &SceneWitness) {
        let model = self.instance.model;
        let number = model.sigs.len() + model.fields.len() + number;
        let columns = [self.instance.scene.columns(model, witness)];
        let types = match witness.types.is_empty() {
            true => &columns[..],
            false => &witness.types,
        };
        self.value(&witness.name, &number.to_string(), &witness.rows, types);
    }

    /// The value of a function in a state; it is among the witnesses, as Alloy has it.
    fn function(&mut self, number: usize, function: &Defined, state: usize) {
        let name = format!("$this/{}", function.name);
        let number = format!("{FUNCTION}{number}");
        self.value(&name, &number, &function.states[state], &function.types);
    }

    fn value(
        &mut self,
        name: &str,
        number: &str,
        rows: &[Vec<UniverseAtomId>],
        types: &[Vec<SigId>],
    ) {
        let name = escaped(name);
        let _ = writeln!(self.out, "\n<skolem label=\"{name}\" ID=\"{number}\">");
        self.rows(rows);
        self.types(types);
        self.out.push_str("</skolem>\n");
    }

    fn marks(&mut self, marks: &[(bool, &str)]) {
        for (_, mark) in marks.iter().filter(|(given, _)| *given) {
            let _ = write!(self.out, " {mark}=\"yes\"");
        }
    }

    fn rows(&mut self, rows: &[Vec<UniverseAtomId>]) {
        for row in rows {
            self.out.push_str("   <tuple>");
            for &atom in row {
                let name = escaped(self.instance.scene.name(atom));
                let _ = write!(self.out, " <atom label=\"{name}\"/>");
            }
            self.out.push_str(" </tuple>\n");
        }
    }

    fn types(&mut self, types: &[Vec<SigId>]) {
        for columns in types {
            self.out.push_str("   <types>");
            for column in columns {
                let _ = write!(self.out, " <type ID=\"{}\"/>", number(*column));
            }
            self.out.push_str(" </types>\n");
        }
    }
}

/// The number of a signature, as Alloy gives them: `seq/Int` is 0, and `univ` is not, which readers take for no parent.
fn number(sig: SigId) -> usize {
    match sig.index() {
        AlloyModel::UNIV => AlloyModel::SEQ_INT,
        AlloyModel::SEQ_INT => AlloyModel::UNIV,
        other => other,
    }
}

/// A text within quotes of a document. Letters beyond ASCII are written as numbers; what no document may
/// have is replaced.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            ' '..='~' => escaped.push(c),
            '\t' | '\n' | '\r' | '\u{80}'..='\u{fffd}' | '\u{10000}'.. => {
                let _ = write!(escaped, "&#x{:04x};", u32::from(c));
            }
            _ => escaped.push_str("&#xfffd;"),
        }
    }
    escaped
}
