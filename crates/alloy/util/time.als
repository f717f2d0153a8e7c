module util/time

-- Points in time, and macros for values that change over them.

open util/ordering[Time]

sig Time {}

let dynamic[x] = x one -> Time
let dynamicSet[x] = x -> Time

let then[a, b, t, u] {
  some x: Time | a[t, x] && b[x, u]
}
let while = while3
let while9[cond, body, t, u] { some x: Time | (cond[t] => body[t, x] else t = x) && while8[cond, body, x, u] }
let while8[cond, body, t, u] { some x: Time | (cond[t] => body[t, x] else t = x) && while7[cond, body, x, u] }
let while7[cond, body, t, u] { some x: Time | (cond[t] => body[t, x] else t = x) && while6[cond, body, x, u] }
let while6[cond, body, t, u] { some x: Time | (cond[t] => body[t, x] else t = x) && while5[cond, body, x, u] }
let while5[cond, body, t, u] { some x: Time | (cond[t] => body[t, x] else t = x) && while4[cond, body, x, u] }
let while4[cond, body, t, u] { some x: Time | (cond[t] => body[t, x] else t = x) && while3[cond, body, x, u] }
let while3[cond, body, t, u] { some x: Time | (cond[t] => body[t, x] else t = x) && while2[cond, body, x, u] }
let while2[cond, body, t, u] { some x: Time | (cond[t] => body[t, x] else t = x) && while1[cond, body, x, u] }
let while1[cond, body, t, u] { some x: Time | (cond[t] => body[t, x] else t = x) && while0[cond, body, x, u] }
let while0[cond, body, t, u] { !cond[t] && t = u }
