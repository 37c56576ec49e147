//! The live view in a terminal: what is measured, while it is measured.
//!
//! [`view`] is what it knows, [`chart`] and [`board`] draw parts of it, [`backend`] writes it to the terminal. Nothing
//! changes the terminal's mode: Ctrl-C, Ctrl-Z and typing ahead stay its own.

mod backend;
mod board;
mod chart;
#[cfg(test)]
mod tests;
mod view;

use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cardiograph_catalogue::Language;
use cardiograph_checkup::signals::{self, Signals};
use cardiograph_checkup::sink::Event;
use cardiograph_core::text::plain_line;
use cardiograph_render::text;
use ratatui_core::backend::Backend;
use ratatui_core::terminal::{Terminal, TerminalOptions, Viewport};
use ratatui_core::text::Line;
use signal_hook::consts::{SIGCONT, SIGTSTP, SIGWINCH};

use backend::{CLEAR, HOME, InlineBackend};
use view::View;

/// Least time between two frames: each second progress event of a real drive is shown. More would cost more than a
/// percent of a slow processor.
const FRAME: Duration = Duration::from_millis(400);
/// Columns and rows where they are unknown: enough for a single line.
const SIZE_DEFAULT: (usize, usize) = (80, 1);
/// Clears the line of the cursor.
const CLEAR_LINE: &str = "\r\x1b[K";

/// A live view; signals change it, too.
#[derive(Debug)]
pub struct Live(Arc<Mutex<Screen>>);

#[derive(Debug)]
struct Screen {
    view: View,
    on_stderr: bool,
    has_color: bool,
    frame: Option<Frame>,
    /// Whether a single line is shown instead.
    has_line: bool,
    began: Instant,
    drawn: Option<Instant>,
    /// After one of these, a single line is shown: the next one may end the program at once.
    ends: Signals,
    /// Whether signals of the terminal are handled.
    listens: bool,
}

/// What the terminal shows.
#[derive(Debug)]
struct Frame {
    terminal: Terminal<InlineBackend>,
    rows: usize,
    /// Columns and rows of the terminal.
    size: (usize, usize),
}

impl Live {
    /// For a terminal. Nothing is shown before the first event.
    pub fn new(on_stderr: bool, has_color: bool, language: Language) -> Self {
        Self(Arc::new(Mutex::new(Screen {
            view: View::new(language),
            on_stderr,
            has_color,
            frame: None,
            has_line: false,
            began: Instant::now(),
            drawn: None,
            ends: Signals::default(),
            listens: false,
        })))
    }

    fn lock(&self) -> MutexGuard<'_, Screen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows little more after one of these signals.
    pub fn end_after(&self, signals: &Signals) {
        self.lock().ends = signals.clone();
    }

    /// Takes in an event, and shows it if the last frame is old enough.
    pub fn take(&self, event: Event) {
        let mut screen = self.lock();
        let now_ns = screen.now_ns();
        // A step begins where the line of the one before was printed.
        let begins = matches!(event, Event::Stage(_));
        let is_shown = begins || matches!(event, Event::Doing(_));
        screen.view.take(event, now_ns);
        if begins || is_shown && screen.drawn.is_none_or(|drawn| drawn.elapsed() >= FRAME) {
            if !std::mem::replace(&mut screen.listens, true) {
                // Without it, only resizing and Ctrl-Z leave something behind.
                let _ = listen(&self.0);
            }
            screen.draw();
        }
    }

    /// Removes the view; the next event shows it again.
    pub fn wipe(&self) {
        self.lock().wipe();
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.wipe();
    }
}

