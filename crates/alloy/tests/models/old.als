module old

-- Primes are letters here, as in the versions before Alloy 6.
sig State { after: lone State, var: set State }

pred step[s, s': State] { s' = s.after and s'.var in s.var }

run step for 3
