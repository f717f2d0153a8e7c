module util/seqrel[elem]

-- Sequences as relations from a set of indices of their own to elements.

open util/integer
open util/ordering[SeqIdx] as ord

sig SeqIdx {}

pred isSeq[s: SeqIdx -> elem] {
  s in SeqIdx -> lone elem
  s.inds - ord/next[s.inds] in ord/first
}

fun elems[s: SeqIdx -> elem]: set elem { SeqIdx.s }
fun first[s: SeqIdx -> elem]: lone elem { s[ord/first] }
fun last[s: SeqIdx -> elem]: lone elem { s[lastIdx[s]] }
fun rest[s: SeqIdx -> elem]: SeqIdx -> elem { (ord/next).s }
fun butlast[s: SeqIdx -> elem]: SeqIdx -> elem { (SeqIdx - lastIdx[s]) <: s }

pred isEmpty[s: SeqIdx -> elem] { no s }
pred hasDups[s: SeqIdx -> elem] { #elems[s] < #inds[s] }

fun inds[s: SeqIdx -> elem]: set SeqIdx { s.univ }
fun lastIdx[s: SeqIdx -> elem]: lone SeqIdx { ord/max[inds[s]] }
fun afterLastIdx[s: SeqIdx -> elem]: lone SeqIdx { ord/min[SeqIdx - inds[s]] }
fun idxOf[s: SeqIdx -> elem, e: elem]: lone SeqIdx { ord/min[indsOf[s, e]] }
fun lastIdxOf[s: SeqIdx -> elem, e: elem]: lone SeqIdx { ord/max[indsOf[s, e]] }
fun indsOf[s: SeqIdx -> elem, e: elem]: set SeqIdx { s.e }

fun add[s: SeqIdx -> elem, e: elem]: SeqIdx -> elem { setAt[s, afterLastIdx[s], e] }
fun setAt[s: SeqIdx -> elem, i: SeqIdx, e: elem]: SeqIdx -> elem { s ++ i -> e }
fun insert[s: SeqIdx -> elem, i: SeqIdx, e: elem]: SeqIdx -> elem {
  (ord/prevs[i] <: s) + (i -> e) + (~(ord/next)).((ord/nexts[i] + i) <: s)
}
fun delete[s: SeqIdx -> elem, i: SeqIdx]: SeqIdx -> elem {
  (ord/prevs[i] <: s) + (ord/next).(ord/nexts[i] <: s)
}
fun append[s, t: SeqIdx -> elem]: SeqIdx -> elem {
  let shift = { i, j: SeqIdx | #ord/prevs[j] = add[#ord/prevs[i], add[#ord/prevs[lastIdx[s]], 1]] } |
    no s => t else (s + (~shift).t)
}
fun subseq[s: SeqIdx -> elem, from, to: SeqIdx]: SeqIdx -> elem {
  let shift = { i, j: SeqIdx | #ord/prevs[j] = sub[#ord/prevs[i], #ord/prevs[from]] } |
    (~shift).((SeqIdx - (ord/nexts[to] + ord/prevs[from])) <: s)
}

fun firstIdx: SeqIdx { ord/first }
fun finalIdx: SeqIdx { ord/last }
