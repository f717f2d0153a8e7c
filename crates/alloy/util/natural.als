module util/natural

-- Natural numbers as atoms of their own, as many as their scope says.

private open util/ordering[Natural] as ord
private open util/integer as integer

sig Natural {}
one sig Zero in Natural {}
lone sig One in Natural {}

fact {
  Zero = first
  One = next[Zero]
}

fun inc[n: Natural]: lone Natural { ord/next[n] }
fun dec[n: Natural]: lone Natural { ord/prev[n] }

fun add[a, b: Natural]: lone Natural {
  { n: Natural | #ord/prevs[n] = integer/plus[#ord/prevs[a], #ord/prevs[b]] }
}
fun sub[a, b: Natural]: lone Natural {
  { n: Natural | #ord/prevs[a] = integer/plus[#ord/prevs[b], #ord/prevs[n]] }
}
fun mul[a, b: Natural]: lone Natural {
  { n: Natural | #ord/prevs[n] = #(ord/prevs[a] -> ord/prevs[b]) }
}
fun div[a, b: Natural]: lone Natural {
  { n: Natural | #ord/prevs[n] = integer/div[#ord/prevs[a], #ord/prevs[b]] }
}

pred gt[a, b: Natural] { ord/gt[a, b] }
pred lt[a, b: Natural] { ord/lt[a, b] }
pred gte[a, b: Natural] { ord/gte[a, b] }
pred lte[a, b: Natural] { ord/lte[a, b] }

fun max[ns: set Natural]: lone Natural { ord/max[ns] }
fun min[ns: set Natural]: lone Natural { ord/min[ns] }
