//! Telling a few rows of values from others by as few conditions as may be.

/// Rows that agree in some places, and in which no row outside agrees with them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RowCube {
    /// The places that matter, ascending.
    pub(crate) places: Vec<usize>,
    /// The rows inside that agree with the first of them there.
    pub(crate) rows: Vec<usize>,
}

/// Describes the rows inside by cubes: each starts from the first row that none has yet, and gives up the
/// conditions on its places, in the order of `give_up`, as long as no row outside gets in.
///
/// Rows inside are different from rows outside.
pub(crate) fn cover<T: Eq>(
    inside: &[Vec<T>],
    outside: &[Vec<T>],
    give_up: &[usize],
) -> Vec<RowCube> {
    let mut covered = vec![false; inside.len()];
    let mut cubes = Vec::new();
    for first in 0..inside.len() {
        if covered[first] {
            continue;
        }
        let row = &inside[first];
        // For each row outside, in how many places that still matter it differs.
        let mut differs: Vec<usize> = (outside.iter())
            .map(|other| give_up.iter().filter(|&&at| other[at] != row[at]).count())
            .collect();
        let mut places = Vec::new();
        for &place in give_up {
            let others = outside.iter().zip(&differs);
            // Without this place a row outside that differs nowhere else would get in.
            let needed = others
                .filter(|(other, _)| other[place] != row[place])
                .any(|(_, &differs)| differs == 1);
            if needed {
                places.push(place);
                continue;
            }
            for (other, differs) in outside.iter().zip(&mut differs) {
                *differs -= usize::from(other[place] != row[place]);
            }
        }
        places.sort_unstable();
        let agrees = |other: &&usize| places.iter().all(|&at| inside[**other][at] == row[at]);
        let rows: Vec<usize> = (0..inside.len()).collect();
        let rows: Vec<usize> = rows.iter().filter(agrees).copied().collect();
        for &row in &rows {
            covered[row] = true;
        }
        cubes.push(RowCube { places, rows });
    }
    cubes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_that_does_not_matter_is_given_up() {
        let inside = vec![vec![1, 0, 0], vec![1, 0, 1], vec![1, 1, 0]];
        let outside = vec![vec![0, 0, 0], vec![0, 1, 1]];
        let cubes = cover(&inside, &outside, &[2, 1, 0]);
        let expected = RowCube {
            places: vec![0],
            rows: vec![0, 1, 2],
        };
        assert_eq!(cubes, [expected]);
        assert_eq!(cover(&inside, &[], &[2, 1, 0])[0].places, [] as [usize; 0]);
    }
}
