//! What a dry run shows: the steps of an outline, with the commands that do the same.

use cardiograph_core::{Message, Parameter, message, units};
use cardiograph_fio::fio_command;
use cardiograph_suites::{Outline, OutlineStep};

/// A line of an outline.
pub struct Line {
    /// Its depth: 0 for steps and notes, 1 for what a step runs.
    pub depth: usize,
    /// The line.
    pub text: Message,
}

/// The lines of an outline: each step with its commands, then the notes.
pub fn lines(outline: &Outline) -> Vec<Line> {
    let line = |depth: usize, text: Message| Line { depth, text };
    let mut lines = Vec::new();
    for step in &outline.steps {
        lines.push(line(0, of_step(step)));
        let jobs = step.work.jobs().iter();
        lines.extend(jobs.map(|job| line(1, Message::verbatim(fio_command::command_line(job)))));
        let app = step.work.app().map(|app| message!("outline-app", load = &app.load));
        lines.extend(app.map(|app| line(1, app)));
    }
    lines.extend(outline.notes.iter().map(|note| line(0, note.clone())));
    lines
}

fn of_step(step: &OutlineStep) -> Message {
    let (title, bytes) = (step.title.clone(), Parameter::CapacityBytes(step.write_bytes_max));
    match (step.time_ns_max.map(units::elapsed), step.write_bytes_max) {
        (Some(time), 0) => message!("outline-step", step = title, time),
        (Some(time), _) => message!("outline-step.writes", step = title, time, bytes),
        (None, 0) => message!("outline-step.untimed", step = title),
        (None, _) => message!("outline-step.untimed-writes", step = title, bytes),
    }
}