impl Screen {
    fn now_ns(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    fn draw(&mut self) {
        let is_in_front = match self.on_stderr {
            true => rustix::termios::tcgetpgrp(std::io::stderr()),
            false => rustix::termios::tcgetpgrp(std::io::stdout()),
        };
        // In the background, the terminal is another program's.
        if is_in_front.is_ok_and(|group| group != rustix::process::getpgrp()) {
            return;
        }
        self.drawn = Some(Instant::now());
        let (size, now_ns) = (self.size(), self.now_ns());
        let rows = if self.ends.received().is_some() { None } else { self.view.rows(size, now_ns) };
        match (rows, self.view.line(size.0)) {
            (Some(rows), _) => self.show(&rows, size),
            (None, Some(line)) => {
                let wiping = self.wiping();
                let line = text::cut(&plain_line(&line), size.0.saturating_sub(1));
                self.write(&format!("{wiping}{CLEAR_LINE}{line}"));
                self.has_line = true;
            }
            (None, None) => {}
        }
    }

    fn show(&mut self, rows: &[Line<'_>], size: (usize, usize)) {
        let is_same = |frame: &Frame| frame.size == size && frame.rows == rows.len();
        let wiping = if self.frame.as_ref().is_some_and(is_same) { String::new() } else { self.wiping() };
        let frame = match self.frame.take() {
            Some(frame) => Some(frame),
            None => {
                let (columns, height) = (size.0 as u16, rows.len() as u16);
                let mut backend = InlineBackend::new(columns, height, self.has_color);
                backend.output = wiping + CLEAR;
                let options = TerminalOptions { viewport: Viewport::Inline(height) };
                let terminal = Terminal::with_options(backend, options).ok();
                terminal.map(|terminal| Frame { terminal, rows: rows.len(), size })
            }
        };
        self.frame = frame;
        let Some(Frame { terminal, .. }) = &mut self.frame else { return };
        paint(terminal, rows);
        let output = std::mem::take(&mut terminal.backend_mut().output);
        self.write(&output);
    }

    /// The sequence that removes what is shown.
    fn wiping(&mut self) -> String {
        let line = if std::mem::take(&mut self.has_line) { CLEAR_LINE } else { "" };
        let size = self.size();
        match self.frame.take() {
            // A terminal of another size has moved the lines, and the cursor with them.
            Some(frame) if frame.size != size => format!("{line}{CLEAR}"),
            Some(_) => format!("{line}{HOME}{CLEAR}"),
            None => line.to_string(),
        }
    }

    /// Removes what is shown, and returns whether there was anything.
    fn wipe(&mut self) -> bool {
        let wiping = self.wiping();
        self.write(&wiping);
        !wiping.is_empty()
    }

    /// Columns and rows of the terminal.
    fn size(&self) -> (usize, usize) {
        let size = match self.on_stderr {
            true => rustix::termios::tcgetwinsize(std::io::stderr()),
            false => rustix::termios::tcgetwinsize(std::io::stdout()),
        };
        let size = size.map_or((0, 0), |size| (size.ws_col.into(), size.ws_row.into()));
        // Some serial consoles do not know theirs.
        if size.0 == 0 { SIZE_DEFAULT } else { size }
    }

    /// A view that cannot be written is not shown.
    fn write(&self, text: &str) {
        let _ = match self.on_stderr {
            true => std::io::stderr().write_all(text.as_bytes()),
            false => {
                let mut stdout = std::io::stdout().lock();
                stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush())
            }
        };
    }
}

fn paint<B: Backend>(terminal: &mut Terminal<B>, rows: &[Line<'_>]) {
    // The backend only fills its output.
    let _ = terminal.draw(|frame| {
        let columns = frame.area().width;
        let buffer = frame.buffer_mut();
        for (y, row) in rows.iter().enumerate() {
            buffer.set_line(0, y as u16, row, columns);
        }
    });
}

/// Handles the signals of the terminal on another thread, as long as there is a view: Ctrl-Z removes it before the
/// program stops, and another size or continuing shows it anew.
fn listen(screen: &Arc<Mutex<Screen>>) -> std::io::Result<()> {
    let is_heard = |signal: &i32| !signals::is_ignored(*signal);
    let heard = [SIGTSTP, SIGCONT, SIGWINCH].into_iter().filter(is_heard);
    let mut heard = signal_hook::iterator::Signals::new(heard)?;
    let screen = Arc::downgrade(screen);
    let handle = move || {
        for signal in heard.forever() {
            let Some(screen) = screen.upgrade() else { return };
            let mut screen = screen.lock().unwrap_or_else(PoisonError::into_inner);
            let is_shown = match signal {
                SIGTSTP => {
                    let was_shown = screen.wipe();
                    let _ = signal_hook::low_level::emulate_default_handler(SIGTSTP);
                    was_shown
                }
                // Stopped by another signal, it stands somewhere above.
                SIGCONT => screen.frame.take().is_some() | std::mem::take(&mut screen.has_line),
                _ => screen.frame.is_some() || screen.has_line,
            };
            if is_shown {
                screen.draw();
            }
        }
    };
    std::thread::Builder::new().name("terminal".to_string()).spawn(handle).map(drop)
}
