/* Choosing a leader on a ring: everybody passes the greatest number on.

   Nodes stand in a ring and have numbers, which are the order of `Node` itself. At each time a node sends on the
   greatest number it has seen, and who gets its own number back leads. `onlyOne` holds: two nodes cannot both get
   their own number back. `soon` does not: nobody has to do anything, so a time with all numbers standing still is
   possible, and the counterexample shows one.

     wherefore check ring.als
*/
open util/ordering[Time] as times
open util/ordering[Node] as numbers

sig Time {}

sig Node {
  neighbour: one Node,
  seen: Node -> Time,
  leads: set Time
}

fact ring { all n: Node | Node in n.^neighbour }

pred first [t: Time] {
  all n: Node | n.seen.t = n
  no leads.t
}

// One node passes the greatest number that it has seen to the next one, or nothing happens.
pred step [t, u: Time] {
  (some n: Node | pass[n, t, u]) or (seen.u = seen.t and leads.u = leads.t)
}

pred pass [n: Node, t, u: Time] {
  let number = numbers/max[n.seen.t], to = n.neighbour {
    seen.u = seen.t + to -> number
    leads.u = leads.t + (number = to implies to else none)
  }
}

fact trace {
  first[times/first]
  all t: Time - times/last | step[t, t.(times/next)]
}

run someLeader { some n: Node | some n.leads } for 4 but 3 Node expect 1

assert onlyOne { all t: Time | lone leads.t }
check onlyOne for 7 but 3 Node expect 0

assert soon { some leads.(times/last) }
check soon for 3 but 2 Node expect 1
