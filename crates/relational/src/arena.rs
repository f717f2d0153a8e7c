//! The nodes of a problem, each of them once, with what is known of them.

use std::hash::Hash;

use rustc_hash::FxHashMap;
use wherefore_base::Span;

use crate::terms::{
    FormulaId, Int, IntId, RelDecl, RelExpr, RelExprId, RelFormula, RelVarId, Unary,
};

/// What is known of a node.
#[derive(Clone, Default, Debug)]
pub(crate) struct NodeFacts {
    /// How many columns it has; 0 for formulas and integers.
    pub(crate) arity: usize,
    /// The free variables, in order.
    pub(crate) free: Box<[RelVarId]>,
    /// Whether there is a quantifier in it, outside of comprehensions.
    pub(crate) quantifier: bool,
    /// Whether there is arithmetic in it.
    pub(crate) arithmetic: bool,
    /// Whether there is a transitive closure in it.
    pub(crate) closure: bool,
    /// How many nodes have it as an operand.
    pub(crate) uses: u32,
}

/// Nodes of one kind.
#[derive(Clone, Debug)]
struct Interner<N> {
    nodes: Vec<N>,
    facts: Vec<NodeFacts>,
    spans: FxHashMap<u32, Span>,
    known: FxHashMap<N, u32>,
}

impl<N> Default for Interner<N> {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            facts: Vec::new(),
            spans: FxHashMap::default(),
            known: FxHashMap::default(),
        }
    }
}

impl<N: Clone + Eq + Hash> Interner<N> {
    fn find(&self, node: &N) -> Option<usize> {
        self.known.get(node).map(|&index| index as usize)
    }

    fn push(&mut self, node: N, facts: NodeFacts) -> usize {
        let index = self.nodes.len();
        let number = u32::try_from(index).expect("a problem has fewer than 2^32 nodes");
        self.known.insert(node.clone(), number);
        self.nodes.push(node);
        self.facts.push(facts);
        index
    }
}

/// All nodes of a problem.
#[derive(Clone, Default, Debug)]
pub(crate) struct Arena {
    exprs: Interner<RelExpr>,
    formulas: Interner<RelFormula>,
    ints: Interner<Int>,
}

/// The operands of a node.
#[derive(Default)]
pub(crate) struct Operands {
    pub(crate) exprs: Vec<RelExprId>,
    pub(crate) formulas: Vec<FormulaId>,
    pub(crate) ints: Vec<IntId>,
    /// Variables that are declared by the node.
    pub(crate) bound: Vec<RelVarId>,
}

impl Arena {
    pub(crate) fn expr(&self, id: RelExprId) -> &RelExpr {
        &self.exprs.nodes[id.index()]
    }

    pub(crate) fn formula(&self, id: FormulaId) -> &RelFormula {
        &self.formulas.nodes[id.index()]
    }

    pub(crate) fn int(&self, id: IntId) -> &Int {
        &self.ints.nodes[id.index()]
    }

    pub(crate) fn expr_facts(&self, id: RelExprId) -> &NodeFacts {
        &self.exprs.facts[id.index()]
    }

    pub(crate) fn formula_facts(&self, id: FormulaId) -> &NodeFacts {
        &self.formulas.facts[id.index()]
    }

    pub(crate) fn int_facts(&self, id: IntId) -> &NodeFacts {
        &self.ints.facts[id.index()]
    }

    pub(crate) fn place_expr(&mut self, id: RelExprId, span: Span) {
        self.exprs.spans.entry(id.index() as u32).or_insert(span);
    }

    pub(crate) fn expr_span(&self, id: RelExprId) -> Option<Span> {
        self.exprs.spans.get(&(id.index() as u32)).copied()
    }

    pub(crate) fn place_int(&mut self, id: IntId, span: Span) {
        self.ints.spans.entry(id.index() as u32).or_insert(span);
    }

    pub(crate) fn int_span(&self, id: IntId) -> Option<Span> {
        self.ints.spans.get(&(id.index() as u32)).copied()
    }

    /// The id of an expression; `facts` adds what only the node itself knows.
    pub(crate) fn intern_expr(&mut self, node: RelExpr, mut facts: NodeFacts) -> RelExprId {
        if let Some(known) = self.exprs.find(&node) {
            return RelExprId::new(known);
        }
        facts.closure = matches!(node, RelExpr::Unary(op, _) if op != Unary::Transpose);
        let facts = self.facts(&expr_operands(&node), facts);
        RelExprId::new(self.exprs.push(node, facts))
    }

