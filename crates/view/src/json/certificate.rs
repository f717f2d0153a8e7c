//! Certificates in the document: sets of states by the values of variables, and how they fit together.

use wherefore_evidence::certificate::{
    self as cert, Certified, How, Layer, LayerReason, Over, Recheck, StateSet,
};
use wherefore_model::Query;
use wherefore_wire::{
    AllowedDoc, CertificateClaimDoc, CertificateDoc, CertificateRuleName, CertifiedDoc, EndlessDoc,
    LayerDoc, LayerReasonName, LiveDoc, ShowsName, StateSetDoc, UnfairDoc,
};

use super::value;
use crate::Report;
use crate::certificate::{Scope, no_certificate, recheck_note};
use crate::words::sub_text;

/// Why a property holds, or why that is not said.
pub(super) fn certificate(
    report: &Report<'_>,
    query: Option<&Query>,
    certified: &Certified,
) -> CertificateDoc {
    match certified {
        Certified::None(why) => CertificateDoc {
            reason: Some(no_certificate(*why).to_string()),
            given: None,
        },
        Certified::Given {
            certificate,
            over,
            recheck,
        } => CertificateDoc {
            reason: None,
            given: Some(given(
                Scope::new(report, *over),
                query,
                certificate,
                recheck,
            )),
        },
    }
}

fn given(
    scope: Scope<'_>,
    query: Option<&Query>,
    certificate: &cert::Certificate,
    recheck: &Recheck,
) -> CertifiedDoc {
    let report = scope.report;
    // Other questions than the property itself have sub-formulas of their own.
    let query = query.filter(|_| matches!(scope.over, Over::Model | Over::Product));
    let turns = match scope.over {
        Over::Turns(turns) => Some(turns),
        Over::Model | Over::Product | Over::States | Over::Loops { .. } => None,
    };
    let sets = |sets: &[StateSet]| sets.iter().map(|s| set(scope, s)).collect::<Vec<_>>();
    let layers = |layers: &[Layer]| layers.iter().map(|l| layer(scope, l)).collect::<Vec<_>>();
    let endless = |endless: &cert::EndlessStates| EndlessDoc {
        states: set(scope, &endless.states),
        rings: endless.rings.iter().map(|rings| sets(rings)).collect(),
    };
    let claim = |claim: &cert::Proved| {
        let mut told = CertificateClaimDoc {
            sub: claim.goal.sub.index(),
            holds: claim.goal.holds,
            text: query.map_or_else(String::new, |q| sub_text(report, q, claim.goal.sub)),
            states: set(scope, &claim.states),
            rule: CertificateRuleName::Step,
            layers: None,
            rings: None,
            endless: None,
            steps: None,
        };
        told.rule = match &claim.how {
            How::Step => CertificateRuleName::Step,
            How::Closed => CertificateRuleName::Closed,
            How::Leaves(list) => {
                told.layers = Some(layers(list));
                CertificateRuleName::Leaves
            }
            How::Reaches { rings, endless: e } => {
                told.rings = Some(sets(rings));
                told.endless = e.as_ref().map(endless);
                CertificateRuleName::Reaches
            }
            How::Bounded(steps) => {
                told.steps = Some(sets(steps));
                CertificateRuleName::Bounded
            }
        };
        told
    };
    CertifiedDoc {
        product: scope.over == Over::Product,
        shows: match scope.over {
            Over::Model | Over::Product => None,
            Over::States => Some(ShowsName::States),
            Over::Turns(_) => Some(ShowsName::Turns),
            Over::Loops { .. } => Some(ShowsName::Loops),
        },
        turns: turns.map(|turns| turns.most),
        counted: turns.map(|turns| turns.counted),
        rechecked: matches!(recheck, Recheck::Ok(_)),
        note: recheck_note(report, recheck).map(|note| note.to_string()),
        conditions: match recheck {
            Recheck::Ok(conditions) => Some(*conditions),
            _ => None,
        },
        invariant: set(scope, &certificate.invariant),
        unfair: certificate.unfair.as_ref().map(|unfair| UnfairDoc {
            states: set(scope, &unfair.states),
            layers: layers(&unfair.layers),
        }),
        live: certificate.live.as_ref().map(|live| LiveDoc {
            endless: endless(&live.endless),
            around: sets(&live.around),
        }),
        claims: certificate.claims.iter().map(claim).collect(),
    }
}

fn layer(scope: Scope<'_>, layer: &Layer) -> LayerDoc {
    let (reason, which) = match layer.reason {
        LayerReason::StepsOut => (LayerReasonName::StepsOut, None),
        LayerReason::Justice(at) => (LayerReasonName::Justice, Some(at)),
        LayerReason::Compassion(at) => (LayerReasonName::Compassion, Some(at)),
    };
    LayerDoc {
        reason,
        which,
        states: set(scope, &layer.states),
    }
}

fn set(scope: Scope<'_>, set: &StateSet) -> StateSetDoc {
    let cubes = set.cubes.iter().map(|cube| {
        let conditions = cube.values.iter().map(|(var, values)| {
            let values = values.iter().map(|&v| value(scope.report, v)).collect();
            (scope.variable(*var), AllowedDoc::Values(values))
        });
        let bits = cube
            .bits
            .iter()
            .map(|&(var, bits)| (scope.variable(var), AllowedDoc::Bits(bits.to_string())));
        conditions.chain(bits).collect()
    });
    let cubes = Some(cubes.collect());
    if set.outside {
        StateSetDoc {
            none_of: cubes,
            any_of: None,
        }
    } else {
        StateSetDoc {
            any_of: cubes,
            none_of: None,
        }
    }
}
