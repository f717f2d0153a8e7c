// Documents that are made up: too long, or hostile.

import type { CheckDocument, EvidenceDoc, GuaranteeName, NoteName, PropertyDoc, SuspectName } from '../../src/api/wire';

const wrap = (properties: PropertyDoc[], more: Partial<CheckDocument['models'][number]> = {}): CheckDocument => ({
  schema: 'wherefore/1', tool: { name: 'wherefore', version: '0.1.0' },
  models: [{ path: 'made-up.smv', language: 'smv', space: { engine: 'explicit', states: 7, transitions: 9 }, properties, notes: [], ...more }],
});

const property = (name: string, evidence: EvidenceDoc | null, more: Partial<PropertyDoc> = {}): PropertyDoc => ({
  name, text: 'AG p', line: 1, column: 1, kind: 'ctl', class: 'safety', verdict: 'fails', vacuous: null, reach: { kind: 'complete', meaning: 'real' }, evidence, ...more,
});

/** A run of so many steps with a counter, a truth value and a word. */
export function longRun(length: number): CheckDocument {
  const states = Array.from({ length }, (_, id) => ({ id, values: { n: id % 1000, even: id % 2 === 0, phase: ['idle', 'busy', 'done'][id % 3] ?? 'idle' } }));
  const evidence: EvidenceDoc = {
    shape: 'path', minimal: { measure: 'steps', length: length - 1, proved: true, at_least: length - 1, at_least_by: 'checker' }, replayed: true, states,
    edges: states.slice(1).map((state, at) => ({
      from: at, to: state.id, action: null,
      changes: Object.entries(state.values).map(([variable, value]) => ({ variable, old: states[at]?.values[variable as 'n'] ?? 0, new: value })),
    })),
    loop: null, segments: [{ from: null, main: true, sub: 0, holds: false, states: states.map(state => state.id), ending: 'goal', to: null }], regions: [],
    formula: [{ id: 0, text: 'AG p' }], proof: [{ state: 0, sub: 0, holds: false, rule: 'continue', premises: [] }],
    truth: Object.fromEntries(states.map(state => [String(state.id), [state.id % 5 === 0]])),
  };
  return wrap([property('long', evidence)]);
}

export const HOSTILE = [
  '<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '\'"`&amp;</script><script>alert(2)</script>', '\u0000\u0007\u001b[31m\u202e\u2028', 'x'.repeat(10_000), '{{7*7}}${7*7}', 'javascript:alert(3)', '__proto__', '../../etc/passwd', '%2e%2e/#?&=',
];

/** A document in which every name and text is hostile. */
export function hostile(): CheckDocument {
  const values = Object.fromEntries(HOSTILE.map((name, at) => [name, HOSTILE[(at + 1) % HOSTILE.length] ?? '']));
  const later = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, `${value}!`]));
  const changes = Object.entries(values).map(([variable, old]) => ({ variable, old, new: later[variable] ?? '' }));
  const properties = HOSTILE.map(name => property(name, {
    shape: 'lasso', minimal: { measure: 'steps', length: 1, proved: true, at_least: 1, at_least_by: 'checker' }, replayed: true, replay_note: name,
    states: [{ id: 0, values }, { id: 1, values: later }],
    edges: [{ from: 0, to: 1, action: name, changes }, { from: 1, to: 0, action: name, changes: [] }],
    loop: 0, segments: [{ from: null, main: true, sub: 0, holds: false, states: [0, 1], ending: 'loop', to: 0, fair: [{ constraint: name, state: 0 }] }], regions: [],
    formula: [{ id: 0, text: name }, { id: 1, text: `AG (${name})` }],
    proof: [{ state: 0, sub: 1, holds: false, rule: 'goal', premises: [1] }, { state: 0, sub: 0, holds: false, rule: 'state', premises: [] }],
    truth: { 0: [false, false], 1: [true, false] }, causes: [{ state: 1, variable: name, exact: false }],
  }, {
    blame: [
      { line: 1, column: 1, end: { line: 1, column: 2 }, role: name as SuspectName, why: name, guarantee: name as GuaranteeName, mend: { from: 0, to: 1, text: name, before: name, after: name, holds: 1, of: 1, breaks: [name] } },
    ],
    text: name, vacuous: name, notes: [{ kind: name as NoteName, text: name }],
    decisions: [{ sub: 0, choice: 'lost', from: 0, to: 1, instead: [later], more: true }],
    analysis: {
      reading: 'branching', outlook: 'mixed', notes: [name], system: { states: 1, transitions: 1, labels: 1 }, counterexamples: { states: 1, transitions: 1, labels: 1 },
      tags: { correct: 1, incorrect: 1, neutral: 1 }, neighbourhoods: { total: 1, cn: 0, in: 0, ci: 1, cin: 0, percent: 100, groups: 1 }, shortest: null,
      run: { which: 'shortest', length: 1, abstracted: 1, ending: 'reached', loop: null, states: [{ state: 0, at: 0, neighbourhood: { type: 'ci', correct: [name], incorrect: [name], neutral: [] } }, { state: 1, at: 1, neighbourhood: null }], steps: [{ action: name, tag: 'incorrect', kept: true }] },
      deciding: [{ label: name, correct: 1, incorrect: 1 }], idle: [name], groups: [{ type: 'ci', correct: [name], incorrect: [name], neutral: [name], count: 1, state: 0 }],
    },
  }));
  return wrap(properties, { path: HOSTILE[0] ?? '', notes: [{ kind: 'x' as NoteName, text: HOSTILE[1] ?? '', values }], diagnostics: [{ severity: 'warning', message: HOSTILE[2] ?? '', path: HOSTILE[1] ?? '', line: 1, column: 1, help: [HOSTILE[1] ?? ''] }] });
}

/** A tree: two branches that show two parts. */
export function tree(): CheckDocument {
  const evidence: EvidenceDoc = {
    shape: 'tree', minimal: { measure: 'steps', length: 3, proved: true, at_least: 3, at_least_by: 'checker' }, replayed: true,
    states: [0, 1, 2, 3].map(id => ({ id, values: { x: id } })),
    edges: [[0, 1], [0, 2], [2, 3], [3, 2]].map(([from = 0, to = 0]) => ({ from, to, action: null, changes: [{ variable: 'x', old: from, new: to }] })),
    loop: null, regions: [],
    segments: [
      { from: null, main: true, sub: 3, holds: false, states: [0], ending: 'goal', to: null },
      { from: 0, main: false, sub: 1, holds: false, states: [1], ending: 'dead-end', to: null },
      { from: 0, main: false, sub: 2, holds: false, states: [2, 3], ending: 'loop', to: 2, fair: [{ constraint: 'x = 3', state: 3 }] },
    ],
    formula: [{ id: 0, text: 'x = 0' }, { id: 1, text: 'AG x = 0' }, { id: 2, text: 'AF x = 9' }, { id: 3, text: 'AG x = 0 | AF x = 9' }],
    proof: [{ state: 0, sub: 3, holds: false, rule: 'branch', premises: [1, 2] }, { state: 0, sub: 1, holds: false, rule: 'step', premises: [] }, { state: 0, sub: 2, holds: false, rule: null, premises: [] }],
    truth: Object.fromEntries([0, 1, 2, 3].map(id => [String(id), [id === 0, false, false, false]])),
  };
  return wrap([property('both', evidence, { text: 'AG x = 0 | AF x = 9' }), property('unsure', null, { verdict: 'unknown', reason: 'Time ran out after 3 seconds.' })]);
}
