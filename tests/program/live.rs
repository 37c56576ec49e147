//! The live view in a real terminal: a shell in a pty, and a small terminal emulator that shows what a user sees.

use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZero;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use cardiograph_testing::skip;
use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::common::{Bench, PROGRAM};

/// The limit for anything to appear.
const PATIENCE: Duration = Duration::from_secs(60);
/// More than the time between two frames.
const FRAMES: Duration = Duration::from_millis(600);
/// What a terminal is asked with, instead of told: its position, attributes and the like.
const QUERIES: [&str; 4] = ["\x1b[6n", "\x1b[5n", "\x1b[c", "\x1b[>c"];

/// A shell in a terminal.
pub struct Terminal {
    master: File,
    shell: Child,
    shown: Arc<Mutex<Shown>>,
}

struct Shown {
    emulator: vt100::Parser,
    output: Vec<u8>,
}

impl Terminal {
    /// An interactive shell: it has job control, as that of a user.
    pub fn start(bench: &Bench, (rows, columns): (u16, u16)) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let slave: OwnedFd = rustix::fs::open(&name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
        tcsetwinsize(&master, size_of(rows, columns)).unwrap();
        // Tests started in the background inherit an ignored Ctrl-C, and a shell cannot undo that.
        let shell = ["--ctty", "env", "--default-signal", "sh", "-i"];
        let mut command = bench.command("setsid", shell);
        let end = || Stdio::from(slave.try_clone().unwrap());
        command.envs([("PS1", "$ "), ("TERM", "xterm"), ("ENV", "")]).env_remove("NO_COLOR");
        let shell = command.stdin(end()).stdout(end()).stderr(end()).spawn().unwrap();
        let emulator = vt100::Parser::new(cells(rows), cells(columns), 1_000);
        let shown = Arc::new(Mutex::new(Shown { emulator, output: Vec::new() }));
        let (mut master, heard) = (File::from(master), shown.clone());
        let mut from = master.try_clone().unwrap();
        std::thread::spawn(move || {
            let mut bytes = [0; 4_096];
            // It ends with an error when the last program has closed the terminal.
            while let Ok(len) = from.read(&mut bytes) {
                let mut shown = heard.lock().unwrap();
                shown.emulator.process(&bytes[..len]);
                shown.output.extend(&bytes[..len]);
            }
        });
        master.flush().unwrap();
        Self { master, shell, shown }
    }

    pub fn send(&mut self, keys: &str) {
        self.master.write_all(keys.as_bytes()).unwrap();
    }

    fn resize(&self, rows: u16, columns: u16) {
        self.shown.lock().unwrap().emulator.screen_mut().set_size(cells(rows), cells(columns));
        tcsetwinsize(&self.master, size_of(rows, columns)).unwrap();
    }

    pub fn screen(&self) -> String {
        self.shown.lock().unwrap().emulator.screen().contents()
    }

