module util/ternary

-- The columns of ternary relations: some of them, or all in another order.

-- Two columns.
fun select12[r: univ -> univ -> univ]: r.univ { r.univ }
fun select23[r: univ -> univ -> univ]: univ.r { r[univ] }
fun select13[r: univ -> univ -> univ]: ((r.univ).univ) -> (univ.(univ.r)) {
  { x: dom[r], z: ran[r] | some y: mid[r] | x -> y -> z in r }
}

-- One column: the first, the middle and the last one.
fun dom[r: univ -> univ -> univ]: set ((r.univ).univ) { select12[r].univ }
fun mid[r: univ -> univ -> univ]: set (univ.(r.univ)) { univ.(select12[r]) }
fun ran[r: univ -> univ -> univ]: set (univ.(univ.r)) { univ.(select23[r]) }

-- Two columns change places.
fun flip12[r: univ -> univ -> univ]: (univ.(r.univ)) -> ((r.univ).univ) -> (univ.(univ.r)) {
  { b: mid[r], a: dom[r], c: ran[r] | c in r[a][b] }
}
fun flip23[r: univ -> univ -> univ]: ((r.univ).univ) -> (univ.(univ.r)) -> (univ.(r.univ)) {
  { a: dom[r], c: ran[r], b: mid[r] | c in r[a][b] }
}
fun flip13[r: univ -> univ -> univ]: (univ.(univ.r)) -> (univ.(r.univ)) -> ((r.univ).univ) {
  { c: ran[r], b: mid[r], a: dom[r] | c in r[a][b] }
}
