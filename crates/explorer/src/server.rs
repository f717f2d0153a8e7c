//! The server: connections in, responses out.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use wherefore_base::Progress;
use wherefore_driver::tagged::query::named::QUERIES;
use wherefore_driver::view::api;
use wherefore_driver::view::api::pieces;
use wherefore_driver::view::wire::{
    CancelledAnswer, CheckingName, ClosedAnswer, StreamLine, TextAnswer, result_line, to_line,
};

use crate::analysis::Inquire;
use crate::ask::Ask;
use crate::clerk::{Answer, Desk, NOBODY, Outcome, Queue, guarded};
use crate::door::Door;
use crate::house::{House, Room};
use crate::http::{Manner, Method, Request, Response, Stream, Unreadable, is_gone, linger};
use crate::page::asset;
use crate::problem::Problem;
use crate::routes::{Work, work};

/// So many connections are served at once.
const MOST: usize = 64;
/// How often it is looked whether whoever asked is still there.
const TICK: Duration = Duration::from_millis(60);
/// How often progress is told.
const TELL: Duration = Duration::from_millis(200);
/// How long it waits before it listens again when the system has no more connections to give.
const BREATH: Duration = Duration::from_millis(50);

/// A server that is running.
pub(crate) struct Server {
    address: SocketAddr,
    door: Arc<Door>,
    stopped: Arc<AtomicBool>,
}

impl Server {
    /// Listens on a port of the loopback interface.
    pub(crate) fn start(port: u16, house: Arc<House>) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let address = listener.local_addr()?;
        let door = Arc::new(Door::new(address.port())?);
        let stopped = Arc::new(AtomicBool::new(false));
        let reception = Reception {
            house,
            door: Arc::clone(&door),
            open: Arc::new(AtomicUsize::new(0)),
        };
        let ended = Arc::clone(&stopped);
        thread::spawn(move || {
            for connection in listener.incoming() {
                if ended.load(Ordering::Relaxed) {
                    return;
                }
                match connection {
                    Ok(connection) => reception.receive(connection),
                    Err(_) => thread::sleep(BREATH),
                }
            }
        });
        Ok(Self {
            address,
            door,
            stopped,
        })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/{}/", self.address, self.door.secret())
    }

    /// Stops to listen.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
        // Somebody must knock for the listener to look up.
        let _ = TcpStream::connect(self.address);
    }
}

/// Where connections arrive.
struct Reception {
    house: Arc<House>,
    door: Arc<Door>,
    /// How many connections there are.
    open: Arc<AtomicUsize>,
}

/// Counts a connection as long as it lives.
struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Reception {
    fn receive(&self, mut stream: TcpStream) {
        let before = self.open.fetch_add(1, Ordering::Relaxed);
        let counted = Counted(Arc::clone(&self.open));
        if before >= MOST {
            let problem = Problem::too_many("Too many connections are open.");
            // It fits into the buffer of the connection, so nobody waits here.
            let _ = refusal(&problem).write(&mut stream, false);
            return;
        }
        let (house, door) = (Arc::clone(&self.house), Arc::clone(&self.door));
        thread::spawn(move || {
            let _counted = counted;
            guarded(|| {
                let mut visit = Visit {
                    house: &house,
                    stream: &mut stream,
                    bodiless: false,
                };
                // Whoever goes away before the response is not missed.
                let _ = visit.serve(&door);
                linger(visit.stream);
            });
        });
    }
}

/// One connection.
struct Visit<'v> {
    house: &'v House,
    stream: &'v mut TcpStream,
    /// Only the head of the response is wanted.
    bodiless: bool,
}

