//! Draws in the lines below the cursor. It writes, and never reads from the terminal.
//!
//! Between two frames, the cursor stands at the first column of the first line. Its position is saved in the terminal
//! itself: what the user types meanwhile moves the cursor, and terminals that break lines anew when they become
//! narrower move it with the text. Each frame is written whole, over whatever was typed.

use std::io;

use cardiograph_core::text::plain_line;
use cardiograph_render::text::width;
use ratatui_core::backend::{Backend, ClearType, WindowSize};
use ratatui_core::buffer::{Buffer, Cell};
use ratatui_core::layout::{Position, Rect, Size};
use ratatui_core::style::{Color, Modifier};

/// To the first line, where it was saved.
pub const HOME: &str = "\x1b8";
/// Clears the cursor's line and all below it.
pub const CLEAR: &str = "\r\x1b[J";

/// The lines of a view.
#[derive(Debug)]
pub struct InlineBackend {
    lines: Buffer,
    has_color: bool,
    /// What is to be written.
    pub output: String,
}

impl InlineBackend {
    pub fn new(columns: u16, rows: u16, has_color: bool) -> Self {
        Self { lines: Buffer::empty(Rect::new(0, 0, columns, rows)), has_color, output: String::new() }
    }

    /// The text of a line, without blanks at its end: these would be broken, too, when the terminal becomes narrower.
    fn line(&self, y: u16) -> String {
        let (mut line, mut blanks, mut style) = (String::new(), 0, "");
        let mut x = 0;
        while x < self.lines.area.width {
            let cell = &self.lines[(x, y)];
            let symbol = cell.symbol();
            // Most are blanks and letters.
            x += if symbol.len() == 1 { 1 } else { width(symbol).max(1) as u16 };
            if symbol == " " {
                blanks += 1;
                continue;
            }
            let wanted = if self.has_color { sequence(cell) } else { "" };
            if style != wanted {
                line.push_str(if style.is_empty() { "" } else { "\x1b[0m" });
                line.push_str(wanted);
                style = wanted;
            }
            line.extend(std::iter::repeat_n(' ', std::mem::take(&mut blanks)));
            match symbol.as_bytes() {
                [byte] if byte.is_ascii_graphic() => line.push(char::from(*byte)),
                _ => line.push_str(&plain_line(symbol)),
            }
        }
        line + if style.is_empty() { "" } else { "\x1b[0m" }
    }
}

/// The sequence for the styles that are used.
fn sequence(cell: &Cell) -> &'static str {
    match cell.fg {
        Color::Red => "\x1b[31m",
        Color::Yellow => "\x1b[33m",
        _ if cell.modifier.contains(Modifier::BOLD) => "\x1b[1m",
        _ => "",
    }
}

impl Backend for InlineBackend {
    type Error = io::Error;

    fn draw<'a, I: Iterator<Item = (u16, u16, &'a Cell)>>(&mut self, content: I) -> io::Result<()> {
        content.for_each(|(x, y, cell)| self.lines[(x, y)] = cell.clone());
        Ok(())
    }

    /// Makes room below the cursor, which may scroll, and saves the position of the first line.
    fn append_lines(&mut self, lines: u16) -> io::Result<()> {
        self.output.push_str(&"\n".repeat(lines.into()));
        self.output.push_str(&format!("\r\x1b[{lines}A\x1b7"));
        Ok(())
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        Ok(Position::ORIGIN)
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, _: P) -> io::Result<()> {
        Ok(())
    }

    fn clear(&mut self) -> io::Result<()> {
        self.lines.reset();
        Ok(())
    }

    fn clear_region(&mut self, _: ClearType) -> io::Result<()> {
        self.clear()
    }

    fn size(&self) -> io::Result<Size> {
        Ok(self.lines.area.as_size())
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        Ok(WindowSize { columns_rows: self.size()?, pixels: Size::default() })
    }

    /// Writes all lines. Lines are not broken meanwhile, should the terminal have become narrower just now.
    fn flush(&mut self) -> io::Result<()> {
        self.output.push_str(HOME);
        self.output.push_str("\x1b[?7l");
        for y in 0..self.lines.area.height {
            let line = self.line(y);
            self.output.push_str(&format!("{}{line}\x1b[K", if y > 0 { "\r\n" } else { "\r" }));
        }
        self.output.push_str("\x1b[?7h");
        self.output.push_str(HOME);
        Ok(())
    }
}
