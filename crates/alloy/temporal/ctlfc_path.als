module ctlfc_path[S]

-- As ctlfc, along one path of the system instead of all steps: an instance shows where a formula fails.

one sig TS {
  S0: some S, -- the initial states
  sigma: S -> S, -- the steps
  FC: set S -- states of which a fair path has some again and again
}

-- What a model defines by facts.
fun initialState: S { TS.S0 }
fun nextState: S -> S { TS.sigma }
fun fc: S { TS.FC }

-- A path of different states, node by node; its last node may lead back to one before.
sig PathNode {
  nodeState: disj one S,
  nextNode: lone PathNode
}
one sig P0 in PathNode {}

fun pathState: S { PathNode.nodeState }
fun pathSigma: S -> S { ~nodeState.nextNode.nodeState }

fact {
  P0.nodeState in initialState
  pathSigma in nextState
  PathNode in P0.*nextNode
}

-- The path has an end.
pred finitePath { some nodes: PathNode | no nodes.nextNode }

-- Connectives: a formula is the set of the states where it holds.
fun not_[p: S]: S { S - p }
fun and_[p, q: S]: S { p & q }
fun or_[p, q: S]: S { p + q }
fun imp_[p, q: S]: S { q + (S - p) }

-- The states on a cycle of steps that start in p.
private fun cycles[p: S]: S { (^(p <: pathSigma) & iden).S }

-- The states that begin a fair path.
private fun Fair: S { eg[S] }

-- Some path that is fair: one that stays in p for ever gets to a cycle in p with a state of fc.
fun ex[p: S]: S { pathSigma.(p & Fair) }
fun eu[p, q: S]: S { *(p <: pathSigma).(q & Fair) }
fun ef[p: S]: S { *pathSigma.(p & Fair) }
fun eg[p: S]: S { *(p <: pathSigma).(cycles[p] & fc) }

-- Every path that is fair: no path does the contrary.
fun ax[p: S]: S { S - ex[S - p] }
fun af[p: S]: S { S - eg[S - p] }
fun ag[p: S]: S { S - ef[S - p] }
fun au[p, q: S]: S { S - eg[S - q] - eu[S - q, S - p - q] }

-- The formula holds in every initial state.
pred ctlfc_mc[p: S] { initialState in p }
