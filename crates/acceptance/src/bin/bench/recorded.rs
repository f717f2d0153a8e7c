//! What a peer needed for a folder of models: `oracle.tsv`, one row for each property and option set.

/// The best a peer did on a file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Best {
    /// The model, relative to the folder.
    pub(crate) file: String,
    /// The options it was run with; `plain` for none.
    pub(crate) options: String,
    /// CPU seconds for the whole file.
    pub(crate) cpu: f64,
}

/// For each file with properties that the peer decided, its fastest run, in the order of the table.
pub(crate) fn best(table: &str) -> Vec<Best> {
    let mut all: Vec<Best> = Vec::new();
    for row in table.lines().filter(|line| !line.starts_with('#')) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [file, options, "ok", _, cpu, _, _, verdict, ..] = cells[..] else {
            continue;
        };
        if matches!(verdict, "none" | "rejected") {
            continue;
        }
        let Ok(cpu) = cpu.parse() else { continue };
        match all.iter_mut().find(|best| best.file == file) {
            Some(best) if best.cpu <= cpu => {}
            Some(best) => (best.options, best.cpu) = (options.to_string(), cpu),
            None => all.push(Best {
                file: file.to_string(),
                options: options.to_string(),
                cpu,
            }),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fastest_finished_run_of_a_file_counts() {
        let table = "# a remark\nfile\toptions\tstatus\twall_s\tcpu_s\tspec\tkind\tverdict\n\
             a.smv\tplain\tok\t1\t0.9\t0\tCTL\ttrue\na.smv\t-dynamic\tok\t1\t0.2\t0\tCTL\ttrue\n\
             a.smv\t-coi\ttimeout\t1\t0.1\t0\tCTL\ttrue\nb.smv\tplain\ttimeout\t9\t9\t0\tCTL\ttime-out\n\
             c.smv\tplain\tok\t1\t0.1\t-\t-\tnone\n";
        let fastest = Best {
            file: "a.smv".into(),
            options: "-dynamic".into(),
            cpu: 0.2,
        };
        assert_eq!(best(table), [fastest]);
    }
}