    /// Waits until the screen is as expected for some frames.
    #[track_caller]
    pub fn expect(&self, what: &str, is_expected: impl Fn(&str) -> bool) {
        let (began, mut since) = (Instant::now(), Instant::now());
        while since.elapsed() < FRAMES {
            let screen = self.screen();
            if !is_expected(&screen) {
                since = Instant::now();
            }
            assert!(began.elapsed() < PATIENCE, "{what} is missing:\n{screen}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // A hangup ends the shell, and what runs in it.
        let _ = self.shell.kill();
        let _ = self.shell.wait();
    }
}

fn cells(count: u16) -> NonZero<u16> {
    NonZero::new(count).unwrap()
}

fn size_of(ws_row: u16, ws_col: u16) -> Winsize {
    Winsize { ws_row, ws_col, ws_xpixel: 0, ws_ypixel: 0 }
}

/// Number of views on a screen: each has one axis.
fn views(screen: &str) -> usize {
    screen.matches('└').count()
}

fn rows_of_views(screen: &str) -> usize {
    screen.lines().filter(|line| line.contains(['┤', '└'])).count()
}

/// The last line, where the cursor is.
pub fn ends_with_prompt(screen: &str) -> bool {
    screen.trim_end().lines().next_back().is_some_and(|line| line.trim_end() == "$")
}

#[test]
fn resizing_and_stopping_leave_a_clean_screen() {
    if !Path::new("/usr/bin/setsid").exists() {
        return skip("the live view in a terminal", "there is no setsid");
    }
    let bench = Bench::new();
    let mut terminal = Terminal::start(&bench, (24, 80));
    terminal.expect("the prompt", ends_with_prompt);
    terminal.send(&format!("'{PROGRAM}' check . --no-keep --max-time 20s\n"));
    let one_view = |screen: &str| views(screen) == 1 && rows_of_views(screen) == 4;
    terminal.expect("the view", one_view);

    for (rows, columns) in [(30, 100), (20, 64), (24, 80)] {
        terminal.resize(rows, columns);
        let bars = if rows >= 30 { 5 } else { 3 };
        terminal.expect("the resized view", |screen| views(screen) == 1 && rows_of_views(screen) == bars + 1);
    }
    // Too narrow: one line.
    terminal.resize(24, 50);
    terminal.expect("a single line", |screen| rows_of_views(screen) == 0);
    terminal.resize(24, 80);
    terminal.expect("the view", one_view);

    terminal.send("\x1a");
    terminal
        .expect("the prompt without a view", |screen| rows_of_views(screen) == 0 && ends_with_prompt(screen));
    let stopped = terminal.screen();
    terminal.send("fg\n");
    terminal.expect("the view again", one_view);
    let above: Vec<&str> = stopped.trim_end().lines().collect();
    let kept = above.iter().rev().skip(1).take(2).all(|line| terminal.screen().contains(line));
    assert!(kept, "what the shell printed is still there:\n{stopped}\n{}", terminal.screen());

    // Typed ahead: the next frame overwrites it, and the shell reads it at the end.
    terminal.send("echo typed''ahead\n");
    terminal.expect("the view without the echo", |screen| one_view(screen) && !screen.contains("echo"));

    terminal.expect("the end", |screen| screen.contains("typedahead") && ends_with_prompt(screen));
    let shown = terminal.shown.lock().unwrap();
    let screen = shown.emulator.screen();
    assert_eq!(rows_of_views(&screen.contents()), 0, "{}", screen.contents());
    assert!(!screen.hide_cursor());
    let output = String::from_utf8_lossy(&shown.output);
    assert!(QUERIES.iter().all(|query| !output.contains(query)), "it never asks the terminal");
}

#[test]
fn an_interrupt_leaves_a_clean_screen() {
    if !Path::new("/usr/bin/setsid").exists() {
        return skip("the live view in a terminal", "there is no setsid");
    }
    let bench = Bench::new();
    let mut terminal = Terminal::start(&bench, (24, 80));
    terminal.expect("the prompt", ends_with_prompt);
    // Longer than anything takes to appear beside other work: it cannot end by itself.
    terminal.send(&format!("'{PROGRAM}' check . --suite article --yes --no-keep\n"));
    terminal.expect("the view", |screen| views(screen) == 1);
    terminal.send("\x03");
    terminal.expect("the prompt", |screen| rows_of_views(screen) == 0 && ends_with_prompt(screen));
    assert!(terminal.screen().contains("check"), "the report is printed:\n{}", terminal.screen());
}

/// Runs the command, and returns what it printed.
fn printed(bench: &Bench, words: &str) -> String {
    let mut command: Command = bench.command(PROGRAM, words.split(' '));
    let output = command.env("TERM", "xterm").output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_pipe_gets_a_line_for_each_step_and_with_quiet_only_the_result() {
    let bench = Bench::new();
    let full = printed(&bench, "check --simulate sandisk-ultra-64 --no-keep");
    assert!(!full.contains(['\x1b', '\r', '└']), "{full}");
    let quiet = printed(&bench, "--quiet check --simulate sandisk-ultra-64 --no-keep");
    assert!(quiet.len() < full.len() && full.ends_with(&quiet), "{quiet}\n{full}");
    // Rows of tests are results.
    assert!(quiet.contains("QD32"), "{quiet}");
}
