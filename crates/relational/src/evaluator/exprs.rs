//! The values of expressions.

use std::rc::Rc;

use wherefore_base::deep;

use super::{OverflowStanding, RelEvaluator, RowSet, TupleRows};
use crate::refusal::SearchResult;
use crate::terms::{Binary, RelDecl, RelExpr, RelExprId, Unary};
use crate::universe::UniverseAtomId;

impl RelEvaluator<'_> {
    pub(super) fn expr(&mut self, id: RelExprId) -> SearchResult<RowSet> {
        self.meter.tick()?;
        let keep = self.problem.free_in_expr(id).is_empty();
        let key = (id, self.denied && self.problem.has_arithmetic(id));
        if keep && let Some(set) = self.closed.get(&key) {
            return Ok(set.clone());
        }
        let (rows, overflow) = deep(|| self.expr_here(id))?;
        let set = RowSet {
            rows: Rc::new(rows),
            overflow,
        };
        if keep {
            self.closed.insert(key, set.clone());
        }
        Ok(set)
    }

    fn expr_here(&mut self, id: RelExprId) -> SearchResult<(TupleRows, bool)> {
        let problem = self.problem;
        let atoms = || problem.universe().atoms();
        Ok(match problem.expr(id) {
            RelExpr::Relation(relation) => (self.instance.value(*relation).iter().collect(), false),
            RelExpr::Variable(variable) => {
                let mut scope = self.scope.iter().rev();
                let scoped = scope.find(|scoped| scoped.variable == *variable);
                let rows = scoped.map(|scoped| TupleRows::clone(&scoped.rows));
                (rows.unwrap_or_default(), false)
            }
            RelExpr::Univ => (atoms().map(|atom| vec![atom]).collect(), false),
            RelExpr::Iden => (atoms().map(|atom| vec![atom, atom]).collect(), false),
            RelExpr::None(_) => (TupleRows::new(), false),
            RelExpr::Ints => (self.integers.values().map(|&a| vec![a]).collect(), false),
            RelExpr::Unary(op, a) => {
                let set = self.expr(*a)?;
                (self.unary(*op, &set.rows)?, set.overflow)
            }
            RelExpr::Binary(op, a, b) => {
                let (left, right) = (self.expr(*a)?, self.expr(*b)?);
                let rows = self.binary(*op, &left.rows, &right.rows)?;
                (rows, left.overflow || right.overflow)
            }
            RelExpr::Comprehension(decls, body) => {
                let mut rows = TupleRows::new();
                self.each(decls, &mut Vec::new(), &mut |this, row| {
                    if this.formula(*body, OverflowStanding::inner(false))? {
                        rows.insert(row.to_vec());
                    }
                    Ok(())
                })?;
                (rows, false)
            }
            RelExpr::Choice(condition, a, b) => {
                let side = if self.formula(*condition, OverflowStanding::inner(self.denied))? {
                    a
                } else {
                    b
                };
                let set = self.expr(*side)?;
                (TupleRows::clone(&set.rows), set.overflow)
            }
            RelExpr::FromInt(a) => {
                let number = self.int(*a)?;
                let atom = self.integers.get(&number.value);
                let atom = atom.filter(|_| !number.overflow);
                (
                    atom.map(|&a| vec![a]).into_iter().collect(),
                    number.overflow,
                )
            }
        })
    }

    fn unary(&mut self, op: Unary, rows: &TupleRows) -> SearchResult<TupleRows> {
        if op == Unary::Transpose {
            return Ok(rows.iter().map(|row| vec![row[1], row[0]]).collect());
        }
        let mut closure = rows.clone();
        let mut open: Vec<Vec<UniverseAtomId>> = rows.iter().cloned().collect();
        while let Some(row) = open.pop() {
            self.meter.tick()?;
            for next in rows
                .range(vec![row[1]]..)
                .take_while(|next| next[0] == row[1])
            {
                let longer = vec![row[0], next[1]];
                if closure.insert(longer.clone()) {
                    open.push(longer);
                }
            }
        }
        if op == Unary::ReflexiveClosure {
            let atoms = self.problem.universe().atoms();
            closure.extend(atoms.map(|atom| vec![atom, atom]));
        }
        Ok(closure)
    }

    fn binary(&mut self, op: Binary, a: &TupleRows, b: &TupleRows) -> SearchResult<TupleRows> {
        let starts = |row: &[UniverseAtomId], set: &TupleRows| {
            let mut from = set.range(row[..1].to_vec()..);
            from.next().is_some_and(|other| other[0] == row[0])
        };
        Ok(match op {
            Binary::Union => a.union(b).cloned().collect(),
            Binary::Intersection => a.intersection(b).cloned().collect(),
            Binary::Difference => a.difference(b).cloned().collect(),
            Binary::Override => {
                let kept = a.iter().filter(|row| !starts(row, b));
                kept.chain(b).cloned().collect()
            }
            Binary::Domain => b.iter().filter(|row| starts(row, a)).cloned().collect(),
            Binary::Range => {
                let ends = |row: &&Vec<UniverseAtomId>| b.contains(&row[row.len() - 1..]);
                a.iter().filter(ends).cloned().collect()
            }
            Binary::Join | Binary::Product => {
                let mut rows = TupleRows::new();
                for left in a {
                    self.meter.tick()?;
                    let (init, last) = left.split_at(left.len() - 1);
                    if op == Binary::Join {
                        let from = b.range(last.to_vec()..);
                        for right in from.take_while(|right| right[0] == last[0]) {
                            rows.insert([init, &right[1..]].concat());
                        }
                    } else {
                        rows.extend(b.iter().map(|right| [&left[..], right].concat()));
                    }
                }
                rows
            }
        })
    }

    /// Calls back for each value of some variables, each of them one tuple.
    pub(super) fn each(
        &mut self,
        decls: &[RelDecl],
        row: &mut Vec<UniverseAtomId>,
        then: &mut dyn FnMut(&mut Self, &[UniverseAtomId]) -> SearchResult<()>,
    ) -> SearchResult<()> {
        let Some((decl, rest)) = decls.split_first() else {
            return then(self, row);
        };
        let bound = self.expr(decl.bound)?.rows;
        for value in bound.iter() {
            let before = row.len();
            row.extend_from_slice(value);
            self.with(
                decl,
                TupleRows::from([value.clone()]),
                (false, false),
                |this| this.each(rest, row, then),
            )?;
            row.truncate(before);
        }
        Ok(())
    }
}
