//! Sessions in a terminal that is only a buffer: keys in, screens out.

use std::path::Path;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use wherefore_driver::explain::Past;
use wherefore_driver::{Engine, ModelSubject};

use super::*;

const BUTTON: &str = "button.smv";

/// What the keys of a session are, written short: `>` is right, `<` left, `^` up, `v` down, `T` tab, `E`
/// enter, `X` escape; everything else is itself.
fn key(letter: char) -> KeyEvent {
    let code = match letter {
        '>' => KeyCode::Right,
        '<' => KeyCode::Left,
        '^' => KeyCode::Up,
        'v' => KeyCode::Down,
        'T' => KeyCode::Tab,
        'E' => KeyCode::Enter,
        'X' => KeyCode::Esc,
        letter => KeyCode::Char(letter),
    };
    KeyEvent::new(code, KeyModifiers::NONE)
}

/// A session with an example.
struct Driven<'t> {
    session: ModelSubject,
    property: usize,
    engine: Engine,
    style: Style,
    size: (u16, u16),
    /// What is looked at after each key.
    look: &'t mut dyn FnMut(&App, String),
}

impl Driven<'_> {
    /// Follows the keys; `typed` lines come in quotes: `e"p & r"E`.
    fn follow(&mut self, keys: &str) {
        let budget = Budget::unlimited();
        let mut past = Past::default();
        let mut app: Option<App> = None;
        let mut keys = keys.chars();
        let mut quoted = false;
        let property = self.property;
        let (style, (width, height)) = (self.style, self.size);
        let backend = TestBackend::new(width, height);
        let mut terminal = Terminal::new(backend).expect("it is a buffer");
        let look = &mut *self.look;
        let visited = open_proof(
            &mut self.session,
            property,
            self.engine,
            &budget,
            &mut |session, opened| {
                let inquiry = Inquiry::new(opened, &mut past)?;
                let backdrop = Arc::new(Backdrop::new(session, property, inquiry.summary()));
                let scene = inquiry.scene()?;
                let mut desk = ProofDesk {
                    session,
                    inquiry,
                    property,
                    budget: &budget,
                    reason: None,
                };
                let app = match &mut app {
                    Some(app) => {
                        app.reopen(backdrop, scene, String::new());
                        app
                    }
                    None => app.insert(App::new(backdrop, scene, style)),
                };
                loop {
                    while let Some(request) = app.wants() {
                        app.hear(desk.answer(&request)?);
                    }
                    terminal.draw(|frame| app.draw(frame)).expect("a buffer");
                    look(app, terminal.backend().to_string());
                    let event = match keys.next() {
                        None => return Ok(Next::Done),
                        Some('"') => {
                            quoted = !quoted;
                            continue;
                        }
                        Some(letter) if quoted => {
                            KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE)
                        }
                        Some(letter) => key(letter),
                    };
                    match app.key(event) {
                        Effect::Nothing | Effect::Cancel => {}
                        Effect::Quit => return Ok(Next::Done),
                        Effect::Ask(request) => match desk.answer(&request)? {
                            Reply::Again => return Ok(Next::Again),
                            reply => app.hear(reply),
                        },
                    }
                }
            },
        );
        visited.expect("it is sound");
    }
}

fn example(name: &str) -> ModelSubject {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let text = std::fs::read_to_string(path.join(name)).expect("the example is there");
    ModelSubject::from_text(name, text).expect("it is a model")
}

const PLAIN: Style = Style {
    color: false,
    ascii: false,
    width: 80,
};

/// The last screen after some keys, which is the same from both engines but for their name.
fn screen(mut open: impl FnMut() -> ModelSubject, property: &str, keys: &str) -> String {
    let screens = [Engine::Explicit, Engine::Bdd].map(|engine| {
        let session = open();
        let mut properties = session.model().properties.iter();
        let property = properties.position(|p| p.name == property);
        let mut last = String::new();
        let mut driven = Driven {
            property: property.expect("there is such a property"),
            session,
            engine,
            style: PLAIN,
            size: (80, 24),
            look: &mut |_, screen| last = screen,
        };
        driven.follow(keys);
        let lines = last.lines().map(|line| line.trim_matches('"').trim_end());
        lines.collect::<Vec<_>>().join("\n")
    });
    let [explicit, bdd] = screens;
    // The line with the badges names the engine.
    let but_badges = |screen: &str| {
        let lines = screen.lines().filter(|line| !line.starts_with('['));
        lines.map(String::from).collect::<Vec<_>>()
    };
    assert_eq!(but_badges(&explicit), but_badges(&bdd));
    explicit
}

