module util/integer

-- Arithmetic and comparison of integers.

fun add[a, b: Int]: Int { a fun/add b }
fun plus[a, b: Int]: Int { a fun/add b }
fun sub[a, b: Int]: Int { a fun/sub b }
fun minus[a, b: Int]: Int { a fun/sub b }
fun mul[a, b: Int]: Int { a fun/mul b }
fun div[a, b: Int]: Int { a fun/div b }
fun rem[a, b: Int]: Int { a fun/rem b }
fun negate[a: Int]: Int { 0 fun/sub a }
fun signum[a: Int]: Int { a < 0 => -1 else (a > 0 => 1 else 0) }

pred eq[a, b: Int] { int[a] = int[b] }
pred gt[a, b: Int] { a > b }
pred lt[a, b: Int] { a < b }
pred gte[a, b: Int] { a >= b }
pred lte[a, b: Int] { a <= b }
pred zero[a: Int] { int[a] = 0 }
pred pos[a: Int] { a > 0 }
pred neg[a: Int] { a < 0 }
pred nonpos[a: Int] { a <= 0 }
pred nonneg[a: Int] { a >= 0 }

-- The integers in their order.
fun max: one Int { fun/max }
fun min: one Int { fun/min }
fun next: Int -> Int { fun/next }
fun prev: Int -> Int { ~next }
fun max[es: set Int]: lone Int { es - es.^prev }
fun min[es: set Int]: lone Int { es - es.^next }
fun prevs[e: Int]: set Int { e.^prev }
fun nexts[e: Int]: set Int { e.^next }
fun larger[a, b: Int]: Int { a < b => b else a }
fun smaller[a, b: Int]: Int { a < b => a else b }

-- The number of a place in a set of atoms; the numbers start with 0.
fun int2elem[i: Int, next: univ -> univ, s: set univ]: lone s {
  { e: s | #(s & e.^(~next)) = int[i] }
}
fun elem2int[e: univ, next: univ -> univ]: lone Int {
  Int[#(e.^(~next))]
}
