//! Reads models and says which of them are accepted.
#![allow(clippy::print_stdout)]

use wherefore_base::{Budget, SourceFile, SourceMap};

fn main() {
    let (mut read, mut refused) = (0, 0);
    let quiet = std::env::var("QUIET").is_ok();
    for path in std::env::args().skip(1) {
        let Ok(text) = std::fs::read_to_string(&path) else {
            println!("{path}: not readable");
            continue;
        };
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new(&path, text));
        let elsewhere = std::env::var("MODULES").unwrap_or_default();
        let mut find = |name: &str| {
            let base = name.rsplit('/').next().unwrap_or(name);
            let other = format!("{elsewhere}/{base}");
            let read = |name: &str| std::fs::read_to_string(name).ok();
            read(name).or_else(|| read(&other))
        };
        let start = std::time::Instant::now();
        let loaded =
            wherefore_alloy::load(&mut sources, file, None, &mut find, &Budget::unlimited());
        let loaded = loaded.expect("no limit");
        let failed = loaded.diagnostics.iter().any(|d| d.is_error());
        read += 1;
        refused += usize::from(failed);
        for d in &loaded.diagnostics {
            if quiet && !d.is_error() {
                continue;
            }
            let span = d.span().expect("a place");
            let place = sources.place(span);
            println!(
                "{}:{}:{}: {}{} [{}] {:?} {:?}",
                sources.file(span.file).name(),
                place.line,
                place.column,
                if d.is_error() { "error: " } else { "warning: " },
                d.message,
                sources.text(span).lines().next().unwrap_or(""),
                d.labels.iter().map(|l| &l.text).collect::<Vec<_>>(),
                d.help
            );
        }
        if std::env::var("TIMES").is_ok() {
            println!(
                "{path}: {:?} {} commands",
                start.elapsed(),
                loaded.model.commands.len()
            );
        }
    }
    println!("{read} read, {refused} refused");
}
