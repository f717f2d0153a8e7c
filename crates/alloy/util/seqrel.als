module util/seqrel[elem]

-- Sequences as relations from indices to elements. The indices are atoms of their own, in order.

open util/integer
open util/ordering[SeqIdx] as ord

sig SeqIdx {}

-- One element at each index, and before each index that is used all are used.
pred isSeq[s: SeqIdx -> elem] {
  s in SeqIdx -> lone elem
  all i: inds[s] | ord/prevs[i] in inds[s]
}

pred isEmpty[s: SeqIdx -> elem] { no inds[s] }
pred hasDups[s: SeqIdx -> elem] { some e: elems[s] | not lone indsOf[s, e] }

-- The elements, and those at the ends.
fun elems[s: SeqIdx -> elem]: set elem { s[SeqIdx] }
fun first[s: SeqIdx -> elem]: lone elem { s[firstIdx] }
fun last[s: SeqIdx -> elem]: lone elem { s[lastIdx[s]] }

-- The indices: the ends of all of them, those that are used, and those of an element.
fun firstIdx: SeqIdx { ord/first }
fun finalIdx: SeqIdx { ord/last }
fun inds[s: SeqIdx -> elem]: set SeqIdx { s.elem }
fun lastIdx[s: SeqIdx -> elem]: lone SeqIdx { { i: inds[s] | no inds[s] & ord/nexts[i] } }
fun afterLastIdx[s: SeqIdx -> elem]: lone SeqIdx { { i: SeqIdx - inds[s] | ord/prevs[i] in inds[s] } }
fun indsOf[s: SeqIdx -> elem, e: elem]: set SeqIdx { { i: SeqIdx | e in s[i] } }
fun idxOf[s: SeqIdx -> elem, e: elem]: lone SeqIdx { { i: indsOf[s, e] | e not in s[ord/prevs[i]] } }
fun lastIdxOf[s: SeqIdx -> elem, e: elem]: lone SeqIdx { { i: indsOf[s, e] | e not in s[ord/nexts[i]] } }

-- Without the first element, and without the last one.
fun rest[s: SeqIdx -> elem]: SeqIdx -> elem { { i: SeqIdx, x: elem | x in s[ord/next[i]] } }
fun butlast[s: SeqIdx -> elem]: SeqIdx -> elem { s - lastIdx[s] -> elem }

-- One element more, another one, or one less. What finds no place any more is left out.
fun add[s: SeqIdx -> elem, e: elem]: SeqIdx -> elem { s + afterLastIdx[s] -> e }
fun setAt[s: SeqIdx -> elem, i: SeqIdx, e: elem]: SeqIdx -> elem { (s - i -> elem) + i -> e }
fun insert[s: SeqIdx -> elem, i: SeqIdx, e: elem]: SeqIdx -> elem {
  { j: SeqIdx, x: elem |
    j = i and x = e
    or j in ord/prevs[i] and x in s[j]
    or j in ord/nexts[i] and x in s[ord/prev[j]] }
}
fun delete[s: SeqIdx -> elem, i: SeqIdx]: SeqIdx -> elem {
  { j: SeqIdx, x: elem |
    j in ord/prevs[i] and x in s[j]
    or j in i + ord/nexts[i] and x in s[ord/next[j]] }
}

-- The index that is as many places after the first ones as the other is after the beginning.
private fun behind[begin: set SeqIdx, i: SeqIdx]: lone SeqIdx {
  { j: SeqIdx - begin | #(ord/prevs[j] - begin) = #ord/prevs[i] }
}

-- Both, one after the other; and the part from one index to another.
fun append[s, t: SeqIdx -> elem]: SeqIdx -> elem {
  s + { j: SeqIdx, x: elem | some i: inds[t] | j in behind[inds[s], i] and x in t[i] }
}
fun subseq[s: SeqIdx -> elem, from, to: SeqIdx]: SeqIdx -> elem {
  { j: SeqIdx, x: elem | x in s[behind[ord/prevs[from], j] - ord/nexts[to]] }
}
