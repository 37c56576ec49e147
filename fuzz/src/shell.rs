//! Splits command lines into words like a shell.

/// Splits a line at blanks outside of double quotes; within them a backslash escapes the next character.
pub fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut is_quoted) = (None::<String>, false);
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match letter {
            ' ' if !is_quoted => words.extend(word.take()),
            '"' => {
                is_quoted = !is_quoted;
                word.get_or_insert_default();
            }
            '\\' => word.get_or_insert_default().extend(letters.next()),
            letter => word.get_or_insert_default().push(letter),
        }
    }
    assert!(!is_quoted, "a quote is not closed: {line:?}");
    words.extend(word);
    words
}