    /// The id of a formula.
    pub(crate) fn intern_formula(&mut self, node: RelFormula) -> FormulaId {
        if let Some(known) = self.formulas.find(&node) {
            return FormulaId::new(known);
        }
        let own = NodeFacts {
            quantifier: matches!(node, RelFormula::Quantified(..)),
            ..NodeFacts::default()
        };
        let facts = self.facts(&formula_operands(&node), own);
        FormulaId::new(self.formulas.push(node, facts))
    }

    /// The id of an integer expression.
    pub(crate) fn intern_int(&mut self, node: Int) -> IntId {
        if let Some(known) = self.ints.find(&node) {
            return IntId::new(known);
        }
        let own = NodeFacts {
            arithmetic: true,
            ..NodeFacts::default()
        };
        let facts = self.facts(&int_operands(&node), own);
        IntId::new(self.ints.push(node, facts))
    }

    /// Adds to the facts of a node what its operands say.
    fn facts(&mut self, operands: &Operands, mut facts: NodeFacts) -> NodeFacts {
        let mut free: Vec<RelVarId> = facts.free.to_vec();
        let mut join = |operand: &mut NodeFacts| {
            operand.uses = operand.uses.saturating_add(1);
            free.extend_from_slice(&operand.free);
            facts.quantifier |= operand.quantifier;
            facts.arithmetic |= operand.arithmetic;
            facts.closure |= operand.closure;
        };
        for id in &operands.exprs {
            join(&mut self.exprs.facts[id.index()]);
        }
        for id in &operands.formulas {
            join(&mut self.formulas.facts[id.index()]);
        }
        for id in &operands.ints {
            join(&mut self.ints.facts[id.index()]);
        }
        free.sort_unstable();
        free.dedup();
        free.retain(|variable| !operands.bound.contains(variable));
        facts.free = free.into();
        facts
    }
}

/// The operands of an expression.
pub(crate) fn expr_operands(node: &RelExpr) -> Operands {
    let mut operands = Operands::default();
    match node {
        RelExpr::Relation(_)
        | RelExpr::Variable(_)
        | RelExpr::Univ
        | RelExpr::Iden
        | RelExpr::None(_)
        | RelExpr::Ints => {}
        RelExpr::Unary(_, a) => operands.exprs.push(*a),
        RelExpr::Binary(_, a, b) => operands.exprs.extend([*a, *b]),
        RelExpr::Comprehension(decls, body) => {
            operands.declare(decls);
            operands.formulas.push(*body);
        }
        RelExpr::Choice(condition, a, b) => {
            operands.formulas.push(*condition);
            operands.exprs.extend([*a, *b]);
        }
        RelExpr::FromInt(a) => operands.ints.push(*a),
    }
    operands
}

/// The operands of a formula.
pub(crate) fn formula_operands(node: &RelFormula) -> Operands {
    let mut operands = Operands::default();
    match node {
        RelFormula::In(a, b) | RelFormula::Equal(a, b) => operands.exprs.extend([*a, *b]),
        RelFormula::Amount(_, a) => operands.exprs.push(*a),
        RelFormula::Compare(_, a, b) => operands.ints.extend([*a, *b]),
        RelFormula::Quantified(_, decls, body) => {
            operands.declare(decls);
            operands.formulas.push(*body);
        }
        RelFormula::Not(a) | RelFormula::At(a, _) => operands.formulas.push(*a),
        RelFormula::And(parts) | RelFormula::Or(parts) => operands.formulas.extend(parts.iter()),
        RelFormula::Implies(a, b) | RelFormula::Iff(a, b) => operands.formulas.extend([*a, *b]),
    }
    operands
}

/// The operands of an integer expression.
pub(crate) fn int_operands(node: &Int) -> Operands {
    let mut operands = Operands::default();
    match node {
        Int::Constant(_) => {}
        Int::Count(a) | Int::Value(a) => operands.exprs.push(*a),
        Int::Sum(decls, body) => {
            operands.declare(decls);
            operands.ints.push(*body);
        }
        Int::Arithmetic(_, a, b) => operands.ints.extend([*a, *b]),
        Int::Choice(condition, a, b) => {
            operands.formulas.push(*condition);
            operands.ints.extend([*a, *b]);
        }
    }
    operands
}

impl Operands {
    fn declare(&mut self, decls: &[RelDecl]) {
        self.exprs.extend(decls.iter().map(|decl| decl.bound));
        self.bound.extend(decls.iter().map(|decl| decl.variable));
    }
}
