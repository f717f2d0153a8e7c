//! What the tests of the binary share: a folder with models, and runs of the binary in it.

#![allow(unreachable_pub, clippy::print_stderr)]

pub mod infinite;

use std::fs::{self, File};
use std::panic::Location;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A failing, a passing, a vacuous and an unsupported property.
pub const LAMP: &str = "\
MODULE main
VAR lamp : {off, on, broken}; x : 0..1;
ASSIGN
  init(lamp) := off;
  next(lamp) := case
      lamp = off : {off, on};
      lamp = on : {off, on, broken};
      TRUE : broken;
    esac;
CTLSPEC NAME mended := AG (lamp = broken -> EF lamp = off)
CTLSPEC NAME shines := EF lamp = on
CTLSPEC NAME stays := AG (lamp = broken -> AX lamp = broken)
CTLSPEC NAME never := AG (x > 1 -> AF lamp = on)
PSLSPEC NAME later := {lamp = on; lamp = off}
";

/// Too much for any engine in the time of a test.
pub const ENDLESS: &str = "\
MODULE cell(left)
VAR v : 0..1000; w : 0..1000;
ASSIGN
  next(v) := {(v * v + w + left) mod 1001, (v + 1) mod 1001};
  next(w) := {w, (w * 3 + v * left) mod 1001};
MODULE main
VAR a : cell(d.v); b : cell(a.v); c : cell(b.w); d : cell(c.v);
CTLSPEC NAME far := AG (a.v * b.v != c.v * d.w + 13)
";

/// A folder of its own for a test, with the models in it.
pub struct Folder(pub PathBuf);

impl Folder {
    /// The folder is named after the file of the test, too: tests of several files run at the same time.
    #[track_caller]
    pub fn new(test: &str) -> Self {
        let file = Path::new(Location::caller().file()).file_stem();
        let file = file.expect("a source file has a name").display();
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cli-{file}-{test}"));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("the folder can be made");
        let folder = Self(path);
        folder.write("lamp.smv", LAMP.as_bytes());
        folder.write("endless.smv", ENDLESS.as_bytes());
        folder.write(
            "wrong.smv",
            b"MODULE main\nVAR x : 0..2\nASSIGN next(x) := y;\n",
        );
        folder.write("bytes.smv", b"MODULE main\nVAR \xff : boolean;\n");
        folder
    }

    pub fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.0.join(name), bytes).expect("the file can be written");
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).expect("the file is there")
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wherefore"));
        command
            .args(args)
            .current_dir(&self.0)
            .env_remove("NO_COLOR")
            .stdin(Stdio::null());
        command
    }

    /// Starts the binary; what it prints goes to files in the folder.
    pub fn start(&self, args: &[&str]) -> Running<'_> {
        self.start_with(args, Stdio::null())
    }

    /// The same with something to read.
    pub fn start_with(&self, args: &[&str], input: Stdio) -> Running<'_> {
        let file = |name: &str| File::create(self.0.join(name)).expect("the file can be made");
        let mut command = self.command(args);
        let command = command.stdin(input).stdout(file("out")).stderr(file("err"));
        let child = command.spawn();
        Running {
            folder: self,
            child: child.expect("the binary starts"),
            args: args.iter().map(|arg| arg.to_string()).collect(),
        }
    }

    pub fn run(&self, args: &[&str]) -> Ran {
        Ran::new(self.command(args).output().expect("the binary starts"))
    }
}

pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Ran {
    pub fn new(output: Output) -> Self {
        Self {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).expect("output is UTF-8"),
            err: String::from_utf8(output.stderr).expect("messages are UTF-8"),
        }
    }
}

/// A run of the binary that is going on.
pub struct Running<'f> {
    folder: &'f Folder,
    child: Child,
    args: Vec<String>,
}

impl Running<'_> {
    /// Presses Ctrl-C.
    #[cfg(unix)]
    pub fn interrupt(&self) {
        let pid = self.child.id().to_string();
        let killed = Command::new("kill").args(["-INT", &pid]).status();
        assert!(killed.expect("kill starts").success());
    }

    /// Waits until the binary has printed something.
    pub fn wait_for_output(&self, part: &str) {
        let start = Instant::now();
        while !self.folder.read("out").contains(part) {
            assert!(start.elapsed() < Duration::from_secs(60), "{:?}", self.args);
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits for the end, which must come within so many seconds.
    pub fn end_within(mut self, seconds: u64) -> Ran {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("it can be waited for") {
                return Ran {
                    code: status.code(),
                    out: self.folder.read("out"),
                    err: self.folder.read("err"),
                };
            }
            if start.elapsed() > Duration::from_secs(seconds) {
                self.child.kill().expect("it can be ended");
                self.child.wait().expect("it ends");
                panic!("{:?} does not end within {seconds} s", self.args);
            }
            thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Whether a program is there; see [`is_there`].
pub fn has(program: &str) -> bool {
    let found = Command::new("sh")
        .args(["-c", &format!("command -v {program}")])
        .stdout(Stdio::null())
        .status();
    is_there(program, found.is_ok_and(|status| status.success()))
}

/// Says of what a test asks whether it is there. Where all tests must run, its absence is an error.
pub fn is_there(what: &str, there: bool) -> bool {
    let must = std::env::var("CI").is_ok_and(|ci| ci == "true");
    assert!(there || !must, "{what} is missing");
    if !there {
        skip(what);
    }
    there
}

/// Says that something is not asked.
pub fn skip(what: &str) {
    eprintln!("SKIPPED: what {what} says of our files; it is missing");
}
