//! Variables and arrays of them.

use wherefore_base::{Diagnostic, Span, Value, deep};
use wherefore_model::VarId;

use super::{DeclarationBuilder, ITEM, RawType, RawVariable};
use crate::ast::{SmvBinaryOp, SmvExprId, SmvExprKind, SmvUnaryOp, TypeDecl, VarSection};
use crate::scope::{Array, Entity, InstanceId};

/// The most elements all arrays of a model may have.
const MOST_ELEMENTS: usize = 1 << 20;
/// The most arrays that may be inside of each other.
const MOST_DIMENSIONS: usize = 64;
/// The longest way through names to the value of an index.
const LONGEST: usize = 64;

impl<'p> DeclarationBuilder<'p, '_> {
    /// Declares a variable, or the variables of an array; `None` when the type is wrong.
    pub(super) fn storage(
        &mut self,
        context: InstanceId,
        section: VarSection,
        name: String,
        span: Span,
        ty: &'p TypeDecl,
    ) -> Option<Entity> {
        self.few_elements(context, ty)?;
        self.elements_of(context, section, name, span, ty)
    }

    /// Insists on arrays that are not too large, before anything is made of them.
    fn few_elements(&mut self, context: InstanceId, ty: &TypeDecl) -> Option<()> {
        let (mut at, mut all, mut dimensions, mut place) = (ty, 1_usize, 0, None);
        while let TypeDecl::Array(low, high, element) = at {
            let (first, last) = self.bounds(context, *low, *high)?;
            let size = usize::try_from(last.abs_diff(first)).unwrap_or(usize::MAX);
            all = all.saturating_mul(size.saturating_add(1));
            dimensions += 1;
            let exprs = &self.program.exprs;
            place.get_or_insert(exprs[*low].span.to(exprs[*high].span));
            at = element;
        }
        let Some(place) = place else {
            return Some(());
        };
        self.elements = self.elements.saturating_add(all);
        let problem = if dimensions > MOST_DIMENSIONS {
            format!(
                "An array has at most {MOST_DIMENSIONS} dimensions, but this one has {dimensions}"
            )
        } else if self.elements > MOST_ELEMENTS {
            format!("The arrays of the model have more than {MOST_ELEMENTS} elements")
        } else {
            return Some(());
        };
        self.report.tell(Diagnostic::error(place, problem));
        None
    }

    fn elements_of(
        &mut self,
        context: InstanceId,
        section: VarSection,
        name: String,
        span: Span,
        ty: &'p TypeDecl,
    ) -> Option<Entity> {
        match ty {
            TypeDecl::Array(low, high, element) => {
                let (low, high) = self.bounds(context, *low, *high)?;
                let mut items = Vec::new();
                for index in low..=high {
                    self.effort.spend(ITEM)?;
                    let name = format!("{name}[{index}]");
                    self.letters += name.len();
                    let item = deep(|| self.elements_of(context, section, name, span, element));
                    items.push(item?);
                }
                Some(Entity::Array(self.scope.arrays.push(Array { low, items })))
            }
            TypeDecl::Instance(_, _, here) | TypeDecl::Process(_, _, here) => {
                let message = "An array cannot have instances of modules as its elements";
                let diagnostic = Diagnostic::error(*here, message)
                    .help("Declare the instances one by one, each with a name of its own.");
                self.report.tell(diagnostic);
                None
            }
            _ => {
                if let TypeDecl::Enum(values, _) = ty {
                    let symbols = values.iter().filter_map(|v| match v.value {
                        Value::Symbol(symbol) => Some(symbol),
                        _ => None,
                    });
                    self.scope.constants.extend(symbols);
                }
                let ty = RawType::Written(ty);
                Some(Entity::Var(self.hold(context, section, name, span, ty)))
            }
        }
    }

    /// Notes a variable.
    pub(super) fn hold(
        &mut self,
        context: InstanceId,
        section: VarSection,
        name: String,
        span: Span,
        ty: RawType<'p>,
    ) -> VarId {
        let id = VarId::new(self.raw.len());
        self.raw.push(RawVariable {
            name,
            section,
            span,
            ty,
            context,
        });
        id
    }

    /// The bounds of an array, which are constants.
    fn bounds(
        &mut self,
        context: InstanceId,
        low: SmvExprId,
        high: SmvExprId,
    ) -> Option<(i64, i64)> {
        let exprs = &self.program.exprs;
        let span = exprs[low].span.to(exprs[high].span);
        let (low, high) = (
            self.constant_index(context, low),
            self.constant_index(context, high),
        );
        let bounds = low.zip(high);
        let diagnostic = match bounds {
            None => Diagnostic::error(span, "The bounds of an array must be constants").help(
                "Numerals, parameters and definitions that stand for them, and sums, differences and products of these are.",
            ),
            Some((low, high)) if low > high => {
                Diagnostic::error(span, format!("The range {low}..{high} is empty"))
            }
            Some(_) => return bounds,
        };
        self.report.tell(diagnostic);
        None
    }

    /// The value of an index, or of a bound, if it is constant.
    pub(super) fn constant_index(&mut self, context: InstanceId, index: SmvExprId) -> Option<i64> {
        self.quiet_constant(context, index, LONGEST)
    }

    fn quiet_constant(&mut self, context: InstanceId, id: SmvExprId, fuel: usize) -> Option<i64> {
        let fuel = fuel.checked_sub(1)?;
        match self.program.exprs[id].kind {
            SmvExprKind::Int(n) => Some(n),
            SmvExprKind::Unary(SmvUnaryOp::Negate, a) => {
                self.quiet_constant(context, a, fuel)?.checked_neg()
            }
            SmvExprKind::Binary(op, a, b) => {
                let a = self.quiet_constant(context, a, fuel)?;
                let b = self.quiet_constant(context, b, fuel)?;
                match op {
                    SmvBinaryOp::Add => a.checked_add(b),
                    SmvBinaryOp::Sub => a.checked_sub(b),
                    SmvBinaryOp::Mul => a.checked_mul(b),
                    _ => None,
                }
            }
            SmvExprKind::Name(_) | SmvExprKind::Dot(..) => match self.path(context, id)? {
                Entity::Named(named) => {
                    let named = &self.scope.named[named];
                    let (context, body) = (named.context, named.body);
                    self.quiet_constant(context, body, fuel)
                }
                _ => None,
            },
            _ => None,
        }
    }
}
