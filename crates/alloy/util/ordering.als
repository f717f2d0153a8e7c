module util/ordering[exactly elem]

-- A total order of all atoms of a signature, whose scope is exact for that reason.

private one sig Ord {
  First: set elem,
  Next: elem -> elem
} {
  pred/totalOrder[elem, First, Next]
}

-- Each atom with the one after it, and with the one before it.
fun next: elem -> elem { Ord.Next }
fun prev: elem -> elem { ~(Ord.Next) }

-- The two ends.
fun first: one elem { Ord.First }
fun last: one elem { { e: elem | no e.next } }

-- Everything on either side of an atom.
fun nexts[e: elem]: set elem { e.^next }
fun prevs[e: elem]: set elem { ^next.e }

pred lt[a, b: elem] { a in ^next.b }
pred lte[a, b: elem] { a in *next.b }
pred gt[a, b: elem] { a in b.^next }
pred gte[a, b: elem] { a in b.*next }

-- The least and the greatest atom of a set, and of two atoms.
fun min[es: set elem]: lone elem { es - nexts[es] }
fun max[es: set elem]: lone elem { es - prevs[es] }
fun smaller[a, b: elem]: elem { min[a + b] }
fun larger[a, b: elem]: elem { max[a + b] }