impl Visit<'_> {
    fn serve(&mut self, door: &Door) -> io::Result<()> {
        let request = match Request::read(self.stream) {
            Ok(request) => request,
            Err(Unreadable::Gone) => return Ok(()),
            Err(Unreadable::Bad(why)) => return self.refuse(&Problem::bad(why)),
            Err(Unreadable::Method) => return self.refuse(&Problem::method()),
            Err(Unreadable::TooLarge) => return self.refuse(&Problem::too_large()),
            Err(Unreadable::Slow) => return self.refuse(&Problem::slow()),
        };
        self.bodiless = request.method == Method::Head;
        if let Some(why) = door.refuses(&request) {
            return self.refuse(&Problem::forbidden(why));
        }
        match work(&request) {
            Ok(work) => self.work(door, &request, work),
            Err(problem) => self.refuse(&problem),
        }
    }

    fn work(&mut self, door: &Door, request: &Request, work: Work) -> io::Result<()> {
        match work {
            Work::Asset(name) => match asset(&name) {
                Some(file) => {
                    let body = file.text.as_bytes().to_vec();
                    self.respond(&Response::new(200, file.media, body))
                }
                None => self.refuse(&Problem::missing("There is no such file.")),
            },
            Work::Redirect => {
                let mut response = Response::new(308, "text/plain; charset=utf-8", vec![]);
                response.extra = format!("Location: /{}/\r\n", door.secret());
                self.respond(&response)
            }
            Work::About => self.document(self.house.about()),
            Work::Models => self.document(self.house.models()),
            Work::Cancel(id) => self.document(to_line(&CancelledAnswer {
                cancelled: self.house.cancel(id),
            })),
            Work::Queries => self.document(to_line(&api::named_queries(&QUERIES))),
            Work::CloseAnalysis(id) => self.document(to_line(&ClosedAnswer {
                closed: self.house.close_analysis(id),
            })),
            Work::Analyse(model, property, wishes) => {
                match self.house.analyse(model, property, wishes) {
                    Some(queue) => self.inquire(&queue, Inquire::Open, request.manner),
                    None => self.refuse(&no_model()),
                }
            }
            Work::Inquire(id, ask) => match self.house.analysis(id) {
                Some(queue) => self.inquire(&queue, ask, request.manner),
                None => self.refuse(&Problem::missing("There is no such analysis.")),
            },
            Work::Follow(model) => match self.house.room(model) {
                Some(room) => self.follow(room, request.manner),
                None => self.refuse(&no_model()),
            },
            Work::Recheck(model) => match self.house.room(model) {
                Some(room) => {
                    let idle = room.board.write(|notes| {
                        let idle = !notes.is_checking();
                        if idle {
                            notes.entry.checking = CheckingName::Waiting;
                        }
                        idle
                    });
                    if idle {
                        drop(room.queue.put(NOBODY, Ask::Check));
                    }
                    self.follow(room, request.manner)
                }
                None => self.refuse(&no_model()),
            },
            Work::StopCheck(model) => match self.house.room(model) {
                Some(room) => {
                    let running = room.board.read().entry.checking == CheckingName::Running;
                    if running {
                        room.queue.desk.cancel(NOBODY);
                    }
                    self.document(to_line(&CancelledAnswer { cancelled: running }))
                }
                None => self.refuse(&no_model()),
            },
            Work::Detail(model, property) => match self.house.room(model) {
                Some(room) => self.detail(room, property, request.manner),
                None => self.refuse(&no_model()),
            },
            Work::Ask(model, ask) => match self.house.room(model) {
                Some(room) => {
                    if !ask.needs_states() {
                        // States that nobody has asked for yet can wait.
                        room.queue.desk.interrupt();
                    }
                    let id = self.house.begin(&room.queue.desk);
                    let answer = room.queue.put(id, ask);
                    let outcome = self.wait(&room.queue.desk, id, &answer, request.manner);
                    self.house.end(id);
                    outcome
                }
                None => self.refuse(&no_model()),
            },
        }
    }

    /// Has an analyst answer.
    fn inquire(&mut self, queue: &Queue<Inquire>, ask: Inquire, manner: Manner) -> io::Result<()> {
        let id = self.house.begin(&queue.desk);
        let answer = queue.put(id, ask);
        let outcome = self.wait(&queue.desk, id, &answer, manner);
        self.house.end(id);
        outcome
    }

    /// Waits for an answer and sends it; when nobody wants it any more, it is cancelled.
    fn wait(
        &mut self,
        desk: &Desk,
        id: u64,
        answer: &Receiver<Outcome>,
        manner: Manner,
    ) -> io::Result<()> {
        if manner == Manner::Whole {
            let outcome = loop {
                match answer.recv_timeout(TICK) {
                    Ok(outcome) => break outcome,
                    Err(RecvTimeoutError::Timeout) if is_gone(self.stream) => {
                        desk.cancel(id);
                        return Ok(());
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break Err(Problem::internal()),
                }
            };
            return self.send(outcome);
        }
        let mut stream = Stream::begin(self.stream)?;
        let mut teller = Teller::new();
        stream.send(&StreamLine::Begun { request: id }.render())?;
        loop {
            match answer.recv_timeout(TICK) {
                Ok(outcome) => {
                    return finish(stream, outcome, manner);
                }
                Err(RecvTimeoutError::Timeout) => {
                    let told = match teller.news(desk.progress(id)) {
                        Some(text) => stream.send(&text),
                        None => Ok(()),
                    };
                    if told.is_err() || stream.is_gone() {
                        desk.cancel(id);
                        return Ok(());
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return finish(stream, Err(Problem::internal()), manner);
                }
            }
        }
    }

    /// Tells a check as it goes on.
    fn follow(&mut self, room: &Room, manner: Manner) -> io::Result<()> {
        let desk = &room.queue.desk;
        if manner == Manner::Whole {
            while room.board.read().is_checking() {
                if is_gone(self.stream) {
                    return Ok(());
                }
                room.board.wait(TICK);
            }
            let entry = room.board.read().entry.render();
            return self.document(entry);
        }
        let mut stream = Stream::begin(self.stream)?;
        let mut teller = Teller::new();
        let (mut told, mut space) = (0, false);
        loop {
            let mut lines = String::new();
            let running = {
                let notes = room.board.read();
                if let Some(known) = notes.entry.model.space.as_ref().filter(|_| !space) {
                    lines += &StreamLine::Space {
                        space: known.clone(),
                    }
                    .render();
                    space = true;
                }
                for property in notes.answered.iter().skip(told) {
                    if let Some(property) = notes.entry.model.properties.get(*property) {
                        lines += &StreamLine::Property {
                            property: Box::new(property.clone()),
                        }
                        .render();
                    }
                }
                told = notes.answered.len();
                if !notes.is_checking() {
                    lines += &result_line(&notes.entry.render());
                }
                notes.is_checking()
            };
            if running {
                lines += &teller.news(desk.progress(NOBODY)).unwrap_or_default();
            }
            if !lines.is_empty() {
                stream.send(&lines)?;
            }
            if !running {
                return stream.end();
            }
            if stream.is_gone() {
                return Ok(());
            }
            room.board.wait(TICK);
        }
    }

    /// Sends everything about a property, once it is checked.
    fn detail(&mut self, room: &Room, property: usize, manner: Manner) -> io::Result<()> {
        let look = || -> Option<Outcome> {
            let notes = room.board.read();
            if let Some(detail) = notes.detail(property) {
                return Some(Ok(Answer::Document(detail)));
            }
            if let Some(why) = &notes.refused {
                return Some(Err(Problem::unsupported(why)));
            }
            // Before the model is read, nobody knows its properties.
            let unread = notes.entry.checking == CheckingName::Waiting
                && notes.entry.model.properties.is_empty();
            match notes.entry.model.properties.get(property) {
                None if unread => None,
                None => Some(Err(Problem::missing("There is no such property."))),
                Some(_) if notes.is_checking() => None,
                Some(_) => Some(Err(Problem::cancelled())),
            }
        };
        if manner == Manner::Whole {
            loop {
                if let Some(outcome) = look() {
                    return self.send(outcome);
                }
                if is_gone(self.stream) {
                    return Ok(());
                }
                room.board.wait(TICK);
            }
        }
        let mut stream = Stream::begin(self.stream)?;
        let mut teller = Teller::new();
        loop {
            if let Some(outcome) = look() {
                return finish(stream, outcome, manner);
            }
            if let Some(text) = teller.news(room.queue.desk.progress(NOBODY)) {
                stream.send(&text)?;
            }
            if stream.is_gone() {
                return Ok(());
            }
            room.board.wait(TICK);
        }
    }

    fn send(&mut self, outcome: Outcome) -> io::Result<()> {
        match outcome {
            Ok(Answer::Document(text)) => self.document(text.to_string()),
            Ok(Answer::File(file)) => {
                let mut response = Response::new(200, file.media, file.text.into_bytes());
                let name = file.name;
                response.extra =
                    format!("Content-Disposition: attachment; filename=\"{name}\"\r\n");
                self.respond(&response)
            }
            Err(problem) => self.refuse(&problem),
        }
    }

    fn document(&mut self, text: String) -> io::Result<()> {
        self.respond(&Response::json(200, text))
    }

    fn refuse(&mut self, problem: &Problem) -> io::Result<()> {
        self.respond(&refusal(problem))
    }

    fn respond(&mut self, response: &Response) -> io::Result<()> {
        response.write(self.stream, self.bodiless)
    }
}

fn no_model() -> Problem {
    Problem::missing("There is no such model.")
}

fn refusal(problem: &Problem) -> Response {
    Response::json(problem.status, to_line(&problem.failure))
}

/// Sends what came of a request, and ends the stream.
fn finish(mut stream: Stream<'_>, outcome: Outcome, manner: Manner) -> io::Result<()> {
    match outcome {
        Ok(Answer::Document(text)) if manner == Manner::Pieces => {
            for line in pieces::lines(&text) {
                stream.send(&line)?;
            }
        }
        Ok(Answer::Document(text)) => stream.send(&result_line(&text))?,
        Ok(Answer::File(file)) => {
            stream.send(&result_line(&to_line(&TextAnswer { text: file.text })))?
        }
        Err(problem) => stream.send(
            &StreamLine::Error {
                status: problem.status,
                error: problem.failure.error.clone(),
            }
            .render(),
        )?,
    }
    stream.end()
}

/// Tells progress when there is some, and not too often.
struct Teller {
    last: Option<(Progress, Instant)>,
}

impl Teller {
    fn new() -> Self {
        Self { last: None }
    }

    fn news(&mut self, progress: Progress) -> Option<String> {
        let worth = match &self.last {
            None => !progress.phase.is_empty(),
            Some((last, at)) => *last != progress && at.elapsed() >= TELL,
        };
        worth.then(|| {
            let text = StreamLine::Progress {
                phase: progress.phase.clone(),
                done: progress.done,
            }
            .render();
            self.last = Some((progress, Instant::now()));
            text
        })
    }
}
