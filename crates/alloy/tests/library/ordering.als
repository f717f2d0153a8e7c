open util/ordering[A] as o

sig A {}
sig S in A {}

check one_chain { o/first.*(o/next) = A and no o/first.(o/prev) and no o/last.(o/next) and one o/first and one o/last } for 4
check neighbours { (all x: A | lone x.(o/next) and x not in x.^(o/next)) and o/prev = ~(o/next) } for 4
check alone { o/first = o/last and no o/next } for 1
check sides { all x: A | nexts[x] = x.^(o/next) and prevs[x] = x.^(o/prev) } for 4
check total { all x, y: A | lt[x, y] or lt[y, x] or x = y } for 4
check strict { no x, y: A | lt[x, y] and (lt[y, x] or x = y) } for 4
check comparison {
  all x, y: A {
    lt[x, y] iff x in prevs[y]
    gt[x, y] iff lt[y, x]
    lte[x, y] iff (x = y or lt[x, y])
    gte[x, y] iff (x = y or gt[x, y])
  }
} for 4
check of_nothing { all x: A | lt[none, x] and lte[none, x] and not lt[x, none] and not gte[x, none] } for 3
check of_two { all x, y: A | larger[x, y] = (lt[x, y] => y else x) and smaller[x, y] = (lt[x, y] => x else y) } for 4
check greatest { max[S] = { x: S | all y: S | lte[y, x] } and lone max[S] and (some S => some max[S]) } for 4
check least { min[S] = { x: S | all y: S | lte[x, y] } and lone min[S] and (some S => some min[S]) } for 4
