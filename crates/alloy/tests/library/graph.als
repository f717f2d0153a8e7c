open util/graph[N]

sig N { r: set N }
one sig Root in N {}

check undirected_ { undirected[r] iff all x, y: N | x in y.r => y in x.r }
check noSelfLoops_ { noSelfLoops[r] iff all n: N | n not in n.r }
check weaklyConnected_ { weaklyConnected[r] iff all x, y: N | x in y.*(r + ~r) }
check stronglyConnected_ { stronglyConnected[r] iff all x, y: N | x in y.*r }
check rootedAt_ { rootedAt[r, Root] iff N in Root.*r }
check ring_ { ring[r] iff all n: N | one n.r and N in n.*r }
check dag_ { dag[r] iff no ^r & iden }
check forest_ { forest[r] iff no ^r & iden and all n: N | lone r.n }
check tree_ { tree[r] iff (no ^r & iden and (all n: N | lone r.n) and (lone n: N | no r.n)) }
check treeRootedAt_ { treeRootedAt[r, Root] iff (no ^r & iden and (all n: N | lone r.n) and N in Root.*r) }
check roots_ { roots[r] = N - N.^r }
check leaves_ { leaves[r] = N - N.^(~r) }
check innerNodes_ { innerNodes[r] = { n: N | some n.r } }
