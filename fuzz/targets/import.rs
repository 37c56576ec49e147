//! Bytes as the output of another program. Which program's parser is asked stands in the environment; without that, all
//! are.
#![no_main]

use std::sync::LazyLock;

use cardiograph_fuzz::Parser;

/// What `cargo xtask fuzz` says.
static PARSER: LazyLock<Parser> =
    LazyLock::new(|| Parser::of(std::env::var("CARDIOGRAPH_FUZZ_PARSER").ok().as_deref()));

libfuzzer_sys::fuzz_target!(|content: &[u8]| PARSER.reads(content));
