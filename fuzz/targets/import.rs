//! Bytes as the output of another program. The parser is selected by an environment variable; by default all are used.
#![no_main]

use std::sync::LazyLock;

use cardiograph_fuzz::Parser;

/// Set by `cargo xtask fuzz`.
static PARSER: LazyLock<Parser> =
    LazyLock::new(|| Parser::find(std::env::var("CARDIOGRAPH_FUZZ_PARSER").ok().as_deref()));

libfuzzer_sys::fuzz_target!(|content: &[u8]| PARSER.reads(content));
