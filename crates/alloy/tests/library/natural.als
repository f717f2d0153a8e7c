open util/natural

check zero { no n: Natural | lt[n, Zero] } for 5
check one_ { One = inc[Zero] and dec[One] = Zero } for 5
check alone { no One } for 1
check up { all n: Natural | no inc[n] or dec[inc[n]] = n } for 5
check sums { all a, b: Natural | add[a, Zero] = a and (some inc[b] => add[a, inc[b]] = inc[add[a, b]]) } for 5 but 5 Int
check difference { all a, b: Natural | gte[a, b] => add[sub[a, b], b] = a else no sub[a, b] } for 5 but 5 Int
check product { all a, b: Natural | mul[a, Zero] = Zero and (some inc[b] and some mul[a, inc[b]] => mul[a, inc[b]] = add[mul[a, b], a]) } for 5 but 6 Int
check quotient { all a, b: Natural - Zero | div[a, b] = { n: Natural | mul[n, b] = a } } for 5 but 6 Int
check order {
  all a, b: Natural {
    lt[a, b] iff some n: Natural - Zero | add[a, n] = b
    gt[a, b] iff lt[b, a]
    lte[a, b] iff lt[a, b] or a = b
    gte[a, b] iff gt[a, b] or a = b
  }
} for 5 but 5 Int
check ends { max[Natural] = { n: Natural | no inc[n] } and min[Natural] = Zero } for 5
