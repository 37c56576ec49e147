//! The view in its states, as text. A line of marks below a row shows its colours: r is red, y yellow.

use cardiograph_apps::Progress as AppProgress;
use cardiograph_checkup::sink::{Activity, Stage, Subject, TimeLeft};
use cardiograph_core::app::{CamerasOutcome, Operation};
use cardiograph_core::drive::{Drive, Leaf, LeafKind, Temperature};
use cardiograph_core::table::{Cell, CellUnit, Column, Table, TableRow};
use cardiograph_core::units::BandwidthUnits;
use cardiograph_core::{Estimate, Message, NS_PER_MS, NS_PER_S, Parameter, PerDirection, message};
use cardiograph_engine::Progress;
use cardiograph_engine::observer::{Done, State, WorkerState};
use cardiograph_suites::{Board, CameraTrial, PartState};
use cardiograph_testing::check_golden;
use ratatui_core::backend::{Backend, TestBackend};
use ratatui_core::style::{Color, Style};

use super::*;

const TICK_NS: u64 = 250 * NS_PER_MS;
/// A terminal as most programs expect it, and what a row in it may take.
const USUAL: (usize, usize) = (80, 24);

/// A measurement to be shown.
struct Scene {
    view: View,
    now_ns: u64,
    elapsed_ns: u64,
    written: Done,
}

impl Scene {
    fn new(language: Language) -> Self {
        let leaf = Leaf {
            name: "mmcblk0".to_string(),
            kind: LeafKind::SdCard,
            model: Some("SanDisk Ultra 64 GB".to_string()),
            ..Leaf::default()
        };
        let drive = Drive { path: "/mnt/card".to_string(), leaves: vec![leaf], ..Drive::default() };
        let subject = Subject { drive, suite: "quick".to_string(), write_bytes_max: Some(2_560 << 20) };
        let mut view = View::new(language);
        view.take(Event::Subject(Box::new(subject)), 0);
        Self { view, now_ns: 0, elapsed_ns: 0, written: Done::default() }
    }

    fn stage(mut self, stage: Stage) -> Self {
        self.view.take(Event::Stage(Box::new(stage)), self.now_ns);
        self
    }

    fn usual() -> Self {
        Self::new(Language::EN).stage(usual_stage(None))
    }

    /// Writes so many blocks in a quarter of a second.
    fn write(&mut self, ios: u64, block_bytes: u64, latency_ns: Option<u64>) {
        (self.now_ns, self.elapsed_ns) = (self.now_ns + TICK_NS, self.elapsed_ns + TICK_NS);
        self.written.ios += ios;
        self.written.bytes += ios * block_bytes;
        let done = |done| PerDirection { write: done, ..PerDirection::<Done>::default() };
        let progress = Progress {
            elapsed_ns: self.elapsed_ns,
            interval_ns: TICK_NS,
            write_bytes: ios * block_bytes,
            ios,
            latency_p99_ns: latency_ns,
            done: done(Done { ios, bytes: ios * block_bytes }),
            total: done(self.written),
            workers: vec![WorkerState { job: 0, clone: 0, state: State::Running }],
            ..Progress::default()
        };
        let block = Parameter::BlockBytes(block_bytes);
        let activity = Activity::Jobs {
            title: message!("step-sustained", block),
            time_ns_max: Some(20 * NS_PER_S),
            is_paced: false,
            progress: Box::new(progress),
        };
        self.view.take(Event::Doing(activity), self.now_ns);
    }

    /// Writes at a rate that varies a little.
    fn write_many(&mut self, count: u64, ios: u64, block_bytes: u64) {
        for at in 0..count {
            let ios = ios - ios / 8 * (at * 7 % 5) / 5;
            self.write(ios, block_bytes, Some(2 * NS_PER_MS + at * 13 % 7 * NS_PER_MS));
        }
    }

    fn record(&mut self, operations: u64) {
        (self.now_ns, self.elapsed_ns) = (self.now_ns + TICK_NS, self.elapsed_ns + TICK_NS);
        let progress = AppProgress {
            elapsed_ns: self.elapsed_ns,
            interval_ns: TICK_NS,
            operation: Some(Operation::Second),
            operations,
            bytes: operations * 1_000_000,
            written_bytes: 0,
        };
        let title = message!("step-cameras", cameras = 12_u64, mbit = 8_u64);
        let activity = Activity::App { title, time_ns_max: Some(12 * NS_PER_S), progress };
        self.view.take(Event::Doing(activity), self.now_ns);
    }

