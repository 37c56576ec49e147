//! Published test sets, each a file of data ([`FixedSuite`]). Few of them say something that is no figure of a step.

mod dramble;
mod pibench;
mod server_ssd;
#[cfg(test)]
mod tests;

pub(crate) use dramble::name_the_card;
pub(crate) use pibench::add_score;
pub(crate) use server_ssd::add_file_system;

/// The test set of that name, from `published/NAME.toml`; behind it what it adds to its tables.
macro_rules! published {
    ($name:literal) => {
        published!($name, |_, tables| tables)
    };
    ($name:literal, $finish:expr) => {{
        static SUITE: crate::fixed::FixedSuite = crate::fixed::FixedSuite::new(
            $name,
            include_str!(concat!("published/", $name, ".toml")),
            $finish,
        );
        &SUITE
    }};
}
pub(crate) use published;
