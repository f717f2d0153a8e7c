//! Properties: the Boolean and temporal structure of formulas, and their atoms.

use rustc_hash::{FxHashMap, FxHashSet};
use wherefore_base::{Diagnostic, IndexVec, SourceMap, Span, deep};
use wherefore_logic::{AtomId, Bounds, Formula, Op, PathOp, PathRule, Quantifier, SubId};
use wherefore_model::{Distance, Property, PropertyBody, PropertyKind, Query, Support, TermId};

use super::{ExprContext, ReadingRules, SmvLowering, Time};
use crate::ast::{
    self, ModuleItem, SmvBinaryOp, SmvExprId, SmvExprKind, SmvUnaryOp, Spec, SpecBody, StepBounds,
};
use crate::declare::Bodies;
use crate::lexer::one_line;
use crate::scope::InstanceId;

/// About how many bytes are kept of a property, besides its terms.
const PROPERTY: usize = 512;

/// Lowers all properties, those of `main` first.
pub(crate) fn properties(lowerer: &mut SmvLowering<'_>, bodies: &Bodies<'_>, sources: &SourceMap) {
    let mut taken = FxHashSet::default();
    for instance in lowerer.scope.instances.ids() {
        for item in bodies.items(lowerer.scope.instances[instance].module) {
            if let ModuleItem::Spec(spec) = item
                && lowerer.effort.spend(PROPERTY).is_some()
            {
                lowerer.property(instance, spec, sources, &mut taken);
            }
        }
    }
}

/// Lowers a formula given from outside, read in `main`: of LTL if it has operators of LTL, else of CTL.
pub(crate) fn outside_formula(
    lowerer: &mut SmvLowering<'_>,
    sources: &SourceMap,
    root: SmvExprId,
    name: &str,
    span: Span,
) -> Option<Property> {
    let linear = lowerer.exprs[root].linear;
    let (kind, body) = match linear {
        true => (PropertyKind::Ltl, SpecBody::Ltl(root)),
        false => (PropertyKind::Ctl, SpecBody::Ctl(root)),
    };
    let body = lowerer.body(InstanceId::new(0), body)?;
    Some(Property {
        name: name.to_owned(),
        named: true,
        text: one_line(sources.text(span)),
        span,
        instance: String::new(),
        kind,
        body,
    })
}

/// Makes a sub-formula of two others.
type Connective = fn(SubId, SubId) -> Op;

/// A formula being built.
#[derive(Default)]
pub(super) struct Building {
    pub(super) formula: Formula,
    pub(super) atoms: IndexVec<AtomId, TermId>,
    /// Whether it is a formula of LTL; otherwise it is one of CTL.
    pub(super) linear: bool,
    /// Whether it looks further than formulas may.
    pub(super) too_far: bool,
    pub(super) known: FxHashMap<TermId, AtomId>,
}

impl Building {
    fn atom(&mut self, term: TermId, span: Span) -> SubId {
        let atoms = &mut self.atoms;
        let atom = *self.known.entry(term).or_insert_with(|| atoms.push(term));
        self.formula.add(Op::Atom(atom), Some(span))
    }
}

