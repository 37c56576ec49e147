//! Reports: valid ones are shown in every format, at worst as something else than their text.

use cardiograph_core::json;
use cardiograph_core::rng::Rng;
use cardiograph_core::text::steers;
use cardiograph_render::lang::Lang;
use serde_json::Value;

#[path = "../../tests/hostile/mutations.rs"]
mod mutations;
#[path = "../../tests/hostile/renderers.rs"]
mod renderers;

/// Maximum length in bytes of a shown Report of a few kilobytes.
const SHOWN_LEN_BYTES_MAX: usize = 64 << 20;
/// Maximum number of simultaneous changes.
const CHANGES_MAX: u64 = 4;

/// Parses a Report and shows it, alone and compared with another.
pub fn shows(content: &[u8]) {
    let Ok(content) = std::str::from_utf8(content) else { return };
    let report = match json::from_json(content) {
        Ok(report) => report,
        Err(error) => return is_plain("error", &Lang::EN.text(&error.message())),
    };
    let again = json::from_json(json::to_json(&report)).expect("what makes sense does so when it is written");
    assert!(again == report, "read again, it is another");
    let mut other = report.clone();
    other.id.push('2');
    other.suite.push('2');
    cardiograph_judge::by_method::judge_imported(&mut other);
    for (form, text) in renderers::one(&report).into_iter().chain(renderers::two(&report, &other)) {
        is_plain(form, &text);
    }
}

fn is_plain(form: &str, text: &str) {
    assert!(text.len() <= SHOWN_LEN_BYTES_MAX, "{form}: {} bytes", text.len());
    // Lines of a CSV end as required by RFC 4180.
    let found = text.chars().find(|&c| steers(c) && c != '\r');
    assert!(found.is_none(), "{form}: {found:?}");
}

/// Changes JSON in place; `None` if it is not JSON, or would exceed the buffer.
pub fn mutated(data: &[u8], seed: u32) -> Option<Vec<u8>> {
    let mut whole: Value = serde_json::from_slice(data).ok()?;
    let mut rng = Rng::new(u64::from(seed));
    for _ in 0..=rng.below(CHANGES_MAX) {
        mutations::mutate(&mut whole, &mut rng);
    }
    serde_json::to_vec(&whole).ok()
}
