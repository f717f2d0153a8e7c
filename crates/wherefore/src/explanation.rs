//! The proof of an answer, opened claim by claim, in words.

use std::ops::{Deref, DerefMut};

use wherefore_driver::ModelSubject;
use wherefore_driver::base::Run;
use wherefore_driver::evidence::ProofId;
use wherefore_driver::explain::{Inquiry, ProofScene};
use wherefore_driver::model::PropertyBody;
use wherefore_driver::view::explain::Explainer;
use wherefore_driver::view::explore::Style;
use wherefore_driver::view::wire::CheckDocument;
use wherefore_driver::view::{Ink, json, print};

/// How text looks unless the caller says otherwise.
pub(crate) const STYLE: Style = Style {
    color: false,
    ascii: false,
    width: 80,
};

/// A proof that the caller explores.
///
/// Everything that changes it is in [`Inquiry`], to which it dereferences: [`take`](Inquiry::take) a choice at an
/// obligation, show [all](Inquiry::grow) that is left, [undo](Inquiry::undo). What is added here puts it into words.
pub struct Explanation<'p> {
    inquiry: Inquiry<'p>,
    model: &'p ModelSubject,
    property: usize,
    /// How text looks.
    pub style: Style,
}

impl<'p> Deref for Explanation<'p> {
    type Target = Inquiry<'p>;

    fn deref(&self) -> &Inquiry<'p> {
        &self.inquiry
    }
}

impl DerefMut for Explanation<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.inquiry
    }
}

impl<'p> Explanation<'p> {
    pub(crate) fn new(inquiry: Inquiry<'p>, model: &'p ModelSubject, property: usize) -> Self {
        Self {
            inquiry,
            model,
            property,
            style: STYLE,
        }
    }

    /// The obligations, best shown first: each number with its claim, as "`AF f` is false at step 2".
    pub fn obligations(&self) -> Run<Vec<(ProofId, String)>> {
        let scene = self.scene()?;
        let explainer = self.explainer(&scene);
        let open = scene.open.iter();
        let open = open.map(|open| (open.number, explainer.claim(open.claim, open.at, open.rank)));
        Ok(open.collect())
    }

    /// The choices at an obligation, by their numbers from 0: each as "one step to p=TRUE". Nothing when there is no
    /// such obligation.
    pub fn choices(&mut self, obligation: ProofId) -> Run<Vec<String>> {
        let offers = self.inquiry.offers(obligation)?;
        let scene = self.scene()?;
        let explainer = self.explainer(&scene);
        let Some(open) = scene.open.iter().find(|open| open.number == obligation) else {
            return Ok(Vec::new());
        };
        let offers = offers.iter();
        let offers = offers.map(|offer| explainer.way(open.at, &offer.way, offer.outlook));
        Ok(offers.collect())
    }

    /// What is shown so far: the verdict, the reason, and the runs.
    pub fn text(&self) -> Run<String> {
        let scene = self.scene()?;
        let explainer = self.explainer(&scene);
        let property = &self.model.model().properties[self.property];
        let mut lines = explainer.heading(property, scene.holds);
        lines.extend(explainer.summary(scene.open.len()));
        lines.push(Ink::default());
        lines.extend(explainer.run(&|_| true).into_iter().map(|line| line.ink));
        Ok(print(&lines, self.style.color))
    }

    /// The evidence so far as the JSON document of `wherefore explain --format json`.
    pub fn json(&self) -> Run<String> {
        let findings = [self.inquiry.finding(self.property)?];
        let report = self.model.report(Some(self.inquiry.summary()), &findings);
        Ok(CheckDocument::new(vec![json::model(&report)]).render())
    }

    fn explainer<'a>(&'a self, scene: &'a ProofScene) -> Explainer<'a> {
        let PropertyBody::Query(query) = &self.model.model().properties[self.property].body else {
            unreachable!("only formulas of CTL have a proof that is explored");
        };
        Explainer {
            report: self.model.report(Some(self.inquiry.summary()), &[]),
            query,
            evidence: &scene.evidence,
            style: self.style,
            full: false,
            backward: false,
            vars: None,
        }
    }
}
