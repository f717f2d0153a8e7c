module ctlfc_several[S, C]

-- As ctlfc, with several fairness constraints, one for each atom of C. Facts of the model say what
-- initialState, nextState and fc[c] are.

one sig TS {
  S0: some S, -- the initial states
  sigma: S -> S, -- the steps
  FC: C -> S -- for each constraint, states of which a fair path has some again and again
}

-- What a model defines by facts.
fun initialState: S { TS.S0 }
fun nextState: S -> S { TS.sigma }
fun fc: C -> S { TS.FC }

-- Connectives: a formula is the set of the states where it holds.
fun not_[p: S]: S { S - p }
fun and_[p, q: S]: S { p & q }
fun or_[p, q: S]: S { p + q }
fun imp_[p, q: S]: S { q + (S - p) }

-- The states on a cycle of steps that start in p, where going around can meet every constraint: each has
-- a state that is reached from here and leads back.
private fun cycles[p: S]: S {
  let r = ^(p <: nextState) | { s: (r & iden).S | C in fc.((r & ~r).s) }
}

-- The states that begin a fair path.
private fun Fair: S { eg[S] }

-- Some path that is fair: one that stays in p for ever gets to such a cycle in p.
fun ex[p: S]: S { nextState.(p & Fair) }
fun eu[p, q: S]: S { *(p <: nextState).(q & Fair) }
fun ef[p: S]: S { *nextState.(p & Fair) }
fun eg[p: S]: S { *(p <: nextState).(cycles[p]) }

-- Every path that is fair: no path does the contrary.
fun ax[p: S]: S { S - ex[S - p] }
fun af[p: S]: S { S - eg[S - p] }
fun ag[p: S]: S { S - ef[S - p] }
fun au[p, q: S]: S { S - eg[S - q] - eu[S - q, S - p - q] }

-- The formula holds in every initial state.
pred ctlfc_mc[p: S] { initialState in p }