    fn warn(&mut self, warning: &str) {
        self.view.take(Event::Warning(Message::verbatim(warning)), self.now_ns);
    }

    /// What a terminal of this size shows.
    fn shown(&mut self, size: (usize, usize)) -> String {
        let Some(rows) = self.view.rows(size, self.now_ns) else {
            return format!("{}\n", self.view.line(80).unwrap_or_default());
        };
        let mut terminal = Terminal::new(TestBackend::new(size.0 as u16, rows.len() as u16)).unwrap();
        paint(&mut terminal, &rows);
        let buffer = terminal.backend().buffer();
        let mut text = String::new();
        for y in 0..buffer.area.height {
            let (mut line, mut marks, mut x) = (String::new(), String::new(), 0);
            while x < buffer.area.width {
                let cell = &buffer[(x, y)];
                let columns = text::width(cell.symbol()).max(1);
                line.push_str(cell.symbol());
                let mark = match cell.fg {
                    Color::Red => "r",
                    Color::Yellow => "y",
                    _ => " ",
                };
                marks.push_str(&mark.repeat(columns));
                x += columns as u16;
            }
            assert!(text::width(line.trim_end()) < size.0, "the last column stays empty: {line}");
            for line in [line, marks].iter().map(|line| line.trim_end()).filter(|line| !line.is_empty()) {
                text.push_str(&format!("{line}\n"));
            }
        }
        text
    }
}

fn usual_stage(board: Option<Board>) -> Stage {
    Stage {
        title: message!("step-scatter"),
        number: 4,
        count: Some(6),
        elapsed_ns: 22 * NS_PER_S,
        left: TimeLeft::AtMost(36 * NS_PER_S),
        written_bytes: 150 << 20,
        board,
    }
}

fn stalling() -> Scene {
    let mut scene = Scene::usual();
    scene.write_many(30, 130, 4_096);
    (0..5).for_each(|_| scene.write(0, 4_096, None));
    scene.write(8, 4_096, Some(1_240 * NS_PER_MS));
    scene.write_many(20, 120, 4_096);
    scene
}

fn falling() -> Scene {
    let mut scene = Scene::usual();
    scene.write_many(40, 23, 1 << 20);
    scene.write_many(24, 5, 1 << 20);
    scene
}

fn sweeping() -> Scene {
    let figure = |value: f64| Cell::Figure {
        estimate: Estimate::bare(value, 20),
        step: "cell-1".to_string(),
        doubt: None,
    };
    let absent = || Cell::Absent { why: message!("table-absent.not-measured") };
    let row = |name: &str, cells| TableRow { name: Message::verbatim(name), cells };
    let column = |depth: &str| Column { heading: Message::verbatim(depth), unit: CellUnit::PerSecond };
    let rows = vec![
        row("random read, 4K", vec![figure(2_310.0), figure(7_940.0), figure(11_208.0)]),
        row("random read, 64K", vec![figure(905.0), figure(1_310.0), figure(1_342.0)]),
        row("random write, 4K", vec![figure(390.2), absent(), absent()]),
        row("random write, 64K", vec![absent(), absent(), absent()]),
    ];
    let columns = ["QD1", "QD4", "QD32"].map(column).to_vec();
    let heading = Message::verbatim("mix, block size");
    let table = Box::new(Table { heading, columns, rows, ..Table::default() });
    let board = Board::Matrix { table, current: Some((2, 1)) };
    let mut scene = Scene::new(Language::EN).stage(usual_stage(Some(board)));
    scene.write_many(12, 130, 4_096);
    scene
}

fn checking_capacity() -> Scene {
    let mut parts = vec![PartState::Waiting; 64];
    parts[..20].fill(PartState::Written);
    parts[..11].fill(PartState::Verified);
    parts[8] = PartState::Bad;
    parts[20] = PartState::Writing;
    let board = Board::Map { parts, step_bytes: 64 << 20 };
    let stage = Stage { left: TimeLeft::About(4_000 * NS_PER_S), ..usual_stage(Some(board)) };
    let mut scene = Scene::new(Language::EN).stage(stage);
    scene.write_many(8, 6, 1 << 20);
    scene
}

/// A sample is one part, which fills from the left.
fn sampling() -> Scene {
    let board = Board::Map { parts: vec![PartState::Reading], step_bytes: 96 << 20 };
    let mut scene = Scene::new(Language::EN).stage(usual_stage(Some(board)));
    scene.write_many(8, 6, 1 << 20);
    scene
}