impl SmvLowering<'_> {
    fn property(
        &mut self,
        instance: InstanceId,
        spec: &Spec,
        sources: &SourceMap,
        taken: &mut FxHashSet<String>,
    ) {
        let scope = self.scope;
        let number = self.model.properties.len() + 1;
        let name = match spec.name {
            Some(name) => scope.instances[instance].full_name(self.model.names.text(name.symbol)),
            None => format!("spec{number}"),
        };
        if let Some(given) = spec.name
            && !taken.insert(name.clone())
        {
            let message = format!("Two properties are called `{name}`");
            self.report.tell(Diagnostic::error(given.span, message));
        }
        let kind = match spec.body {
            SpecBody::Ctl(_) => PropertyKind::Ctl,
            SpecBody::Invar(_) => PropertyKind::Invar,
            SpecBody::Ltl(_) => PropertyKind::Ltl,
            SpecBody::Psl(_) => PropertyKind::Psl,
            SpecBody::Compute { .. } => PropertyKind::Compute,
        };
        let Some(body) = self.body(instance, spec.body) else {
            return;
        };
        self.model.properties.push(Property {
            name,
            named: spec.name.is_some(),
            text: one_line(sources.text(spec.span)),
            span: spec.span,
            instance: scope.instances[instance].path.clone(),
            kind,
            body,
        });
    }

    /// What a property asks.
    fn body(&mut self, instance: InstanceId, body: SpecBody) -> Option<PropertyBody> {
        match body {
            SpecBody::Ctl(root) => self.query(instance, root, false).map(PropertyBody::Query),
            SpecBody::Invar(root) => {
                let query = self.query(instance, root, true)?;
                // A define may bring in `next`, so it counts what the lowered atoms read.
                let read = Support::of(self.model, query.atoms.iter().copied());
                Some(match read.next.is_empty() {
                    true => PropertyBody::Query(query),
                    false => PropertyBody::Unsupported(
                        "invariants with `next` are not supported; \
                         of the steps of all fair runs `LTLSPEC G (...)` says the same"
                            .to_string(),
                    ),
                })
            }
            SpecBody::Ltl(root) => self.linear_query(instance, root),
            SpecBody::Psl(Some(root)) if self.exprs[root].linear => {
                self.linear_query(instance, root)
            }
            SpecBody::Psl(Some(root)) => self.query(instance, root, false).map(PropertyBody::Query),
            SpecBody::Psl(None) => Some(PropertyBody::Unsupported(
                "this part of PSL is not supported; \
                 what is CTL or LTL in other words (always, next, until, before, eventually!) is"
                    .to_string(),
            )),
            SpecBody::Compute { longest, from, to } => {
                let context = ExprContext {
                    instance,
                    time: Time::Now,
                    rules: ReadingRules::state("in a quantity"),
                };
                let from = self.condition(context, from);
                let to = self.condition(context, to);
                Some(PropertyBody::Distance(Distance {
                    longest,
                    from: from?.term,
                    to: to?.term,
                }))
            }
        }
    }

    fn query(&mut self, instance: InstanceId, root: SmvExprId, invariant: bool) -> Option<Query> {
        let (rules, rule) = match invariant {
            // What reads the next state is told apart later.
            true => (
                ReadingRules {
                    next: true,
                    ..ReadingRules::state("in an invariant")
                },
                PathRule::Reach,
            ),
            false => (
                ReadingRules::state("in a CTL formula"),
                PathRule::FairInfinite,
            ),
        };
        if invariant && self.exprs[root].temporal {
            let span = self.exprs[root].span;
            let diagnostic = Diagnostic::error(span, "An invariant cannot contain temporal operators")
                .help("`INVARSPEC p` says that p is true in every reachable state; for more write `CTLSPEC`.");
            self.report.tell(diagnostic);
            return None;
        }
        let context = ExprContext {
            instance,
            time: Time::Now,
            rules,
        };
        let mut building = Building::default();
        let sub = self.formula(context, root, &mut building)?;
        if invariant {
            let always = Op::Path(Quantifier::Forall, PathOp::Globally(sub));
            building.formula.add(always, None);
        }
        Some(Query {
            formula: building.formula,
            atoms: building.atoms,
            rule,
        })
    }

    /// A formula. As for expressions, the left spine is walked in a loop.
    pub(super) fn formula(
        &mut self,
        context: ExprContext,
        id: SmvExprId,
        building: &mut Building,
    ) -> Option<SubId> {
        let mut spine = Vec::new();
        let mut at = id;
        while let Some((op, left, right)) = self.connective(at) {
            spine.push((op, right, self.exprs[at].span));
            at = left;
        }
        let mut sub = deep(|| self.simple_formula(context, at, building));
        while let Some((op, right, span)) = spine.pop() {
            let other = deep(|| self.formula(context, right, building));
            sub = match (sub, other) {
                (Some(a), Some(b)) => Some(building.formula.add(op(a, b), Some(span))),
                _ => None,
            };
        }
        sub
    }

    /// The Boolean connective at the root of a formula; equality is one if it is between formulas.
    fn connective(&self, id: SmvExprId) -> Option<(Connective, SmvExprId, SmvExprId)> {
        let SmvExprKind::Binary(op, a, b) = self.exprs[id].kind else {
            return None;
        };
        let op: Connective = match op {
            SmvBinaryOp::And => Op::And,
            SmvBinaryOp::Or => Op::Or,
            SmvBinaryOp::Implies => Op::Implies,
            SmvBinaryOp::Iff | SmvBinaryOp::Xnor => Op::Iff,
            SmvBinaryOp::Xor => Op::Xor,
            SmvBinaryOp::Equal if self.exprs[id].temporal => Op::Iff,
            SmvBinaryOp::Unequal if self.exprs[id].temporal => Op::Xor,
            _ => return None,
        };
        Some((op, a, b))
    }

    fn simple_formula(
        &mut self,
        context: ExprContext,
        id: SmvExprId,
        building: &mut Building,
    ) -> Option<SubId> {
        let exprs = self.exprs;
        let span = exprs[id].span;
        let op = match &exprs[id].kind {
            SmvExprKind::Bool(value) => Op::Const(*value),
            SmvExprKind::Unary(SmvUnaryOp::Not, a) => Op::Not(self.formula(context, *a, building)?),
            SmvExprKind::Linear(sign, within, a, b) if building.linear => {
                Op::Linear(self.linear_op(context, (*sign, *within), (*a, *b), building)?)
            }
            SmvExprKind::Linear(..) => return self.mixed_logics(span, "LTL", "CTL"),
            SmvExprKind::Path(..) if building.linear => {
                return self.mixed_logics(span, "CTL", "LTL");
            }
            SmvExprKind::Path(quantifier, path) => {
                Op::Path(*quantifier, self.path_formula(context, *path, building)?)
            }
            _ => {
                let atom = self.condition(context, id)?;
                return Some(building.atom(atom.term, span));
            }
        };
        Some(building.formula.add(op, Some(span)))
    }

    fn path_formula(
        &mut self,
        context: ExprContext,
        path: ast::SmvPathOp,
        building: &mut Building,
    ) -> Option<PathOp> {
        let operands: Vec<_> = path.operands().collect();
        let subs = operands
            .into_iter()
            .map(|operand| deep(|| self.formula(context, operand, building)));
        let subs: Vec<Option<SubId>> = subs.collect();
        let within = match path {
            ast::SmvPathOp::FinallyWithin(within, _)
            | ast::SmvPathOp::GloballyWithin(within, _)
            | ast::SmvPathOp::UntilWithin(within, ..) => Some(self.bounds(context, within)?),
            _ => None,
        };
        Some(match (path, &*subs, within) {
            (ast::SmvPathOp::Next(_), [f], _) => PathOp::Next((*f)?),
            (ast::SmvPathOp::Finally(_), [f], _) => PathOp::Finally((*f)?),
            (ast::SmvPathOp::Globally(_), [f], _) => PathOp::Globally((*f)?),
            (ast::SmvPathOp::Until(..), [f, g], _) => PathOp::Until((*f)?, (*g)?),
            (ast::SmvPathOp::WeakUntil(..), [f, g], _) => PathOp::WeakUntil((*f)?, (*g)?),
            (ast::SmvPathOp::Release(..), [f, g], _) => PathOp::Release((*f)?, (*g)?),
            (ast::SmvPathOp::FinallyWithin(..), [f], Some(bounds)) => {
                PathOp::FinallyWithin(bounds, (*f)?)
            }
            (ast::SmvPathOp::GloballyWithin(..), [f], Some(bounds)) => {
                PathOp::GloballyWithin(bounds, (*f)?)
            }
            (ast::SmvPathOp::UntilWithin(..), [f, g], Some(bounds)) => {
                PathOp::UntilWithin(bounds, (*f)?, (*g)?)
            }
            _ => unreachable!("each operator has its own number of operands and bounds"),
        })
    }

    pub(super) fn bounds(&mut self, context: ExprContext, within: StepBounds) -> Option<Bounds> {
        let span = self.exprs[within.least]
            .span
            .to(self.exprs[within.most].span);
        let least = self.constant_bound(context, within.least);
        let most = self.constant_bound(context, within.most);
        let bounds = match (u32::try_from(least?), u32::try_from(most?)) {
            (Ok(least), Ok(most)) if least <= most => Some(Bounds { least, most }),
            _ => None,
        };
        if bounds.is_none() {
            let diagnostic = Diagnostic::error(span, "These are no numbers of steps")
                .help("The bounds count steps: neither is negative, and the lesser comes first.");
            self.report.tell(diagnostic);
        }
        bounds
    }
}
