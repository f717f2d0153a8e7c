//! Variables and arrays of them.

use wherefore_base::{Diagnostic, Span, Value, deep};
use wherefore_model::VarId;

use super::{Builder, ITEM, Raw, RawType};
use crate::ast::{BinaryOp, ExprId, ExprKind, Type, UnaryOp, VarSection};
use crate::scope::{Array, Entity, InstanceId};

/// The most elements all arrays of a model may have.
const MOST_ELEMENTS: usize = 1 << 20;
/// The longest way through names to the value of an index.
const LONGEST: usize = 64;

impl<'p> Builder<'p, '_> {
    /// Declares a variable, or the variables of an array; `None` when the type is wrong.
    pub(super) fn storage(
        &mut self,
        context: InstanceId,
        section: VarSection,
        name: String,
        span: Span,
        ty: &'p Type,
    ) -> Option<Entity> {
        match ty {
            Type::Array(low, high, element) => {
                let (low, high) = self.bounds(*low, *high)?;
                let mut items = Vec::new();
                for index in low..=high {
                    self.effort.spend(ITEM)?;
                    let name = format!("{name}[{index}]");
                    self.letters += name.len();
                    let item = deep(|| self.storage(context, section, name, span, element));
                    items.push(item?);
                }
                Some(Entity::Array(self.scope.arrays.push(Array { low, items })))
            }
            Type::Instance(_, _, here) | Type::Process(_, _, here) => {
                let message = "An array cannot have instances of modules as its elements";
                let diagnostic = Diagnostic::error(*here, message)
                    .help("Declare the instances one by one, each with a name of its own.");
                self.report.tell(diagnostic);
                None
            }
            _ => {
                if let Type::Enum(values, _) = ty {
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
        self.raw.push(Raw {
            name,
            section,
            span,
            ty,
            context,
        });
        id
    }

    /// The bounds of an array, which are numerals.
    fn bounds(&mut self, low: ExprId, high: ExprId) -> Option<(i64, i64)> {
        let exprs = &self.program.exprs;
        let span = exprs[low].span.to(exprs[high].span);
        let bounds = self.numeral(low).zip(self.numeral(high));
        let problem = match bounds {
            None => "The bounds of an array must be numerals".to_owned(),
            Some((low, high)) if low > high => format!("The range {low}..{high} is empty"),
            Some((low, high)) => {
                let size = usize::try_from(high.abs_diff(low)).unwrap_or(usize::MAX);
                self.elements = self.elements.saturating_add(size);
                if self.elements <= MOST_ELEMENTS {
                    return bounds;
                }
                "The arrays of the model have too many elements".to_owned()
            }
        };
        self.report.tell(Diagnostic::error(span, problem));
        None
    }

    /// The value of a numeral, its sign included.
    fn numeral(&self, id: ExprId) -> Option<i64> {
        match self.program.exprs[id].kind {
            ExprKind::Int(n) => Some(n),
            ExprKind::Unary(UnaryOp::Negate, a) => self.numeral(a)?.checked_neg(),
            _ => None,
        }
    }

    /// The value of an index on the way to something that a parameter stands for, if it is constant.
    pub(super) fn constant_index(&mut self, context: InstanceId, index: ExprId) -> Option<i64> {
        self.quiet_constant(context, index, LONGEST)
    }

    fn quiet_constant(&mut self, context: InstanceId, id: ExprId, fuel: usize) -> Option<i64> {
        let fuel = fuel.checked_sub(1)?;
        match self.program.exprs[id].kind {
            ExprKind::Int(n) => Some(n),
            ExprKind::Unary(UnaryOp::Negate, a) => {
                self.quiet_constant(context, a, fuel)?.checked_neg()
            }
            ExprKind::Binary(op, a, b) => {
                let a = self.quiet_constant(context, a, fuel)?;
                let b = self.quiet_constant(context, b, fuel)?;
                match op {
                    BinaryOp::Add => a.checked_add(b),
                    BinaryOp::Sub => a.checked_sub(b),
                    BinaryOp::Mul => a.checked_mul(b),
                    _ => None,
                }
            }
            ExprKind::Name(_) | ExprKind::Dot(..) => match self.path(context, id)? {
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
