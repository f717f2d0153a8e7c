module util/ordering[exactly elem]

-- A total order over all atoms of a signature, whose scope is exact for that reason.

private one sig Ord {
  First: set elem,
  Next: elem -> elem
} {
  pred/totalOrder[elem, First, Next]
}

-- The ends of the order, and its neighbours.
fun first: one elem { Ord.First }
fun last: one elem { elem - next.elem }
fun next: elem -> elem { Ord.Next }
fun prev: elem -> elem { ~(Ord.Next) }

-- Everything before, and everything after.
fun prevs[e: elem]: set elem { e.^(~(Ord.Next)) }
fun nexts[e: elem]: set elem { e.^(Ord.Next) }

pred lt[a, b: elem] { a in prevs[b] }
pred gt[a, b: elem] { a in nexts[b] }
pred lte[a, b: elem] { a = b or lt[a, b] }
pred gte[a, b: elem] { a = b or gt[a, b] }

fun larger[a, b: elem]: elem { lt[a, b] => b else a }
fun smaller[a, b: elem]: elem { lt[a, b] => a else b }

-- The greatest and the least of a set.
fun max[es: set elem]: lone elem { es - es.^(~(Ord.Next)) }
fun min[es: set elem]: lone elem { es - es.^(Ord.Next) }
