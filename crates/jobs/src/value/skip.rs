//! Directions, as words.

use cardiograph_core::direction::{Direction, PerDirection};

use super::ValueError;

/// Parses some of `read,write,trim,sync`.
///
/// # Errors
/// If a word is none of these.
pub fn parse_skip(text: &str) -> Result<PerDirection<bool>, ValueError> {
    let mut skip = PerDirection::default();
    for word in text.split(',').map(str::trim) {
        let known = Direction::ALL.into_iter().find(|direction| direction.name() == word);
        let allowed = || Direction::ALL.map(Direction::name).to_vec();
        skip[known.ok_or_else(|| ValueError::UnknownWord { allowed: allowed() })?] = true;
    }
    Ok(skip)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_to_skip_are_words() {
        let skip = parse_skip("write, sync").unwrap();
        assert!(skip.write && skip.sync && !skip.read && !skip.trim);
        assert!(parse_skip("writes").is_err() && parse_skip("read,").is_err());
    }
}