fn with_formula(name: &str, formula: &str) -> ModelSubject {
    let mut session = example(name);
    session.add_formula(formula).expect("it is a formula");
    session
}

#[test]
fn the_first_screen_shows_the_claim_and_its_ways() {
    insta::assert_snapshot!(screen(|| example("elevator.smv"), "upstairs", ""));
}

#[test]
fn a_lasso_is_shown_by_one_key() {
    insta::assert_snapshot!(screen(|| example("elevator.smv"), "upstairs", "x"));
}

#[test]
fn a_loop_of_four_or_one_step_to_the_loop_of_one() {
    let open = || with_formula(BUTTON, "AX !(p & EG p)");
    insta::assert_snapshot!(screen(open, "formula1", ">>>"));
}

#[test]
fn the_other_explanation_of_the_same_claim() {
    let open = || with_formula(BUTTON, "AX !(p & EG p)");
    insta::assert_snapshot!(screen(open, "formula1", ">>>2x"));
}

#[test]
fn a_witness_says_how_far_it_is_and_why_it_has_arrived() {
    let open = || with_formula(BUTTON, "EF (f | r)");
    let first = screen(open, "formula1", "");
    assert!(
        first.contains("`EF (f | r)` holds at step 0, within 2 steps"),
        "{first}"
    );
    let last = screen(open, "formula1", "xTvv");
    assert!(
        last.contains("`f | r` holds at step 2: because `r` holds"),
        "{last}"
    );
}

#[test]
fn branches_are_folded_until_somebody_unfolds_them() {
    let open = || with_formula("mutex.smv", "AG left.at = away | AG right.at = away");
    insta::assert_snapshot!("folded", screen(open, "formula1", "x"));
    insta::assert_snapshot!("unfolded", screen(open, "formula1", "xTvvv>"));
}

#[test]
fn a_region_says_how_many_states_can_follow() {
    insta::assert_snapshot!(screen(|| example(BUTTON), "never_stuck", ">"));
}

#[test]
fn keys_for_the_view_change_nothing_but_the_view() {
    insta::assert_snapshot!(screen(|| example(BUTTON), "served", "xTbd/\"p|r\"E"));
}

#[test]
fn values_of_expressions_and_mistakes_are_said_in_the_last_line() {
    let said = |keys: &str| {
        let screen = screen(|| example(BUTTON), "served", keys);
        screen.lines().last().unwrap_or_default().to_string()
    };
    assert_eq!(said("e\"p | !r\"E"), "p | !r is TRUE");
    assert!(said("e\"nobody\"E").contains("nobody"));
    assert!(said("/\"(\"E").contains("not a regular expression"));
    assert_eq!(said("u"), "there is nothing to undo");
    assert_eq!(said("9"), "there is no way 9");
    assert_eq!(said("x>"), "this is shown already; n shows it another way");
}

#[test]
fn help_and_the_menu_of_strategies_cover_the_screen_until_a_key_comes() {
    insta::assert_snapshot!("help", screen(|| example(BUTTON), "served", "?"));
    insta::assert_snapshot!("menu", screen(|| example(BUTTON), "served", "svv"));
    let after = screen(|| example(BUTTON), "served", "? sX");
    assert_eq!(after, screen(|| example(BUTTON), "served", ""));
}

