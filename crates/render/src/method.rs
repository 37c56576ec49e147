//! How a test was done, in words.

use cardiograph_core::Direction;
use cardiograph_core::words;
pub use cardiograph_core::words::method::{
    LONG_IO_BYTES, difference, durability, figure_name, is_quoted_by_speed, latency_kind, pattern, title,
    value,
};

use cardiograph_core::imported::Figure;
use cardiograph_core::method::Difference;
use cardiograph_core::units;

use crate::lang::Lang;

/// A direction in words.
pub(crate) const fn direction_word(direction: Direction, lang: Lang) -> &'static str {
    let english = words::method::direction_word(direction);
    match direction {
        Direction::Read => lang.pick(english, "読み取り"),
        Direction::Write => lang.pick(english, "書き込み"),
        Direction::Trim => lang.pick(english, "トリム"),
        Direction::Sync => english,
    }
}

/// All differences, in a line.
pub(crate) fn differences(all: &[Difference]) -> String {
    all.iter().map(difference).collect::<Vec<_>>().join(", ")
}

/// A figure's value with its doubt.
pub(crate) fn told(figure: &Figure, lang: Lang) -> String {
    let value = value(figure.quantity, figure.estimate.value);
    match &figure.doubt {
        Some(doubt) if doubt.withholds() => format!("{} ({})", units::NO_FIGURE, lang.text(&doubt.message())),
        Some(doubt) => format!("{value} ({})", lang.text(&doubt.message())),
        None => value,
    }
}
