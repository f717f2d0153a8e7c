module util/graph[node]

-- Properties of graphs whose nodes are the atoms of a signature.

open util/relation as rel

pred undirected[r: node -> node] { symmetric[r] }
pred noSelfLoops[r: node -> node] { irreflexive[r] }

pred weaklyConnected[r: node -> node] { all x, y: node | x in y.*(r + ~r) }
pred stronglyConnected[r: node -> node] { all x, y: node | x in y.*r }

pred rootedAt[r: node -> node, root: node] { node in root.*r }
pred ring[r: node -> node] { all n: node | one n.r && rootedAt[r, n] }

pred dag[r: node -> node] { acyclic[r, node] }
pred forest[r: node -> node] {
  dag[r]
  all n: node | lone r.n
}
pred tree[r: node -> node] {
  forest[r]
  lone root: node | no r.root
}
pred treeRootedAt[r: node -> node, root: node] {
  forest[r]
  rootedAt[r, root]
}

-- Nodes where the graph begins and where it ends.
fun roots[r: node -> node]: set node { node - node.^r }
fun leaves[r: node -> node]: set node { node - node.^(~r) }
fun innerNodes[r: node -> node]: set node { node - leaves[r] }
