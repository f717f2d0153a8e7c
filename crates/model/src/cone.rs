//! The cone of influence: the part of a model that some conditions depend on.
//!
//! A variable that is only assigned, and that nobody in the cone reads, follows whatever the cone does:
//! in every state each of its assignments has a value. So the steps of the cone are those of the model
//! with the other variables left out, and a state of the model and its part in the cone satisfy the same
//! formulas over the cone, path for path (a bisimulation; Clarke, Grumberg and Peled 1999). Constraints
//! that are no assignments may forbid steps, so whatever they read is in every cone, and so is what
//! fairness conditions read.

use std::collections::BTreeSet;

use crate::{Constraint, Domain, Model, Requirement, Support, TermId, VarId};

impl Model {
    /// The variables that the truth of some conditions depends on, along all fair paths.
    ///
    /// The obligations of the model must be met, and no assignment may need itself.
    pub fn cone(&self, conditions: impl IntoIterator<Item = TermId>) -> BTreeSet<VarId> {
        let mut roots: Vec<TermId> = conditions.into_iter().collect();
        roots.extend(&self.fairness.justice);
        for &(first, second) in &self.fairness.compassion {
            roots.extend([first, second]);
        }
        let mut needs: Vec<Vec<TermId>> = vec![Vec::new(); self.vars.len()];
        let mut open = Vec::new();
        for part in [&self.init, &self.trans] {
            // An initial state meets `init` and `invar`, a next one `trans` and `invar`: each pair
            // counts for itself.
            let mut assigned = BTreeSet::new();
            for Constraint { requires, .. } in part.iter().chain(&self.invar) {
                match *requires {
                    Requirement::Holds(term) => roots.push(term),
                    Requirement::Assign(var, term) => {
                        needs[var.index()].push(term);
                        // What is assigned twice may be asked too much.
                        if !assigned.insert(var) {
                            open.push(var);
                        }
                    }
                }
            }
        }
        let mut seen = BTreeSet::new();
        let mut cone = BTreeSet::new();
        open.extend(self.read_by(roots, &mut seen));
        while let Some(var) = open.pop() {
            if cone.insert(var) {
                open.extend(self.read_by(std::mem::take(&mut needs[var.index()]), &mut seen));
            }
        }
        cone
    }

    /// The variables that the assignments to some variables read.
    pub fn read_by_assignments(&self, vars: &BTreeSet<VarId>) -> BTreeSet<VarId> {
        let constraints = self.init.iter().chain(&self.trans).chain(&self.invar);
        let terms = constraints.filter_map(|constraint| match constraint.requires {
            Requirement::Assign(var, term) if vars.contains(&var) => Some(term),
            Requirement::Assign(..) | Requirement::Holds(_) => None,
        });
        let mut seen = BTreeSet::new();
        self.read_by(terms.collect(), &mut seen)
            .into_iter()
            .collect()
    }

    /// The model with the variables of a cone only, as [`Model::cone`] finds it.
    ///
    /// The others are still there, so that the rest keeps its numbers, but have one value each and no
    /// constraints. Terms that read them, in properties outside of the cone, mean nothing any more.
    pub fn within(&self, cone: &BTreeSet<VarId>) -> Model {
        let mut model = Model {
            defines: vec![],
            obligations: vec![],
            swaps: vec![],
            ..self.clone()
        };
        for var in self.vars.ids().filter(|var| !cone.contains(var)) {
            let domain = &mut model.vars[var].domain;
            *domain = Domain::Enum([domain.value(0)].into());
        }
        let inside = |constraint: &Constraint| match constraint.requires {
            Requirement::Assign(var, _) => cone.contains(&var),
            Requirement::Holds(_) => true,
        };
        model.init.retain(inside);
        model.invar.retain(inside);
        model.trans.retain(inside);
        model.order.retain(|var| cone.contains(var));
        model
    }

    /// The variables that some terms read, leaving out terms that were seen before.
    fn read_by(&self, terms: Vec<TermId>, seen: &mut BTreeSet<TermId>) -> Vec<VarId> {
        let fresh = terms.into_iter().filter(|&term| seen.insert(term));
        let Support { now, next } = Support::of(self, fresh);
        now.into_iter().chain(next).collect()
    }
}
