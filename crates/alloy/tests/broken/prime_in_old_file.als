sig S { n: S }
pred step[s, s': S] { s'.n = s and always some s }
run step