#[test]
fn another_strategy_makes_another_proof_and_undo_takes_it_back() {
    let open = || with_formula(BUTTON, "EX EX r");
    let shortest = screen(open, "formula1", "x");
    assert!(!shortest.contains("p: TRUE → FALSE"), "{shortest}");
    let prefer = screen(open, "formula1", "svvvE\"!p\"Ex");
    assert!(prefer.contains("[prefer !p]"), "{prefer}");
    assert!(prefer.contains("p: TRUE → FALSE"), "{prefer}");
    let undone = screen(|| example(BUTTON), "served", "xu");
    assert_eq!(undone, screen(|| example(BUTTON), "served", ""));
}

#[test]
fn a_new_condition_keeps_what_is_shown_and_avoiding_a_state_starts_anew() {
    let kept = screen(|| example(BUTTON), "served", ">>svvvE\"p\"E");
    assert!(
        kept.contains("`AG (r -> AF f)` is false at step 2"),
        "{kept}"
    );
    let anew = screen(|| example(BUTTON), "served", ">>a");
    assert!(anew.contains("1 obligation open"), "{anew}");
    assert!(anew.contains("avoid p & r & !f"), "{anew}");
    let known = screen(|| example(BUTTON), "served", "xTvv");
    assert!(!known.contains("p: TRUE → FALSE"), "{known}");
    let other = screen(|| example(BUTTON), "served", "xTvvax");
    assert!(other.contains("p: TRUE → FALSE"), "{other}");
    assert!(other.contains("everything is shown"), "{other}");
}

#[test]
fn a_closed_claim_is_open_again_and_the_next_way_is_another() {
    let open = || with_formula(BUTTON, "EF r");
    let closed = screen(open, "formula1", "xT^^^<");
    assert!(closed.contains("obligation open"), "{closed}");
    let next = screen(open, "formula1", "xT^^^n");
    assert!(next.contains("obligation"), "{next}");
}

#[test]
fn no_size_of_the_window_is_a_problem() {
    for (width, height) in [(1, 1), (3, 2), (20, 5), (41, 10), (80, 24), (400, 100)] {
        for name in ["served", "never_stuck"] {
            let session = example(BUTTON);
            let mut properties = session.model().properties.iter();
            let property = properties.position(|p| p.name == name);
            let mut screens = 0;
            let mut driven = Driven {
                property: property.expect("there is such a property"),
                session,
                engine: Engine::Auto,
                style: Style {
                    ascii: true,
                    ..PLAIN
                },
                size: (width, height),
                look: &mut |_, screen| {
                    assert!(screen.is_ascii(), "{screen}");
                    screens += 1;
                },
            };
            driven.follow("?Xxvv^T^vvvbds X/\"(\"E<n1e\"p\"Ew\"\"X");
            assert!(screens > 20);
        }
    }
}

#[test]
fn while_the_engine_is_at_work_keys_wait_or_cancel() {
    let session = example(BUTTON);
    let mut app: Option<App> = None;
    let mut session = session;
    let budget = Budget::unlimited();
    let mut past = Past::default();
    let opened = open_proof(
        &mut session,
        1,
        Engine::Auto,
        &budget,
        &mut |session, opened| {
            let inquiry = Inquiry::new(opened, &mut past)?;
            let backdrop = Arc::new(Backdrop::new(session, 1, inquiry.summary()));
            app = Some(App::new(backdrop, inquiry.scene()?, PLAIN));
            Ok(Next::Done)
        },
    );
    opened.expect("it is sound");
    let mut app = app.expect("it was opened");
    assert!(matches!(app.key(key('x')), Effect::Ask(Request::All)));
    assert_eq!(app.key(key('>')), Effect::Nothing);
    assert_eq!(app.key(key('X')), Effect::Cancel);
    let interrupt = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
    assert_eq!(app.key(interrupt), Effect::Cancel);
    app.cancelled(Some(&Request::All));
    assert_eq!(
        app.message.as_deref(),
        Some("cancelled; nothing has changed")
    );
    assert!(matches!(app.key(key('a')), Effect::Ask(Request::Avoid(_))));
    assert_eq!(app.key(key('X')), Effect::Nothing);
    assert_eq!(app.key(interrupt), Effect::Quit);
    app.hear(Reply::Said(String::new()));
    assert_eq!(app.key(interrupt), Effect::Quit);
    assert_eq!(app.key(key('q')), Effect::Quit);
}
