//! Man pages that are not about one command: purposes, selectors, and how options of fio are treated. Their content comes from
//! the tables that the program works with.

use cardiograph_catalogue::Language;
use cardiograph_core::{Message, message};
use cardiograph_jobs::options::{OPTIONS, Status};
use cardiograph_judge::purpose::PURPOSES;
use cardiograph_render::doc::{Doc, explain, terminal};
use cardiograph_render::text::Style;

use super::man::{beginning, entry, line, section, verbatim_lines};

/// The manual's section for conventions.
const NUMBER: u8 = 7;
/// Columns of verbatim texts, which are indented.
const COLUMNS: usize = 70;
/// Words of the verdicts.
const TERMS: [&str; 5] = ["verdict", "interval", "withheld", "claim", "percentile"];

/// The pages: names, and texts.
pub fn topics(language: Language) -> Vec<(String, String)> {
    let page = |name: &str, about: Message, sections: Vec<(Message, String)>| {
        let mut text = beginning(name, NUMBER, &language.text(&about), language);
        for (title, body) in sections {
            text.push_str(&section(&title, language));
            text.push_str(&body);
        }
        (format!("{name}.{NUMBER}"), text)
    };
    let prose = |text: Message| line(&language.text(&text));
    let verbatim = |text: &str| verbatim_lines(text.trim_end().lines());
    let shown =
        |doc: &Doc| verbatim(&terminal::render(doc, language, &Style { width: COLUMNS, color: false }));
    let purposes = PURPOSES.iter().map(|purpose| format!(".PP\n{}", shown(&explain::purpose(purpose))));
    let terms =
        TERMS.iter().filter_map(|word| Some(format!(".PP\n{word}\n{}", shown(&explain::explain(word)?))));
    let selectors = language.text_of("help-show.after").unwrap_or_default();
    vec![
        page(
            "cardiograph-purposes",
            message!("manual-purposes"),
            vec![
                (message!("manual-description"), prose(message!("manual-purposes.description"))),
                (message!("manual-purposes.shipped"), purposes.collect()),
                (message!("manual-purposes.terms"), terms.collect()),
                (
                    message!("manual-purposes.own"),
                    verbatim(&language.text(&message!("manual-purposes.file"))),
                ),
            ],
        ),
        page(
            "cardiograph-selectors",
            message!("manual-selectors"),
            vec![
                (message!("manual-description"), verbatim(&selectors)),
                (message!("manual-selectors.sets"), prose(message!("manual-selectors.rules"))),
            ],
        ),
        page(
            "cardiograph-fio-options",
            message!("manual-fio"),
            vec![
                (message!("manual-description"), prose(message!("manual-fio.description"))),
                (message!("manual-fio.works"), line(&options_that_work().join(", "))),
                (message!("manual-fio.hints"), options_with_reason(false, language)),
                (message!("manual-fio.refused"), options_with_reason(true, language)),
            ],
        ),
    ]
}

fn options_that_work() -> Vec<&'static str> {
    let works =
        OPTIONS.iter().filter(|option| matches!(option.status, Status::Works { .. }) && !option.is_own);
    works.map(|option| option.name).collect()
}

/// Options that are refused, or have no effect, with the reason.
fn options_with_reason(is_refused: bool, language: Language) -> String {
    let why = |status: Status| match status {
        Status::Hint { why } if !is_refused => Some(why),
        Status::Refused { why } if is_refused => Some(why),
        _ => None,
    };
    let all = OPTIONS.iter().filter_map(|option| Some((option.name, why(option.status)?)));
    all.map(|(name, why)| entry(name, &language.text(why))).collect()
}

#[cfg(test)]
mod tests {
    use cardiograph_judge::purpose::from_toml;

    use super::*;

    #[test]
    fn the_example_of_own_purposes_is_read() {
        for language in Language::ALL {
            let text = language.text(&message!("manual-purposes.file"));
            let lines = text.lines().map(str::trim).skip_while(|line| *line != "[[purpose]]");
            let mut toml = lines.take_while(|line| *line != "]").collect::<Vec<_>>().join("\n");
            toml.push_str("\n]");
            let purposes = from_toml(&toml).unwrap_or_else(|error| panic!("{toml}\n{error:?}"));
            assert_eq!((purposes.len(), purposes[0].rules.len()), (1, 3));
        }
    }
}
