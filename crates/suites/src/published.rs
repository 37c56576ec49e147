//! Published test sets, each a data file ([`FixedSuite`]). A few add values that are not figures of a step.

mod dramble;
mod pibench;
mod server_ssd;
#[cfg(test)]
mod tests;
mod words;

pub(crate) use dramble::name_the_card;
pub(crate) use pibench::add_score;
pub(crate) use server_ssd::add_file_system;
pub(crate) use words::Words;

/// The test set from `published/NAME.toml`, with its summary and a function that completes its tables.
macro_rules! published {
    ($name:literal, $summary:expr) => {
        published!($name, $summary, |_, tables| tables)
    };
    ($name:literal, $summary:expr, $finish:expr) => {{
        static SUITE: crate::fixed::FixedSuite = crate::fixed::FixedSuite::new(
            $name,
            $summary,
            include_str!(concat!("published/", $name, ".toml")),
            $finish,
        );
        &SUITE
    }};
}
pub(crate) use published;
