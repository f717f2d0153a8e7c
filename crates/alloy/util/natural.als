module util/natural

-- The natural numbers from zero on as atoms, as many as their scope says. Where the result of an operation
-- is not among them, it is empty.

private open util/integer as integer
private open util/ordering[Natural] as ord

sig Natural {}
one sig Zero in Natural {}
lone sig One in Natural {}

fact {
  One = inc[Zero]
  no dec[Zero]
}

fun inc[n: Natural]: lone Natural { n.(ord/next) }
fun dec[n: Natural]: lone Natural { n.(ord/prev) }

-- A natural number counts those below it.
private fun count[n: Natural]: Int { #ord/prevs[n] }

fun add[a, b: Natural]: lone Natural { { n: Natural | count[n] = integer/plus[count[a], count[b]] } }
fun sub[a, b: Natural]: lone Natural { { n: Natural | count[n] = integer/minus[count[a], count[b]] } }
fun mul[a, b: Natural]: lone Natural { { n: Natural | count[n] = integer/mul[count[a], count[b]] } }

-- The number that gives the first one when it is multiplied by the second one.
fun div[a, b: Natural]: lone Natural { { n: Natural | integer/mul[count[n], count[b]] = count[a] } }

pred lt[a, b: Natural] { ord/lt[a, b] }
pred gt[a, b: Natural] { ord/lt[b, a] }
pred lte[a, b: Natural] { ord/lte[a, b] }
pred gte[a, b: Natural] { ord/lte[b, a] }

fun min[ns: set Natural]: lone Natural { ord/min[ns] }
fun max[ns: set Natural]: lone Natural { ord/max[ns] }
