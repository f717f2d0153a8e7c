//! Types: what an expression can stand for at most.
//!
//! After Edwards, Jackson and Torlak (2004), a type is a union of products of signatures. It bounds the
//! value of an expression; an expression is wrong or suspicious when its type has no tuple, and
//! overloaded names are told apart by which of their types matter where they stand.

use crate::model::{AlloyModel, SigId};

/// The columns of a product; with `none` in a column, a product without tuples.
pub(crate) type TypeProduct = Vec<SigId>;

/// A union of products, or a formula.
#[derive(Clone, Default, PartialEq, Eq, Hash, Debug)]
pub struct AlloyType {
    /// Whether it may be a formula.
    pub is_formula: bool,
    /// Whether it may be a computed integer; then `Int` is one of the products too.
    pub is_integer: bool,
    /// The products, without those that are within others.
    pub(crate) products: Vec<TypeProduct>,
}

impl AlloyType {
    /// The products: for each one the signatures of its columns.
    pub fn products(&self) -> &[Vec<SigId>] {
        &self.products
    }

    /// The products with so many columns that may have a row.
    pub fn real_products(&self, arity: usize) -> Vec<Vec<SigId>> {
        let none = SigId::new(AlloyModel::NONE);
        let real = |product: &&TypeProduct| product.len() == arity && !product.contains(&none);
        self.products.iter().filter(real).cloned().collect()
    }

    /// How many columns it has, if that is clear.
    pub fn arity(&self) -> Option<usize> {
        let first = self.products.first()?.len();
        let same = self.products.iter().all(|product| product.len() == first);
        same.then_some(first)
    }

    /// A formula.
    pub(crate) fn formula() -> Self {
        Self {
            is_formula: true,
            ..Self::default()
        }
    }

    pub(crate) fn has_arity(&self, arity: usize) -> bool {
        self.products.iter().any(|product| product.len() == arity)
    }

    pub(crate) fn is_set(&self) -> bool {
        !self.products.is_empty()
    }

    /// The products with this many columns.
    pub(crate) fn of_arity(&self, arity: usize) -> AlloyType {
        let products = self
            .products
            .iter()
            .filter(|product| product.len() == arity);
        AlloyType {
            products: products.cloned().collect(),
            ..Self::default()
        }
    }

    /// Whether both have products with the same number of columns, or are formulas.
    pub(crate) fn has_common_arity(&self, other: &AlloyType) -> bool {
        (self.is_formula && other.is_formula)
            || self
                .products
                .iter()
                .any(|product| other.has_arity(product.len()))
    }

    /// The products with as many columns as some product of the other type.
    pub(crate) fn alike(&self, other: &AlloyType) -> AlloyType {
        let products = self
            .products
            .iter()
            .filter(|product| other.has_arity(product.len()));
        AlloyType {
            products: products.cloned().collect(),
            ..Self::default()
        }
    }

    /// Only what is a set or relation.
    pub(crate) fn as_set(&self) -> AlloyType {
        AlloyType {
            products: self.products.clone(),
            ..Self::default()
        }
    }
}

/// The hierarchy of signatures, which types are compared by.
#[derive(Clone, Default, Debug)]
pub(crate) struct Hierarchy {
    parents: Vec<Option<SigId>>,
    none: usize,
}

impl Hierarchy {
    /// The hierarchy with these parents; `none` is within every signature.
    pub(crate) fn new(parents: Vec<Option<SigId>>, none: usize) -> Self {
        Self { parents, none }
    }

    pub(crate) fn none(&self) -> SigId {
        SigId::new(self.none)
    }

    pub(crate) fn within(&self, sig: SigId, other: SigId) -> bool {
        if sig.index() == self.none {
            return true;
        }
        let mut at = Some(sig);
        while let Some(sig) = at {
            if sig == other {
                return true;
            }
            at = self.parents[sig.index()];
        }
        false
    }

    /// What two signatures have in common.
    pub(crate) fn meet(&self, a: SigId, b: SigId) -> SigId {
        if self.within(a, b) {
            a
        } else if self.within(b, a) {
            b
        } else {
            self.none()
        }
    }

    pub(crate) fn is_empty_product(&self, product: &[SigId]) -> bool {
        product.iter().any(|sig| sig.index() == self.none)
    }

    /// Whether a type has a product with tuples.
    pub(crate) fn has_tuple(&self, ty: &AlloyType) -> bool {
        ty.products
            .iter()
            .any(|product| !self.is_empty_product(product))
    }

    /// A product without tuples.
    pub(crate) fn empty(&self, arity: usize) -> AlloyType {
        AlloyType {
            products: vec![vec![self.none(); arity]],
            ..AlloyType::default()
        }
    }

    pub(crate) fn of(&self, products: impl IntoIterator<Item = TypeProduct>) -> AlloyType {
        let mut ty = AlloyType::default();
        for product in products {
            self.add(&mut ty, product);
        }
        ty
    }

