//! `cargo xtask cast`: writes the moving pictures of the README, from simulated drives: a terminal in which commands are typed,
//! as an SVG that plays in a browser without scripts.

use std::fmt::Write as _;
use std::num::NonZero;
use std::path::Path;
use std::process::{Command, ExitCode};

use vt100::{Cell, Color, Parser, Screen};

use crate::workspace::{self, stdout_of};

/// What is typed, and for how many seconds its output is looked at.
const SCENES: [(&str, f64); 3] = [
    ("cardiograph check --simulate sandisk-ultra-64 --label microsd", 6.0),
    ("cardiograph check --simulate kioxia-sata-960 --label ssd", 4.0),
    ("cardiograph compare microsd ssd", 8.0),
];
/// Languages, and their locales.
const LANGUAGES: [(&str, &str); 2] = [("en", "C.UTF-8"), ("ja", "ja_JP.UTF-8")];
const COLUMNS: u16 = 80;
const ROWS: u16 = 33;
/// Characters that appear at once while a command is typed, and how long they take.
const TYPED_AT_ONCE: usize = 6;
const TYPED_S: f64 = 0.18;
/// A cell, in pixels, and the space around all of them.
const CELL_WIDTH: f64 = 8.4;
const CELL_HEIGHT: f64 = 18.0;
const MARGIN: f64 = 14.0;
/// The first eight colours and their bright ones, on a dark ground.
const COLOURS: [&str; 16] = [
    "#3b4048", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d7dae0", "#7f848e",
    "#ff7b85", "#a9d98a", "#f0d08b", "#7cc0ff", "#d68cee", "#6cd0dc", "#ffffff",
];
const GROUND: &str = "#1e2127";
const TEXT: &str = "#d7dae0";

/// Writes one for each language.
pub fn run() -> Result<ExitCode, String> {
    let program = workspace::build_program()?;
    for (language, locale) in LANGUAGES {
        let picture = picture(&frames(&program, locale)?);
        let path = workspace::root().join(format!("docs/pictures/tour.{language}.svg"));
        std::fs::write(&path, picture).map_err(|error| format!("{}: {error}", path.display()))?;
        println!("{}", path.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// A screen, and how long it is shown, in seconds.
type Frame = (Screen, f64);

fn frames(program: &Path, locale: &str) -> Result<Vec<Frame>, String> {
    let data = tempfile::tempdir().map_err(|error| error.to_string())?;
    let size = |cells| NonZero::new(cells).expect("a screen has cells");
    let mut parser = Parser::new(size(ROWS), size(COLUMNS), 0);
    let mut frames: Vec<Frame> = Vec::new();
    for (line, seconds) in SCENES {
        // Each command on a screen of its own.
        parser.process(b"\x1b[2J\x1b[H\x1b[32m$\x1b[m ");
        for typed in line.as_bytes().chunks(TYPED_AT_ONCE) {
            parser.process(typed);
            frames.push((parser.screen().clone(), TYPED_S));
        }
        let mut command = Command::new(program);
        command.args(line.split(' ').skip(1)).env("CLICOLOR_FORCE", "1").env("LC_ALL", locale);
        command
            .env("XDG_DATA_HOME", data.path())
            .env("COLUMNS", COLUMNS.to_string())
            .current_dir(data.path());
        let output = stdout_of(&mut command)?;
        parser.process(format!("\r\n{}\r\n", output.replace('\n', "\r\n")).as_bytes());
        frames.push((parser.screen().clone(), seconds));
    }
    Ok(frames)
}

/// All frames, each shown for its time, again and again. Who wants no movement sees the last.
fn picture(frames: &[Frame]) -> String {
    let all_s: f64 = frames.iter().map(|(_, seconds)| seconds).sum();
    let (width, height) =
        (f64::from(COLUMNS) * CELL_WIDTH + 2.0 * MARGIN, f64::from(ROWS) * CELL_HEIGHT + 2.0 * MARGIN);
    let (mut style, mut body, mut begun_s) = (String::new(), String::new(), 0.0);
    for (index, (screen, seconds)) in frames.iter().enumerate() {
        let percent = |s: f64| s / all_s * 100.0;
        let (from, to) = (percent(begun_s), percent(begun_s + seconds));
        let _ = writeln!(
            style,
            "@keyframes f{index}{{0%{{visibility:hidden}}{from:.3}%{{visibility:visible}}{to:.3}%{{visibility:hidden}}}}\
             \n.f{index}{{animation:f{index} {all_s:.2}s step-end infinite}}"
        );
        let last = if index + 1 == frames.len() { " last" } else { "" };
        let _ = writeln!(body, "<g class=\"f f{index}{last}\">{}</g>", rows(screen));
        begun_s += seconds;
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" role=\"img\" aria-label=\"cardiograph in a terminal\">\n<style>\n\
         text{{font:14px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,'Noto Sans Mono CJK JP',monospace;white-space:pre}}\n\
         .f{{visibility:hidden}}\n{style}\
         @media (prefers-reduced-motion:reduce){{.f{{animation:none}}.last{{visibility:visible}}}}\n</style>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"6\" fill=\"{GROUND}\"/>\n{body}</svg>\n"
    )
}

/// The texts of a screen: each word whose cells look alike is as wide as its cells, in any font.
fn rows(screen: &Screen) -> String {
    let mut out = String::new();
    for row in 0..ROWS {
        let mut column = 0;
        while column < COLUMNS {
            let Some(first) = screen.cell(row, column) else { break };
            let begin = column;
            let mut text = String::new();
            let is_word = |cell: &&Cell| cell.is_wide_continuation() || !cell.contents().trim().is_empty();
            let is_like_first = |cell: &&Cell| cell.is_wide_continuation() || look(cell) == look(first);
            while let Some(cell) = screen.cell(row, column).filter(is_word).filter(is_like_first) {
                text.push_str(cell.contents());
                column += 1;
            }
            if text.is_empty() {
                column += 1;
                continue;
            }
            let x = MARGIN + f64::from(begin) * CELL_WIDTH;
            let y = MARGIN + (f64::from(row) + 0.75) * CELL_HEIGHT;
            let (colour, is_bold) = look(first);
            let weight = if is_bold { " font-weight=\"bold\"" } else { "" };
            let _ = write!(
                out,
                "<text x=\"{x:.1}\" y=\"{y:.1}\" textLength=\"{:.1}\" fill=\"{colour}\"{weight}>{}</text>",
                f64::from(column - begin) * CELL_WIDTH,
                text.replace('&', "&amp;").replace('<', "&lt;")
            );
        }
    }
    out
}

/// Colour, and whether it is bold.
fn look(cell: &Cell) -> (&'static str, bool) {
    let colour = match cell.fgcolor() {
        Color::Idx(index) => COLOURS.get(usize::from(index)).copied().unwrap_or(TEXT),
        _ if cell.dim() => COLOURS[8],
        _ => TEXT,
    };
    (colour, cell.bold())
}
