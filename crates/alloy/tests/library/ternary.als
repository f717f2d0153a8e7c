open util/ternary

sig A { r: B -> C }
sig B, C {}

check one_column { all a: A, b: B, c: C | a -> b -> c in r => a in dom[r] and b in mid[r] and c in ran[r] } for 2
check only_those {
  all a: dom[r] | some a.r
  all b: mid[r] | some a: A | some b.(a.r)
  all c: ran[r] | some a: A | some a.r.c
} for 2
check two_columns {
  all a: A, b: B, c: C {
    a -> b in select12[r] iff some x: C | a -> b -> x in r
    a -> c in select13[r] iff some x: B | a -> x -> c in r
    b -> c in select23[r] iff some x: A | x -> b -> c in r
  }
} for 2
check changed {
  all a: A, b: B, c: C {
    b -> a -> c in flip12[r] iff a -> b -> c in r
    c -> b -> a in flip13[r] iff a -> b -> c in r
    a -> c -> b in flip23[r] iff a -> b -> c in r
  }
} for 2
check nothing_more { #flip12[r] = #r and #flip13[r] = #r and #flip23[r] = #r } for 2 but 5 Int
