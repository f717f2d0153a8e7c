//! SMT solvers for tests that need one.

use std::io::Write;

use wherefore_base::Budget;
use wherefore_driver::subjects::smt::SmtSolver;

/// Whether an SMT solver is installed. Where none is, it says so on the terminal, since the test that asked is left out;
/// on a machine that builds releases (`CI=true`) that is an error.
///
/// # Panics
/// Where there is none and `CI=true`.
pub fn has_solver() -> bool {
    let there = !SmtSolver::installed(&Budget::unlimited()).is_empty();
    let must = std::env::var("CI").is_ok_and(|ci| ci == "true");
    assert!(there || !must, "no SMT solver is installed");
    if !there {
        let test = std::thread::current()
            .name()
            .unwrap_or("a test")
            .to_string();
        let told = format!("\nLEFT OUT: {test} needs an SMT solver; apt-get install z3 cvc5\n");
        // Nobody is told if there is no terminal to tell it to.
        let _ = std::io::stderr().write_all(told.as_bytes());
    }
    there
}