    /// Adds a product, unless it is within one that is there.
    pub(crate) fn add(&self, ty: &mut AlloyType, product: TypeProduct) {
        // Products without tuples are all the same, whatever their other columns are.
        let product = if self.is_empty_product(&product) {
            vec![self.none(); product.len()]
        } else {
            product
        };
        let within = |a: &TypeProduct, b: &TypeProduct| {
            a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| self.within(a, b))
        };
        if ty.products.iter().any(|other| within(&product, other)) {
            return;
        }
        ty.products.retain(|other| !within(other, &product));
        ty.products.push(product);
    }

    /// Everything of both, formulas included.
    pub(crate) fn merge(&self, a: &AlloyType, b: &AlloyType) -> AlloyType {
        let mut ty = a.clone();
        ty.is_formula |= b.is_formula;
        ty.is_integer |= b.is_integer;
        for product in &b.products {
            self.add(&mut ty, product.clone());
        }
        ty
    }

    /// The union of two types, for the numbers of columns they share.
    pub(crate) fn union(&self, a: &AlloyType, b: &AlloyType) -> AlloyType {
        let shared =
            |product: &&TypeProduct| a.has_arity(product.len()) && b.has_arity(product.len());
        let products = a.products.iter().chain(&b.products).filter(shared);
        self.of(products.cloned())
    }

    pub(crate) fn meet_products(&self, a: &[SigId], b: &[SigId]) -> Option<TypeProduct> {
        if a.len() != b.len() {
            return None;
        }
        Some(a.iter().zip(b).map(|(&a, &b)| self.meet(a, b)).collect())
    }

    /// What two types have in common.
    pub(crate) fn intersection(&self, a: &AlloyType, b: &AlloyType) -> AlloyType {
        let mut ty = AlloyType::default();
        for left in &a.products {
            for right in &b.products {
                if let Some(product) = self.meet_products(left, right) {
                    self.add(&mut ty, product);
                }
            }
        }
        ty
    }

    /// Whether two types have a tuple in common.
    pub(crate) fn intersects(&self, a: &AlloyType, b: &AlloyType) -> bool {
        a.products.iter().any(|left| {
            b.products.iter().any(|right| {
                self.meet_products(left, right)
                    .is_some_and(|product| !self.is_empty_product(&product))
            })
        })
    }

    pub(crate) fn product(&self, a: &AlloyType, b: &AlloyType) -> AlloyType {
        let mut ty = AlloyType::default();
        for left in &a.products {
            for right in &b.products {
                self.add(&mut ty, [&left[..], &right[..]].concat());
            }
        }
        ty
    }

    /// The join of two products, if it has a column.
    pub(crate) fn join_products(&self, a: &[SigId], b: &[SigId]) -> Option<TypeProduct> {
        if a.len() + b.len() <= 2 {
            return None;
        }
        let (last, first) = (a[a.len() - 1], b[0]);
        let columns = a[..a.len() - 1].iter().chain(&b[1..]).copied();
        let empty = self.meet(last, first) == self.none();
        Some(if empty {
            vec![self.none(); a.len() + b.len() - 2]
        } else {
            columns.collect()
        })
    }

    pub(crate) fn join(&self, a: &AlloyType, b: &AlloyType) -> AlloyType {
        let mut ty = AlloyType::default();
        for left in &a.products {
            for right in &b.products {
                if let Some(product) = self.join_products(left, right) {
                    self.add(&mut ty, product);
                }
            }
        }
        ty
    }

    /// Pairs turned round.
    pub(crate) fn transpose(&self, a: &AlloyType) -> AlloyType {
        let pairs = a.products.iter().filter(|product| product.len() == 2);
        self.of(pairs.map(|product| vec![product[1], product[0]]))
    }

    /// The pairs that chains of pairs lead to.
    pub(crate) fn closure(&self, a: &AlloyType) -> AlloyType {
        let mut whole = a.of_arity(2);
        let step = whole.clone();
        // Longer chains have columns of the pairs only, of which there are finitely many: the loop ends.
        loop {
            let longer = self.join(&whole, &step);
            let next = self.merge(&whole, &longer);
            if next == whole {
                return whole;
            }
            whole = next;
        }
    }

    /// The pairs of `of` that lie on a chain from the first to the second column of `wanted`.
    pub(crate) fn on_chains(&self, wanted: &AlloyType, of: &AlloyType) -> AlloyType {
        let touch = |a: SigId, b: SigId| self.meet(a, b) != self.none();
        let pairs: Vec<&TypeProduct> = of.products.iter().filter(|p| p.len() == 2).collect();
        let wanted: Vec<&TypeProduct> = wanted.products.iter().filter(|p| p.len() == 2).collect();
        let spread = |start: &dyn Fn(&TypeProduct) -> bool,
                      follows: &dyn Fn(&TypeProduct, &TypeProduct) -> bool| {
            let mut reached: Vec<bool> = pairs.iter().map(|pair| start(pair)).collect();
            loop {
                let more: Vec<usize> = (0..pairs.len())
                    .filter(|&to| !reached[to])
                    .filter(|&to| {
                        (0..pairs.len())
                            .any(|from| reached[from] && follows(pairs[from], pairs[to]))
                    })
                    .collect();
                if more.is_empty() {
                    return reached;
                }
                more.into_iter().for_each(|at| reached[at] = true);
            }
        };
        // First the pairs that a chain from the first column reaches, then those from which one reaches the
        // second.
        let from = spread(
            &|pair| wanted.iter().any(|w| touch(w[0], pair[0])),
            &|a, b| touch(a[1], b[0]),
        );
        let to = spread(
            &|pair| wanted.iter().any(|w| touch(w[1], pair[1])),
            &|a, b| touch(b[1], a[0]),
        );
        let both = (0..pairs.len()).filter(|&at| from[at] && to[at]);
        self.of(both.map(|at| pairs[at].clone()))
    }

    /// The first columns of two types have an atom in common.
    pub(crate) fn first_columns_overlap(&self, a: &AlloyType, b: &AlloyType) -> bool {
        a.products.iter().any(|left| {
            b.products
                .iter()
                .any(|right| self.meet(left[0], right[0]) != self.none())
        })
    }
}
