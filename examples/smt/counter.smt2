; The same counter as relations: `Init` says which states are initial, `Next` which state may follow which.
; Two processes share it, and P1 and P2 name their steps.

(declare-fun Init (Int) Bool)
(declare-fun Next (Int Int) Bool)
(define-fun P1 ((c Int) (cn Int)) Bool (= cn (+ c 2)))
(define-fun P2 ((c Int) (cn Int)) Bool (= cn (+ c 3)))
(assert (forall ((c Int)) (= (Init c) (= c 0))))
(assert (forall ((c Int) (cn Int)) (= (Next c cn) (or (P1 c cn) (P2 c cn)))))

(define-fun passes-five ((c Int)) Bool (! (ctl.AF (> c 5)) :ctl-property 0 :expect holds))
(define-fun may-meet-five ((c Int)) Bool (! (ctl.EF (= c 5)) :ctl-property 1 :expect holds))
(define-fun must-meet-five ((c Int)) Bool (! (ctl.AF (= c 5)) :ctl-property 2 :expect fails))
