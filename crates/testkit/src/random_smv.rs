//! Random SMV programs, as text.
//!
//! The programs are right (well typed, every `case` exhaustive, every assigned value within its range)
//! and small, and use what the language offers: modules with parameters, names with odd characters,
//! defines, sets, unions, `case`, `?:`, arithmetic, arrays, `next` in constraints, inputs, frozen
//! variables, processes, fairness, properties in modules.

mod expressions;

use crate::Rng;

/// The text of a random program.
pub fn random(rng: &mut Rng) -> String {
    let mut writer = RandomWriter {
        rng,
        text: String::new(),
        budget: 48,
    };
    writer.program();
    writer.text
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum SmvType {
    Bool,
    Range(i64, i64),
    Enum(Vec<&'static str>),
    /// Whether it has a sign, and how many bits.
    Word(bool, u32),
}

impl SmvType {
    fn size(&self) -> i64 {
        match self {
            SmvType::Bool => 2,
            SmvType::Range(low, high) => high - low + 1,
            SmvType::Enum(values) => values.len() as i64,
            SmvType::Word(_, width) => 1 << width,
        }
    }

    fn text(&self) -> String {
        match self {
            SmvType::Bool => "boolean".to_string(),
            SmvType::Range(low, high) => format!("{low}..{high}"),
            SmvType::Enum(values) => format!("{{{}}}", values.join(", ")),
            SmvType::Word(true, width) => format!("signed word[{width}]"),
            SmvType::Word(false, width) => format!("unsigned word[{width}]"),
        }
    }
}

/// Something that can be read by name.
#[derive(Clone, Debug)]
struct ReadableName {
    name: String,
    kind: SmvType,
    /// An input has no next value.
    input: bool,
}

/// What an expression may read: names, and the first few of them under `next` too.
#[derive(Clone, Default)]
struct ExprScope {
    known: Vec<ReadableName>,
    next: Vec<ReadableName>,
}

/// A truth value with a name.
fn flag(name: &str) -> ReadableName {
    ReadableName {
        name: name.to_string(),
        kind: SmvType::Bool,
        input: false,
    }
}

/// The types of the parameters of the module `part`.
const PARAMETERS: [(&str, SmvType); 2] =
    [("flag", SmvType::Bool), ("number", SmvType::Range(0, 3))];

/// Names as people write them, with the characters that other languages do not allow.
const NAMES: [&str; 6] = ["x", "door-open", "y#2", "lift$", "b_1", "old-x"];

struct RandomWriter<'r> {
    rng: &'r mut Rng,
    text: String,
    /// How many states the program may still be multiplied by.
    budget: i64,
}

impl RandomWriter<'_> {
    fn program(&mut self) {
        let processes = match self.rng.below(3) {
            0 => 1 + self.rng.below(2),
            _ => 0,
        };
        let parts = match processes {
            0 => self.rng.below(3),
            _ => self.rng.below(2),
        };
        if processes > 0 {
            self.budget = 6;
        }
        let part_reads_next = self.rng.chance(1, 2);
        self.line("MODULE main");
        let count = 1 + self.rng.below(3);
        let mut scope = ExprScope::default();
        let mut assignable = Vec::new();
        for name in NAMES.iter().take(count) {
            let section = *self.rng.pick(&["VAR", "VAR", "VAR", "VAR", "FROZENVAR"]);
            let known = self.declare(section, name);
            if section == "VAR" {
                assignable.push(known.clone());
            }
            scope.known.push(known);
        }
        let cells = self.array();
        scope.known.extend(cells.iter().cloned());
        assignable.extend(cells.iter().cloned());
        let inputs = self.rng.below(2);
        let state_only = scope.clone();
        for _ in 0..inputs {
            self.line("IVAR go : boolean;");
            scope.known.push(ReadableName {
                name: "go".to_string(),
                kind: SmvType::Bool,
                input: true,
            });
        }
        let mut of_state = state_only.clone();
        of_state.known.extend(self.indexed(&state_only, &cells));
        if processes > 0 {
            self.line("VAR shared : boolean;");
            of_state.known.push(flag("shared"));
        }
        for at in 0..processes {
            self.line(&format!("VAR proc{at} : process worker(shared, self);"));
            of_state.known.push(flag(&format!("proc{at}.busy")));
        }
        for at in 0..parts {
            let flag = self.condition(&state_only, 1);
            let number = self.value(&SmvType::Range(0, 3), &state_only, 1, false);
            self.line(&format!("VAR part{at} : part({flag}, {number});"));
            let inner = |name: &str, kind| ReadableName {
                name: format!("part{at}.{name}"),
                kind,
                input: false,
            };
            of_state.known.push(inner("on", SmvType::Bool));
            of_state.known.push(inner("far", SmvType::Bool));
        }
        if self.rng.chance(1, 2) {
            let body = self.condition(&of_state, 2);
            self.line(&format!("DEFINE busy := {body};"));
            of_state.known.push(ReadableName {
                name: "busy".to_string(),
                kind: SmvType::Bool,
                input: false,
            });
        }
        let mut step = of_state.clone();
        step.known
            .extend(scope.known.iter().filter(|known| known.input).cloned());
        self.assignments(&assignable, &state_only, &step);
        step.next = of_state.known.clone();
        self.constraints(&of_state, &step);
        self.fairness(&of_state);
        for _ in 0..3 {
            self.spec(&of_state);
        }
        if parts > 0 {
            self.part(part_reads_next);
        }
        if processes > 0 {
            self.worker();
        }
    }

    /// An array of two elements, as their names.
    fn array(&mut self) -> Vec<ReadableName> {
        if self.budget < 4 || self.rng.chance(2, 3) {
            return Vec::new();
        }
        self.budget /= 4;
        let (kind, low) = match self.rng.below(3) {
            0 => (SmvType::Range(0, 1), 0),
            1 => (SmvType::Enum(vec!["red", "green"]), 1),
            _ => (SmvType::Bool, -1),
        };
        let high = low + 1;
        self.line(&format!(
            "VAR cell : array {low}..{high} of {};",
            kind.text()
        ));
        let cells = (low..=high).map(|index| ReadableName {
            name: format!("cell[{index}]"),
            kind: kind.clone(),
            input: false,
        });
        cells.collect()
    }

    /// The array with an index that is no constant.
    fn indexed(&mut self, scope: &ExprScope, cells: &[ReadableName]) -> Option<ReadableName> {
        let first = cells.first()?;
        let low = first.name.trim_start_matches("cell[").trim_end_matches(']');
        let index = self.condition(scope, 1);
        Some(ReadableName {
            name: format!("cell[toint({index}) + ({low})]"),
            ..first.clone()
        })
    }

    /// A process, which changes a variable that it shares with others.
    fn worker(&mut self) {
        self.line("MODULE idle");
        self.line("DEFINE never := FALSE;");
        self.line("MODULE worker(target, parent)");
        self.line("ISA idle");
        self.line("VAR busy : boolean;");
        let mut scope = ExprScope::default();
        for name in ["target", "parent.shared", "busy", "self.busy", "never"] {
            scope.known.push(flag(name));
        }
        let mut step = scope.clone();
        step.known.push(ReadableName {
            input: true,
            ..flag("running")
        });
        if self.rng.chance(3, 4) {
            self.line("ASSIGN init(busy) := FALSE;");
        }
        let target = self.value(&SmvType::Bool, &step, 2, true);
        self.line(&format!("ASSIGN next(target) := {target};"));
        if self.rng.chance(3, 4) {
            let busy = self.value(&SmvType::Bool, &step, 2, true);
            self.line(&format!("ASSIGN next(busy) := {busy};"));
        }
        if self.rng.chance(1, 4) {
            step.next = vec![flag("target"), flag("busy")];
            let condition = self.weak_condition(&step);
            self.line(&format!("TRANS running -> {condition}"));
        }
        match self.rng.below(4) {
            0 => {}
            1 => self.line("FAIRNESS running & (busy | target)"),
            2 => self.line("COMPASSION (busy, running)"),
            _ => self.line("FAIRNESS running"),
        }
        self.spec(&scope);
    }

    fn part(&mut self, reads_next: bool) {
        self.line("MODULE part(flag, number)");
        self.line("VAR on : boolean;");
        let mut scope = ExprScope::default();
        for (name, kind) in PARAMETERS {
            scope.known.push(ReadableName {
                name: name.to_string(),
                kind,
                input: false,
            });
        }
        let on = ReadableName {
            name: "on".to_string(),
            kind: SmvType::Bool,
            input: false,
        };
        let params = scope.clone();
        scope.known.push(on.clone());
        let far = self.condition(&scope, 1);
        self.line(&format!("DEFINE far := {far};"));
        // Parameters of the other instance may read this one only through main's variables.
        self.assignments(&[on], &params, &scope);
        if reads_next {
            let mut step = scope.clone();
            step.next = scope.known.clone();
            let condition = self.weak_condition(&step);
            self.line(&format!("TRANS {condition}"));
        }
        self.spec(&scope);
    }

    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        if self.rng.chance(1, 6) {
            self.text.push_str(" -- a remark; VAR esac");
        }
        self.text.push('\n');
    }

    fn declare(&mut self, section: &str, name: &str) -> ReadableName {
        let kind = loop {
            let kind = self.kind();
            if kind.size() <= self.budget {
                break kind;
            }
        };
        self.budget /= kind.size();
        self.line(&format!("{section} {name} : {};", kind.text()));
        ReadableName {
            name: name.to_string(),
            kind,
            input: false,
        }
    }

    fn kind(&mut self) -> SmvType {
        match self.rng.below(5) {
            4 => SmvType::Word(self.rng.chance(1, 2), 1 + self.rng.below(3) as u32),
            0 => SmvType::Range(0, self.rng.between(0, 3)),
            1 => {
                let low = self.rng.between(-2, 1);
                SmvType::Range(low, low + self.rng.between(1, 3))
            }
            2 => SmvType::Enum(match self.rng.below(3) {
                0 => vec!["idle", "busy-1", "done"],
                1 => vec!["red", "4", "green"],
                _ => vec!["red", "green"],
            }),
            _ => SmvType::Bool,
        }
    }

    /// Assigns variables in order; each may read those before it, under `next` too.
    fn assignments(&mut self, variables: &[ReadableName], initial: &ExprScope, step: &ExprScope) {
        let mut init = ExprScope::default();
        let mut step = step.clone();
        for known in initial
            .known
            .iter()
            .filter(|k| !variables.iter().any(|v| v.name == k.name))
        {
            init.known.push(known.clone());
        }
        for variable in variables {
            let ReadableName { name, kind, .. } = variable;
            match self.rng.below(8) {
                0 => {
                    let value = self.value(kind, &init, 1, true);
                    self.line(&format!("ASSIGN {name} := {value};"));
                }
                1 => {}
                _ => {
                    if self.rng.chance(3, 4) {
                        let value = self.value(kind, &init, 1, true);
                        self.line(&format!("ASSIGN init({name}) := {value};"));
                    }
                    if self.rng.chance(7, 8) {
                        let value = self.value(kind, &step, 3, true);
                        self.line(&format!("ASSIGN next({name}) := {value};"));
                    }
                }
            }
            init.known.push(variable.clone());
            step.next.push(variable.clone());
        }
    }

    fn constraints(&mut self, of_state: &ExprScope, step: &ExprScope) {
        if self.rng.chance(1, 4) {
            let condition = self.weak_condition(of_state);
            self.line(&format!("INIT {condition}"));
        }
        if self.rng.chance(1, 4) {
            let condition = self.weak_condition(of_state);
            self.line(&format!("INVAR {condition};"));
        }
        for _ in 0..self.rng.below(2) {
            let condition = self.weak_condition(step);
            self.line(&format!("TRANS {condition}"));
        }
        if self.rng.chance(1, 4) {
            let condition = self.weak_condition(of_state);
            self.line(&format!("TRANS next({condition}) | {condition}"));
        }
    }

    fn fairness(&mut self, of_state: &ExprScope) {
        for keyword in ["FAIRNESS", "JUSTICE"] {
            if self.rng.chance(1, 4) {
                let condition = self.weak_condition(of_state);
                self.line(&format!("{keyword} {condition}"));
            }
        }
        if self.rng.chance(1, 6) {
            let p = self.condition(of_state, 1);
            let q = self.weak_condition(of_state);
            self.line(&format!("COMPASSION ({p}, {q})"));
        }
    }

    fn spec(&mut self, of_state: &ExprScope) {
        if self.rng.chance(1, 5) {
            let condition = self.weak_condition(of_state);
            self.line(&format!("INVARSPEC {condition};"));
            return;
        }
        let size = 1 + self.rng.below(4);
        let formula = self.formula(of_state, size);
        let keyword = *self.rng.pick(&["SPEC", "CTLSPEC"]);
        self.line(&format!("{keyword} {formula}"));
    }

    fn formula(&mut self, scope: &ExprScope, size: usize) -> String {
        if size == 0 {
            return self.condition(scope, 1);
        }
        let q = *self.rng.pick(&["E", "A"]);
        let rest = size - 1;
        match self.rng.below(10) {
            0 => format!("!({})", self.formula(scope, rest)),
            1 | 2 => {
                let (f, g) = self.formulas(scope, rest);
                let op = *self.rng.pick(&["&", "|", "->", "<->", "xor", "xnor"]);
                format!("({f} {op} {g})")
            }
            3 | 4 => {
                let (f, g) = self.formulas(scope, rest);
                format!("{q} [{f} U {g}]")
            }
            5 => {
                let least = self.rng.below(3);
                let most = least + self.rng.below(3);
                let op = *self.rng.pick(&["BF", "BG"]);
                format!("{q}{op} {least}..{most} ({})", self.formula(scope, rest))
            }
            6 => {
                let (f, g) = self.formulas(scope, rest);
                let least = self.rng.below(3);
                let most = least + self.rng.below(3);
                format!("{q} [{f} BU {least}..{most} {g}]")
            }
            _ => {
                let op = *self.rng.pick(&["X", "F", "G"]);
                format!("{q}{op} ({})", self.formula(scope, rest))
            }
        }
    }

    fn formulas(&mut self, scope: &ExprScope, size: usize) -> (String, String) {
        let left = self.rng.below(size + 1);
        (self.formula(scope, left), self.formula(scope, size - left))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_program_and_it_has_a_main() {
        let text = random(&mut Rng::new(5));
        assert_eq!(text, random(&mut Rng::new(5)));
        assert!(text.starts_with("MODULE main"));
    }
}
