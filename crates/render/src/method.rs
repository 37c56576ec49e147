//! How a test was done, in words.

use cardiograph_core::Direction;
use cardiograph_core::words;
pub use cardiograph_core::words::method::{
    LONG_IO_BYTES, difference, durability, figure_name, is_quoted_by_speed, latency_kind, pattern, title,
    value,
};

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
