module util/graph[node]

-- Graphs: the nodes are the atoms of a signature, the edges are the pairs of a relation.

open util/relation as rel

-- Every edge goes both ways.
pred undirected[r: node -> node] { r = ~r }

pred noSelfLoops[r: node -> node] { no n: univ | n -> n in r }

-- From everywhere one comes everywhere, along the edges or, weakly, also against them.
pred stronglyConnected[r: node -> node] { node -> node in *r }
pred weaklyConnected[r: node -> node] { stronglyConnected[r + ~r] }

-- From the root one comes everywhere.
pred rootedAt[r: node -> node, root: node] { node - root in root.^r }

-- One way on from each node, and it leads round all of them.
pred ring[r: node -> node] {
  stronglyConnected[r]
  r in node -> one node
}

-- No way leads back to where it began.
pred dag[r: node -> node] { no n: node | n -> n in ^r }

-- At most one edge leads to each node; a tree has at most one node to which none does.
pred forest[r: node -> node] {
  injective[r, node]
  dag[r]
}
pred tree[r: node -> node] {
  lone roots[r]
  forest[r]
}
pred treeRootedAt[r: node -> node, root: node] {
  rootedAt[r, root]
  forest[r]
}

-- Nodes to which no edge leads, from which none leads, and from which some do.
fun roots[r: node -> node]: set node { { n: node | no r.n } }
fun leaves[r: node -> node]: set node { { n: node | no n.r } }
fun innerNodes[r: node -> node]: set node { node & r.univ }
