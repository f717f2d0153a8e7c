//! The `wherefore` binary: arguments in, exit code out.
//!
//! Everything printable is made by the views of the library; this crate reads arguments and files,
//! watches time, memory and the keyboard, and writes.

mod alloy;
mod args;
mod blame;
mod check;
mod choosing;
mod convert;
mod debug;
mod demo;
mod diff;
mod exit;
mod explain;
mod explore;
mod guard;
mod instances;
mod live;
mod message_queue;
mod models;
mod open;
mod query;
mod refusal;
mod replay;
mod saved;
mod screen;
mod show;
mod shrink;
mod telling;
mod terminal;
mod watch;
mod worker;
mod writers;

use std::env;
use std::process::ExitCode;

use args::Command;
use exit::Exit;

fn main() -> ExitCode {
    guard::install_hook();
    if args::asks_for_exit_codes(env::args_os().skip(1)) {
        terminal::print(&format!("{}\n", exit::HELP));
        return Exit::Good.into();
    }
    let args = args::read(env::args_os());
    let outcome = guard::guarded(|| run(args.command));
    outcome.unwrap_or(Exit::Internal).into()
}

/// Does what a command says.
fn run(command: Command) -> Exit {
    match command {
        Command::Check(check) => check::check(check),
        Command::Debug(debug) => debug::debug(&debug),
        Command::Query(query) => query::query(&query),
        Command::Blame(blame) => blame::blame(&blame),
        Command::Open(open) => open::open(&open),
        Command::Explore(explore) => explore::explore(&explore),
        Command::Replay(replay) => replay::replay(&replay),
        Command::Show(show) => show::show(&show),
        Command::Diff(diff) => diff::diff(&diff),
        Command::Shrink(shrink) => shrink::shrink(&shrink),
        Command::Explain(explain) => explain::explain(&explain),
        Command::Convert(convert) => convert::convert(&convert),
        Command::Demo(demo) => demo::demo(demo),
    }
}