fn recording() -> Scene {
    let trial = |cameras, late, outcome| CameraTrial { cameras, late, outcome: Some(outcome) };
    let trials = vec![
        trial(8, 0, CamerasOutcome::InTime),
        trial(24, 2, CamerasOutcome::Late),
        trial(16, 0, CamerasOutcome::Behind { share: 0.854 }),
    ];
    let board = Board::Cameras { trials, next: 12 };
    let stage = Stage { count: None, ..usual_stage(Some(board)) };
    let mut scene = Scene::new(Language::EN).stage(stage);
    (0..17).for_each(|at| scene.record(if at % 4 == 3 { 11 } else { 0 }));
    scene
}

fn warning() -> Scene {
    let mut scene = stalling();
    let temperature = Temperature { drive: "nvme0n1".to_string(), now_c: 81, warning_c: Some(80) };
    scene.view.take(Event::Temperature(temperature), scene.now_ns);
    scene.warn("The link runs at 50 MHz, the card can do 104.");
    scene.warn(
        "Another program wrote 31.2 MiB to the drive meanwhile, which is more than the step itself did.",
    );
    scene.warn("The link runs at 50 MHz, the card can do 104.");
    scene
}

fn preparing() -> Scene {
    let mut scene = Scene::usual();
    let title = message!("step-scatter");
    scene.view.take(Event::Doing(Activity::MakingRoom { title }), NS_PER_S);
    scene
}

fn in_japanese() -> Scene {
    let mut scene = stalling();
    let activity = scene.view.line(80);
    assert!(activity.is_some());
    scene.view.set_language("ja".parse::<Language>().unwrap().with_units(BandwidthUnits::Binary));
    scene.warn("接続は 50 MHz で動作しています。カードは 104 MHz に対応しています。この警告は画面の幅よりも長い文です。");
    scene
}

#[test]
fn the_states_of_a_measurement_are_shown() {
    let tall = (120, 40);
    let states = [
        ("start", Scene::usual(), USUAL),
        ("preparing", preparing(), USUAL),
        (
            "running",
            {
                let mut scene = Scene::usual();
                scene.write_many(100, 130, 4_096);
                scene
            },
            USUAL,
        ),
        ("a stall", stalling(), USUAL),
        ("a fall-off", falling(), USUAL),
        ("warnings", warning(), USUAL),
        ("warnings in a tall terminal", warning(), tall),
        ("narrow", stalling(), (50, 24)),
        ("low", stalling(), (80, 11)),
        ("sweep", sweeping(), USUAL),
        ("sweep without room", sweeping(), (64, 12)),
        ("capacity", checking_capacity(), USUAL),
        ("sample of the capacity", sampling(), USUAL),
        ("cameras", recording(), USUAL),
        ("Japanese", in_japanese(), USUAL),
        ("Japanese, as narrow as it gets", in_japanese(), (60, 12)),
    ];
    let shown = states.map(|(name, mut scene, size)| format!("-- {name}\n{}", scene.shown(size)));
    check_golden!("live.txt", &shown.join("\n"));
}

/// Frames through the backend.
fn output(backend: &mut InlineBackend) -> String {
    std::mem::take(&mut backend.output)
}

#[test]
fn a_frame_is_written_whole_from_its_first_line() {
    let lines = [Line::from("速い disk"), Line::styled("stall", Style::new().red()), Line::from("")];
    for (has_color, stall) in [(true, "\x1b[31mstall\x1b[0m"), (false, "stall")] {
        let options = TerminalOptions { viewport: Viewport::Inline(3) };
        let backend = InlineBackend::new(12, 3, has_color);
        let mut terminal = Terminal::with_options(backend, options).unwrap();
        assert_eq!(output(terminal.backend_mut()), "\n\n\r\x1b[2A\x1b7", "room is made once");
        // The user may have typed over it: the same lines are written again.
        for _ in 0..2 {
            paint(&mut terminal, &lines);
            let frame = format!("{HOME}\x1b[?7l\r速い disk\x1b[K\r\n{stall}\x1b[K\r\n\x1b[K\x1b[?7h{HOME}");
            assert_eq!(output(terminal.backend_mut()), frame);
        }
    }
}

#[test]
fn nothing_from_outside_steers_the_terminal() {
    let mut backend = InlineBackend::new(12, 1, true);
    let mut cell = ratatui_core::buffer::Cell::default();
    cell.set_symbol("\x1b[2J");
    backend.draw([(0, 0, &cell)].into_iter()).unwrap();
    backend.flush().unwrap();
    assert!(!backend.output.contains("\x1b[2J"), "{:?}", backend.output);
}
