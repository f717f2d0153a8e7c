//! Operations on small functions, orders, and garbage.

use super::*;

fn bdds(bits: usize) -> Bdds {
    Bdds::new(bits, &Budget::unlimited()).expect("there is memory")
}

fn got<T>(result: Run<T>) -> T {
    result.expect("there is no limit")
}

/// All functions of three variables, each at the place that its values write.
fn all(bdds: &Bdds) -> Vec<Bdd> {
    let of = |number: u32| {
        let points = (0..8u32).filter(|point| number >> point & 1 == 1);
        let cube = |point: u32| (0..3u32).map(move |bit| (bit, point >> bit & 1 == 1));
        got(bdds.any(points.map(|point| got(bdds.cube(cube(point)))).collect()))
    };
    (0..256).map(of).collect()
}

fn number(f: &Bdd) -> u32 {
    let at = |point: &u32| f.eval(|bit| point >> bit & 1 == 1);
    (0..8).filter(at).map(|point| 1 << point).sum()
}

/// The values where each point is looked up at another.
fn looked_up(f: usize, at: impl Fn(usize) -> usize) -> usize {
    let value = |point: usize| (f >> at(point) & 1) << point;
    (0..8).map(value).sum()
}

#[test]
fn operations_on_all_functions_of_three_variables_are_right() {
    let bdds = bdds(3);
    let functions = all(&bdds);
    let rename = bdds.renaming(&[(0, 1), (1, 0)]);
    let swapped = |point: usize| point & 4 | (point & 1) << 1 | point >> 1 & 1;
    for (f, function) in functions.iter().enumerate() {
        assert_eq!(number(function), f as u32);
        assert_eq!(got(bdds.count(function, 3)), f.count_ones().into());
        let slots = [0, 1, 2].map(|bit| RowSlot {
            bit,
            word: 1,
            mask: 4 >> bit,
        });
        let value = |point: &[u64]| -> usize {
            let bit = |slot: &RowSlot| usize::from(slot.read(point)) << slot.bit;
            slots.iter().map(bit).sum()
        };
        let mut rows = bdds
            .list(function, &slots, &[7, 8], 8)
            .expect("there are no more");
        let mut listed = Vec::new();
        while let Some(row) = rows.next() {
            assert_eq!((row[0], row[1] & !7), (7, 8));
            listed.push(row.to_vec());
        }
        assert!(listed.is_sorted());
        let listed = listed.iter().map(|point| 1usize << value(point));
        assert_eq!(listed.sum::<usize>(), f);
        assert_eq!(
            bdds.list(function, &slots, &[0, 0], 3).is_none(),
            f.count_ones() > 3
        );
        assert!(got(bdds.not(function)) == functions[255 - f]);
        assert!(got(bdds.rename(function, &rename)) == functions[looked_up(f, swapped)]);
        for bit in 0..3u32 {
            let (without, with) = (1 << bit, !(1 << bit) & 7);
            let (low, high) = (looked_up(f, |p| p & with), looked_up(f, |p| p | without));
            let cube = |value| got(bdds.cube([(bit, value)]));
            assert!(got(bdds.restrict(function, &cube(false))) == functions[low]);
            assert!(got(bdds.restrict(function, &cube(true))) == functions[high]);
            assert!(got(bdds.exists(function, &cube(true))) == functions[low | high]);
        }
        for (g, other) in functions.iter().enumerate().skip(f % 5).step_by(5) {
            assert!(got(bdds.and(function, other)) == functions[f & g]);
            assert!(got(bdds.or(function, other)) == functions[f | g]);
            assert!(got(bdds.minus(function, other)) == functions[f & !g]);
            assert!(got(bdds.implies(function, other)) == functions[255 & (!f | g)]);
            assert!(got(bdds.iff(function, other)) == functions[255 & !(f ^ g)]);
            let h = (7 * f + 3 * g) % 256;
            let ite = got(bdds.ite(function, other, &functions[h]));
            assert!(ite == functions[f & g | !f & h & 255]);
            let cube = got(bdds.cube([(0, true), (2, true)]));
            let both = got(bdds.exists(&functions[f & g], &cube));
            assert!(got(bdds.and_exists(function, other, &cube)) == both);
        }
    }
}

#[test]
fn functions_stay_what_they_are_when_the_order_changes() {
    let bdds = bdds(3);
    let functions = all(&bdds);
    bdds.reorder_always(vec![vec![0], vec![1], vec![2]]);
    for (f, function) in functions.iter().enumerate() {
        let other = &functions[(11 * f + 5) % 256];
        let both = got(bdds.and(function, other));
        assert_eq!(number(&both), number(function) & number(other));
    }
    for (f, function) in functions.iter().enumerate() {
        assert_eq!(number(function), f as u32);
    }
    assert_eq!(all(&bdds), functions, "equal functions are equal handles");
}

#[test]
fn a_bad_order_gets_better_and_pairs_stay_together() {
    // Pairs 0 and 8, 1 and 9, and so on are equal: exponential when they are far apart.
    let bdds = bdds(32);
    let mut equal = bdds.one();
    for bit in 0..8 {
        let (a, b) = (bdds.var(2 * bit), bdds.var(2 * (bit + 8)));
        equal = got(bdds.and(&equal, &got(bdds.iff(a, b))));
    }
    assert!(bdds.size(&equal) > 300);
    bdds.reorder_always((0..16).map(|pair| vec![2 * pair, 2 * pair + 1]).collect());
    let count = got(bdds.count(&equal, 32));
    assert!(got(bdds.and(&equal, &bdds.one())) == equal);
    assert!(bdds.size(&equal) < 40, "{equal:?}");
    assert_eq!(got(bdds.count(&equal, 32)), count);
    for pair in 0..16 {
        assert_eq!(bdds.level(2 * pair + 1), bdds.level(2 * pair) + 1);
    }
}

#[test]
fn no_more_steps_are_taken_than_are_allowed() {
    let bdds = bdds(32);
    let far_apart = |pairs: u32| {
        (0..pairs).try_fold(bdds.one(), |equal, bit| {
            bdds.and(&equal, &bdds.iff(bdds.var(bit), bdds.var(bit + 16))?)
        })
    };
    let small = got(far_apart(4));
    bdds.allow(1000);
    assert!(!bdds.gave_up());
    assert_eq!(far_apart(16).err(), Some(Stop::TimeOut));
    assert!(bdds.gave_up());
    bdds.allow(u64::MAX);
    assert!(got(far_apart(4)) == small && got(far_apart(12)) != small);
}

#[test]
fn garbage_is_collected_and_what_is_held_stays() {
    let bdds = bdds(24);
    let held = got(bdds.iff(bdds.var(3), bdds.var(20)));
    for round in 0..400u32 {
        let mut noise = bdds.one();
        for bit in 0..12 {
            let other = 12 + (bit * 5 + round) % 12;
            noise = got(bdds.and(&noise, &got(bdds.iff(bdds.var(bit), bdds.var(other)))));
        }
    }
    assert!(bdds.shared.lock().core.table.used < 2 * FEW_NODES);
    assert!(got(bdds.iff(bdds.var(3), bdds.var(20))) == held);
}
