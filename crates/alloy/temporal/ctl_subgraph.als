module ctl_subgraph[S]

-- As ctl, along some of the steps of the system instead of all steps: an instance shows where a formula fails.

one sig TS {
  S0: some S, -- the initial states
  sigma: S -> S -- the steps
}

-- What a model defines by facts.
fun initialState: S { TS.S0 }
fun nextState: S -> S { TS.sigma }

-- Some of the steps, reached one after the other from some state.
sig Transition {
  transFrom: S,
  transTo: S
}

fun subState: S { Transition.transFrom + Transition.transTo }
fun subSigma: S -> S { ~transFrom.transTo }

fact {
  subSigma in nextState
  all disj a, b: Transition | a.transFrom != b.transFrom || a.transTo != b.transTo
  some s: S | Transition in transFrom.s.*(transTo.~transFrom)
}

-- Connectives: a formula is the set of the states where it holds.
fun not_[p: S]: S { S - p }
fun and_[p, q: S]: S { p & q }
fun or_[p, q: S]: S { p + q }
fun imp_[p, q: S]: S { q + (S - p) }

-- The states on a cycle of steps that start in p.
private fun cycles[p: S]: S { (^(p <: subSigma) & iden).S }

-- Some path: one that stays in p for ever gets to a cycle in p.
fun ex[p: S]: S { subSigma.p }
fun eu[p, q: S]: S { *(p <: subSigma).q }
fun ef[p: S]: S { *subSigma.p }
fun eg[p: S]: S { *(p <: subSigma).(cycles[p]) }

-- Every path: no path does the contrary.
fun ax[p: S]: S { S - ex[S - p] }
fun af[p: S]: S { S - eg[S - p] }
fun ag[p: S]: S { S - ef[S - p] }
fun au[p, q: S]: S { S - eg[S - q] - eu[S - q, S - p - q] }

-- The formula holds in every initial state.
pred ctl_mc[p: S] { initialState in p }
