module util/integer

-- Arithmetic and order of the integers that the bits of a command allow.

-- The sum, the difference and the product, with both of their names.
fun plus[a, b: Int]: Int { a fun/add b }
fun add[a, b: Int]: Int { a fun/add b }
fun minus[a, b: Int]: Int { a fun/sub b }
fun sub[a, b: Int]: Int { a fun/sub b }
fun mul[a, b: Int]: Int { a fun/mul b }

-- The quotient rounded towards zero, and what is left over: `a` is `b` times the one and the other. By zero,
-- the quotient of 0 is 0, that of a greater number -1, and that of a smaller one 1.
fun div[a, b: Int]: Int { a fun/div b }
fun rem[a, b: Int]: Int { a fun/rem b }

fun negate[a: Int]: Int { minus[0, a] }
fun signum[a: Int]: Int { pos[a] => 1 else neg[a] => -1 else 0 }

-- Comparison, with another integer and with zero.
pred lt[a, b: Int] { a < b }
pred lte[a, b: Int] { a <= b }
pred gt[a, b: Int] { a > b }
pred gte[a, b: Int] { a >= b }
pred eq[a, b: Int] { lte[a, b] and gte[a, b] }

pred pos[a: Int] { gt[a, 0] }
pred neg[a: Int] { lt[a, 0] }
pred nonpos[a: Int] { lte[a, 0] }
pred nonneg[a: Int] { gte[a, 0] }
pred zero[a: Int] { eq[a, 0] }

fun larger[a, b: Int]: Int { gte[a, b] => a else b }
fun smaller[a, b: Int]: Int { lte[a, b] => a else b }

-- All integers as an order: its ends, its neighbours, and everything on either side.
fun min: one Int { fun/min }
fun max: one Int { fun/max }
fun next: Int -> Int { fun/next }
fun prev: Int -> Int { ~(fun/next) }
fun nexts[e: Int]: set Int { e.^(fun/next) }
fun prevs[e: Int]: set Int { ^(fun/next).e }

-- The least and the greatest integer of a set.
fun min[es: set Int]: lone Int { es - nexts[es] }
fun max[es: set Int]: lone Int { es - prevs[es] }

-- Atoms in a chain by their numbers, which begin with 0: how many come before.
fun elem2int[e: univ, next: univ -> univ]: lone Int {
  let before = ^next.e | Int[#before]
}
fun int2elem[i: Int, next: univ -> univ, s: set univ]: lone s {
  { e: s | eq[elem2int[e, next], i] }
}
