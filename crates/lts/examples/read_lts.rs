//! Reads an AUT file and says what is in it and how long that took, for measurements:
//!
//!     cargo run --release -p wherefore-lts --example read_lts -- transfer.aut 2
//!
//! The arguments are the file and the number of threads.

use std::error::Error;
use std::fs::File;
use std::io::{self, Write};
use std::time::Instant;

use wherefore_base::Budget;
use wherefore_lts::aut::{ReadOptions, read};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("say which file")?;
    let mut options = ReadOptions::default();
    if let Some(threads) = arguments.next() {
        options.threads = threads.parse()?;
    }
    let file = File::open(&path)?;
    let megabytes = file.metadata()?.len() as f64 / 1e6;
    let start = Instant::now();
    let lts = read(file, &options, &Budget::unlimited())??;
    let seconds = start.elapsed().as_secs_f64();
    writeln!(
        io::stdout(),
        "{} states, {} transitions, {} labels in {seconds:.2} s, {:.0} MB/s",
        lts.states(),
        lts.transitions(),
        lts.labels().len(),
        megabytes / seconds,
    )?;
    Ok(())
}
