//! Certificates from a document, for a model.

use std::collections::HashMap;

use wherefore_base::Bits;
use wherefore_evidence::Cube;
use wherefore_evidence::certificate::{
    Certificate, EndlessStates, How, Layer, LayerReason, LiveStates, Over, Proved, StateSet, Turns,
    UnfairStates,
};
use wherefore_logic::{Goal, SubId};
use wherefore_model::{Model, VarId};
use wherefore_wire::{
    AllowedDoc, ByName, CertificateClaimDoc, CertificateDoc, CertificateRuleName, EndlessDoc,
    LayerDoc, LayerReasonName, ShowsName, StateSetDoc,
};

use super::{Datum, DocumentMisfit, fit};

/// The certificate of a document, over the variables of a model: for a property of runs, of the product
/// with its tableau.
///
/// # Errors
/// What does not fit the model.
pub fn rebuild(saved: &CertificateDoc, model: &Model) -> Result<Certificate, DocumentMisfit> {
    let Some(saved) = &saved.given else {
        return broken("parts of the certificate are missing");
    };
    let states = (0..model.state_vars()).map(VarId::new);
    let reader = Reader {
        model,
        vars: states.map(|var| (&*model.vars[var].name, var)).collect(),
    };
    let unfair = saved.unfair.as_ref().map(|unfair| {
        Ok(UnfairStates {
            states: reader.set(&unfair.states)?,
            layers: reader.layers(&unfair.layers)?,
        })
    });
    let live = saved.live.as_ref().map(|live| {
        Ok(LiveStates {
            endless: reader.endless(&live.endless)?,
            around: reader.sets(&live.around)?,
        })
    });
    let claims = saved.claims.iter().map(|claim| reader.claim(claim));
    Ok(Certificate {
        invariant: reader.set(&saved.invariant)?,
        unfair: unfair.transpose()?,
        live: live.transpose()?,
        claims: claims.collect::<Result<_, _>>()?,
    })
}

/// What the sets of a certificate of a document speak of.
pub fn over(saved: &CertificateDoc) -> Over {
    let Some(given) = &saved.given else {
        return Over::Model;
    };
    match (given.shows, given.turns, given.counted) {
        (Some(ShowsName::States), ..) => Over::States,
        (Some(ShowsName::Loops), ..) => Over::Loops {
            watches: usize::MAX,
        },
        (Some(ShowsName::Turns), Some(most), Some(counted)) => Over::Turns(Turns {
            most,
            counted,
            watches: usize::MAX,
        }),
        _ if given.product => Over::Product,
        _ => Over::Model,
    }
}

struct Reader<'a> {
    model: &'a Model,
    vars: HashMap<&'a str, VarId>,
}

fn broken<T>(what: &str) -> Result<T, DocumentMisfit> {
    Err(DocumentMisfit::Broken(what.to_string()))
}

impl Reader<'_> {
    fn claim(&self, claim: &CertificateClaimDoc) -> Result<Proved, DocumentMisfit> {
        let states = self.set(&claim.states)?;
        let how = match claim.rule {
            CertificateRuleName::Step => How::Step,
            CertificateRuleName::Closed => How::Closed,
            CertificateRuleName::Leaves => {
                How::Leaves(self.layers(claim.layers.as_deref().unwrap_or(&[]))?)
            }
            CertificateRuleName::Reaches => How::Reaches {
                rings: self.sets(claim.rings.as_deref().unwrap_or(&[]))?,
                endless: match &claim.endless {
                    Some(endless) => Some(self.endless(endless)?),
                    None => None,
                },
            },
            CertificateRuleName::Bounded => {
                How::Bounded(self.sets(claim.steps.as_deref().unwrap_or(&[]))?)
            }
        };
        let Ok(sub) = u32::try_from(claim.sub) else {
            return broken("a claim is about no sub-formula there is");
        };
        Ok(Proved {
            goal: Goal {
                sub: SubId::new(sub as usize),
                holds: claim.holds,
            },
            states,
            how,
        })
    }

    fn endless(&self, endless: &EndlessDoc) -> Result<EndlessStates, DocumentMisfit> {
        let rings = endless.rings.iter().map(|rings| self.sets(rings));
        Ok(EndlessStates {
            states: self.set(&endless.states)?,
            rings: rings.collect::<Result<_, _>>()?,
        })
    }

    fn layers(&self, layers: &[LayerDoc]) -> Result<Vec<Layer>, DocumentMisfit> {
        let layer = |layer: &LayerDoc| {
            let reason = match (layer.reason, layer.which) {
                (LayerReasonName::StepsOut, _) => LayerReason::StepsOut,
                (LayerReasonName::Justice, Some(at)) => LayerReason::Justice(at),
                (LayerReasonName::Compassion, Some(at)) => LayerReason::Compassion(at),
                _ => return broken("a layer has no reason there is"),
            };
            Ok(Layer {
                states: self.set(&layer.states)?,
                reason,
            })
        };
        layers.iter().map(layer).collect()
    }

    fn sets(&self, sets: &[StateSetDoc]) -> Result<Vec<StateSet>, DocumentMisfit> {
        sets.iter().map(|set| self.set(set)).collect()
    }

    fn set(&self, set: &StateSetDoc) -> Result<StateSet, DocumentMisfit> {
        let (cubes, outside) = match (&set.any_of, &set.none_of) {
            (Some(cubes), None) => (cubes, false),
            (None, Some(cubes)) => (cubes, true),
            _ => return broken("a set has not exactly one of `any_of` and `none_of`"),
        };
        let cubes = cubes.iter().map(|cube| self.cube(cube));
        Ok(StateSet {
            cubes: cubes.collect::<Result<_, _>>()?,
            outside,
        })
    }

    fn cube(&self, cube: &ByName<AllowedDoc>) -> Result<Cube, DocumentMisfit> {
        let (mut conditions, mut patterns) = (Vec::new(), Vec::new());
        for (name, allowed) in cube.iter() {
            let Some(&var) = self.vars.get(name) else {
                return Err(DocumentMisfit::Gone(vec![name.to_string()]));
            };
            match allowed {
                AllowedDoc::Bits(text) => {
                    let Some(bits) = Bits::read(text) else {
                        return broken("the bits of a variable are other signs than 0, 1 and *");
                    };
                    patterns.push((var, bits));
                }
                AllowedDoc::Values(values) => {
                    let values = values.iter();
                    let values = values.map(|v| fit::value(self.model, var, &Datum::of(v), 0));
                    conditions.push((var, values.collect::<Result<Vec<_>, _>>()?));
                }
            }
        }
        conditions.sort_by_key(|(var, _)| *var);
        patterns.sort_by_key(|(var, _)| *var);
        Ok(Cube {
            values: conditions,
            bits: patterns,
            ..Cube::default()
        })
    }
}
