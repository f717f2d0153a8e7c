module util/sequniv

-- Sequences as relations from the indices 0, 1, .. to anything: what `seq` in a declaration stands for.
-- The operations expect sequences and give sequences.

open util/integer as ui

-- One element at each index, and before each index that is used all are used.
pred isSeq[s: Int -> univ] {
  s in seq/Int -> lone univ
  all i: inds[s] | seq/Int & ui/prevs[i] in inds[s]
}

pred isEmpty[s: Int -> univ] { no inds[s] }
pred hasDups[s: Int -> univ] { some e: elems[s] | not lone indsOf[s, e] }

-- The elements, and those at the ends.
fun elems[s: Int -> univ]: set (Int.s) { s[seq/Int] }
fun first[s: Int -> univ]: lone (Int.s) { 0.s }
fun last[s: Int -> univ]: lone (Int.s) { lastIdx[s].s }

-- The indices: those that are used, the next one, and those of an element.
fun inds[s: Int -> univ]: set Int { { i: Int | some s[i] } }
fun lastIdx[s: Int -> univ]: lone Int { { i: inds[s] | no inds[s] & ui/nexts[i] } }
fun afterLastIdx[s: Int -> univ]: lone Int { { i: seq/Int - inds[s] | seq/Int & ui/prevs[i] in inds[s] } }
fun indsOf[s: Int -> univ, e: univ]: set Int { { i: Int | e in s[i] } }
fun idxOf[s: Int -> univ, e: univ]: lone Int { { i: indsOf[s, e] | e not in s[ui/prevs[i]] } }
fun lastIdxOf[s: Int -> univ, e: univ]: lone Int { { i: indsOf[s, e] | e not in s[ui/nexts[i]] } }

-- Without the first element, and without the last one.
fun rest[s: Int -> univ]: s { { i: seq/Int, x: elems[s] | x in s[ui/next[i]] } }
fun butlast[s: Int -> univ]: s { s - lastIdx[s] -> univ }

-- One element more, another one, or one less. What finds no place any more is left out.
fun add[s: Int -> univ, e: univ]: s + (seq/Int -> e) { s + afterLastIdx[s] -> e }
fun setAt[s: Int -> univ, i: Int, e: univ]: s + (seq/Int -> e) { (s - i -> univ) + i -> e }
fun insert[s: Int -> univ, i: Int, e: univ]: s + (seq/Int -> e) {
  { j: seq/Int, x: elems[s] + e |
    j = i and x = e
    or j in ui/prevs[i] and x in s[j]
    or j in ui/nexts[i] and x in s[ui/prev[j]] }
}
fun delete[s: Int -> univ, i: Int]: s {
  { j: seq/Int, x: elems[s] |
    j in ui/prevs[i] and x in s[j]
    or j in i + ui/nexts[i] and x in s[ui/next[j]] }
}

-- Both, one after the other; and the part from one index to another.
fun append[s, t: Int -> univ]: s + t {
  s + { j: seq/Int - inds[s], x: elems[t] | x in t[ui/minus[j, #inds[s]]] }
}
fun subseq[s: Int -> univ, from, to: Int]: s {
  { j: seq/Int, x: elems[s] | some i: inds[s] - ui/nexts[to] | x in s[i] and j = ui/minus[i, from] }
}
