module util/time

-- Points in time, what has values at them, and steps from one to another. A step is anything that
-- takes two points; a condition takes one.

open util/ordering[Time]

sig Time {}

-- One value at each time, and any number of them.
let dynamic[values] = values one -> Time
let dynamicSet[values] = values -> Time

-- One step after the other.
let then[one_step, other, t, u] { some between: Time | one_step[t, between] and other[between, u] }

-- Steps as long as a condition holds, with a bound on their number in the name.
let while = while3

private let once_more[condition, step, t, u] { condition[t] => step[t, u] else u = t }

let while0[condition, step, t, u] { u = t and not condition[u] }
let while1[condition, step, t, u] {
  some v: Time | once_more[condition, step, t, v] and while0[condition, step, v, u]
}
let while2[condition, step, t, u] {
  some v: Time | once_more[condition, step, t, v] and while1[condition, step, v, u]
}
let while3[condition, step, t, u] {
  some v: Time | once_more[condition, step, t, v] and while2[condition, step, v, u]
}
let while4[condition, step, t, u] {
  some v: Time | once_more[condition, step, t, v] and while3[condition, step, v, u]
}
let while5[condition, step, t, u] {
  some v: Time | once_more[condition, step, t, v] and while4[condition, step, v, u]
}
let while6[condition, step, t, u] {
  some v: Time | once_more[condition, step, t, v] and while5[condition, step, v, u]
}
let while7[condition, step, t, u] {
  some v: Time | once_more[condition, step, t, v] and while6[condition, step, v, u]
}
let while8[condition, step, t, u] {
  some v: Time | once_more[condition, step, t, v] and while7[condition, step, v, u]
}
let while9[condition, step, t, u] {
  some v: Time | once_more[condition, step, t, v] and while8[condition, step, v, u]
}
