use cardiograph_core::trust::TrapOutcome;
use cardiograph_core::{Message, message};
use cardiograph_jobs::method as jobs_method;

use super::*;
use crate::samples;

/// A page as XML: void elements are closed.
fn parsed(page: &str) -> String {
    let mut xml = page.trim_start_matches("<!DOCTYPE html>\n").to_string();
    for (from, to) in [("utf-8\">\n", "utf-8\"/>\n"), ("initial-scale=1\">", "initial-scale=1\"/>")] {
        xml = xml.replacen(from, to, 1);
    }
    xml
}

#[test]
fn elements_are_closed_and_headings_in_order() {
    for sample in samples::all() {
        for lang in [Lang::EN, Lang::JA] {
            let xml = parsed(&report(&sample, lang));
            let document = roxmltree::Document::parse(&xml).unwrap_or_else(|error| panic!("{error}\n{xml}"));
            assert_eq!(document.root_element().attribute("lang"), Some(lang.code()));
            let level = |node: roxmltree::Node<'_, '_>| match node.tag_name().name() {
                "h1" => Some(1),
                "h2" => Some(2),
                "h3" => Some(3),
                _ => None,
            };
            let levels: Vec<u32> = document.descendants().filter_map(level).collect();
            assert_eq!(levels.iter().filter(|&&level| level == 1).count(), 1);
            assert!(levels.windows(2).all(|pair| pair[1] <= pair[0] + 1), "{levels:?}");
            let ids: Vec<&str> = document.descendants().filter_map(|node| node.attribute("id")).collect();
            let mut distinct = ids.clone();
            distinct.sort_unstable();
            distinct.dedup();
            assert_eq!(distinct.len(), ids.len());
            let links = document.descendants().filter_map(|node| node.attribute("href"));
            for target in links.filter_map(|href| href.strip_prefix('#')) {
                assert!(ids.contains(&target), "{target}");
            }
            for th in document.descendants().filter(|node| node.has_tag_name("th")) {
                assert!(th.attribute("scope").is_some());
            }
        }
    }
}

#[test]
fn a_step_with_too_few_ios_for_percentiles_says_so() {
    let mut sample = samples::card();
    let step = sample.steps.iter_mut().find(|step| step.step.id == "random-read").unwrap();
    let mut latency = cardiograph_core::Latency::default();
    (0..9).for_each(|_| latency.record(300_000));
    let reads = &mut step.result.as_mut().unwrap().workers[0].directions.read;
    (reads.total, reads.completion) = (None, latency);
    for (lang, sentence) in [
        (Lang::EN, "Latency percentiles: No curve for read: 9 I/Os are too few."),
        (Lang::JA, "レイテンシのパーセンタイル: リード: I/O が 9 回と少ないため、曲線はありません。"),
    ] {
        assert_eq!(report(&sample, lang).matches(sentence).count(), 1);
        assert!(!report(&samples::card(), lang).contains(sentence));
    }
}

/// Relative luminance of `#rrggbb` (WCAG 2.2).
fn luminance(color: &str) -> f64 {
    0.212_6 * linear(color, 1) + 0.715_2 * linear(color, 3) + 0.072_2 * linear(color, 5)
}

/// The linear part of `#rrggbb` at an index.
fn linear(color: &str, at: usize) -> f64 {
    let share = f64::from(u8::from_str_radix(&color[at..at + 2], 16).unwrap()) / 255.0;
    if share <= 0.040_45 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
}

fn contrast(one: &str, other: &str) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// `share` of a colour over another.
fn over(color: &str, ground: &str, share: f64) -> String {
    let part = |text: &str, at: usize| f64::from(u8::from_str_radix(&text[at..at + 2], 16).unwrap());
    let mixed =
        [1, 3, 5].map(|at| (part(color, at) * share + part(ground, at) * (1.0 - share)).round() as u8);
    format!("#{:02x}{:02x}{:02x}", mixed[0], mixed[1], mixed[2])
}

#[test]
fn words_and_colours_stand_out() {
    let schemes: Vec<&str> = STYLE.match_indices("--text:").map(|(at, _)| &STYLE[at - 2..]).collect();
    assert_eq!(schemes.len(), 2);
    for scheme in schemes {
        let color = |name: &str| scheme.split(&format!("--{name}:")).nth(1).unwrap()[..7].to_string();
        for ground in ["ground", "panel"].map(color) {
            for word in ["text", "quiet", "link", "good", "fair", "bad"] {
                assert!(contrast(&color(word), &ground) >= 4.5, "{word} on {ground}");
            }
        }
    }
    for theme in [plot::Theme::Light, plot::Theme::Dark, plot::Theme::Print] {
        let style = theme.style();
        let color = |selector: &str, property: &str| {
            // The last rule counts.
            let mut rules = style.lines().filter(|line| line.split('{').next().unwrap().contains(selector));
            let rule = rules.rfind(|line| line.contains(property)).unwrap();
            rule.split(property).nth(1).unwrap()[..7].to_string()
        };
        let (ground, text) = (color(".plot .ground", "fill:"), color(".plot text", "fill:"));
        assert!(contrast(&text, &ground) >= 4.5 && contrast(&color(".quiet", "fill:"), &ground) >= 4.5);
        // The strongest cell of a heat map has text on it.
        assert!(contrast(&text, &over(&color(".cell", "fill:"), &ground, 0.6)) >= 4.5);
        if theme == plot::Theme::Print {
            continue;
        }
        let series: Vec<String> = (0..8).map(|number| series_color(&style, number)).collect();
        assert!(series.iter().all(|color| contrast(color, &ground) >= 3.0), "{series:?} on {ground}");
        for (kind, sight) in SIGHTS {
            let seen: Vec<[f64; 3]> = series.iter().map(|color| lab(sight, color)).collect();
            for (at, one) in seen.iter().enumerate() {
                for (other, two) in seen[..at].iter().enumerate() {
                    let apart = one.iter().zip(two).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
                    assert!(apart > 20.0, "{theme:?}, {kind}: {at} is {apart:.0} from {other}");
                }
            }
        }
    }
}

fn series_color(style: &str, number: usize) -> String {
    let rule = style.rsplit(&format!(".c{number}{{color:")).next().unwrap();
    rule[..7].to_string()
}

/// What linear red, green and blue become for readers without one kind of cones (Machado, Oliveira and Fernandes 2009).
const SIGHTS: [(&str, [[f64; 3]; 3]); 4] = [
    ("all cones", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    (
        "protanopia",
        [
            [0.152_286, 1.052_583, -0.204_868],
            [0.114_503, 0.786_281, 0.099_216],
            [-0.003_882, -0.048_116, 1.051_998],
        ],
    ),
    (
        "deuteranopia",
        [
            [0.367_322, 0.860_646, -0.227_968],
            [0.280_085, 0.672_501, 0.047_413],
            [-0.011_820, 0.042_940, 0.968_881],
        ],
    ),
    (
        "tritanopia",
        [
            [1.255_528, -0.076_749, -0.178_779],
            [-0.078_411, 0.930_809, 0.147_602],
            [0.004_733, 0.691_367, 0.303_900],
        ],
    ),
];

/// A colour as it is seen, in CIELAB: 2 is just noticeable.
fn lab(sight: [[f64; 3]; 3], color: &str) -> [f64; 3] {
    let rgb = [1, 3, 5].map(|at| linear(color, at));
    let [r, g, b] =
        sight.map(|row| row.iter().zip(rgb).map(|(factor, part)| factor * part).sum::<f64>().clamp(0.0, 1.0));
    let root = |t: f64| if t > 0.008_856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 };
    let x = root((0.412_4 * r + 0.357_6 * g + 0.180_5 * b) / 0.950_47);
    let y = root(0.212_6 * r + 0.715_2 * g + 0.072_2 * b);
    let z = root((0.019_3 * r + 0.119_2 * g + 0.950_5 * b) / 1.088_83);
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

#[test]
fn nothing_comes_from_the_network_and_nothing_runs() {
    let page = report(&samples::card(), Lang::EN);
    for forbidden in ["<script", "http://", "https://", "url(", "@import", " onclick", "<iframe", "<link"] {
        let found = page.find(forbidden).map(|at| &page[at.saturating_sub(60)..at + 40]);
        assert_eq!(found, None);
    }
}

#[test]
fn the_content_of_the_report_is_on_the_page() {
    let card = samples::card();
    let page = report(&card, Lang::EN);
    let text = |words: &str| plot::escaped(words);
    let said = |message: &Message| text(&Lang::EN.text(message));
    for verdict in &card.verdicts {
        assert!(page.contains(&said(&verdict.title)));
        verdict.findings.iter().for_each(|finding| assert!(page.contains(&said(&finding.source))));
    }
    for step in &card.steps {
        assert!(page.contains(&text(&Lang::EN.text(&step.step.title))));
        step.fio_commands.iter().for_each(|command| assert!(page.contains(&text(command))));
    }
    // Verdicts come before the figures, and these before the steps.
    let position = |id: &str| page.find(&format!("<section id=\"{id}\"")).unwrap();
    assert!(
        position("verdicts") < position("figures")
            && position("figures") < position("passport")
            && position("passport") < position("steps")
    );
}

#[test]
fn verdicts_claims_and_doubts_are_in_the_language_of_the_page() {
    use cardiograph_core::claim::{Claim, ClaimOutcome};
    use cardiograph_core::{Doubt, Parameter};
    use cardiograph_judge::purpose::PURPOSES;
    use cardiograph_judge::purposes;

    let mut card = samples::card();
    card.verdicts = purposes::judge(&PURPOSES, &card.measurements);
    card.not_judged = purposes::left_out(&PURPOSES, &[], &card.measurements);
    let doubt = Doubt::Interrupted.message();
    card.claims = vec![Claim {
        id: "v30".to_string(),
        statement: message!("claim-mark.speed", mark = "V30", write = Parameter::bytes_per_s(30e6)),
        said_by: Some(message!("claim-said-by.sd-status")),
        outcome: ClaimOutcome::CannotBeJudged,
        reasons: vec![message!("claim-doubt", doubt), message!("claim-class.split")],
        evidence: Vec::new(),
    }];
    let verdicts = card.verdicts.iter().flat_map(|verdict| {
        let findings = verdict.findings.iter();
        let findings = findings.flat_map(|finding| [Some(&finding.source), finding.doubt.as_ref()]);
        std::iter::once(Some(&verdict.title)).chain(findings)
    });
    let claims = card.claims.iter().flat_map(|claim| [Some(&claim.statement), claim.said_by.as_ref()]);
    let reasons = card.claims[0].reasons.iter().map(Some);
    let said: Vec<&Message> =
        verdicts.chain(claims).chain(reasons).flatten().chain(&card.not_judged).collect();
    assert!(said.len() > 100);
    for (page_lang, other) in [(Lang::EN, Lang::JA), (Lang::JA, Lang::EN)] {
        let page = report(&card, page_lang);
        for message in &said {
            assert!(page.contains(&plot::escaped(&page_lang.text(message))), "{page_lang:?}: {message}");
            // Some purposes have their id for a name.
            let text = other.text(message);
            let is_id = PURPOSES.iter().any(|purpose| purpose.id == text);
            assert!(is_id || !page.contains(&plot::escaped(&text)), "{page_lang:?}: {message}");
        }
    }
}

#[test]
fn the_report_can_be_downloaded_from_the_page() {
    use base64::Engine;
    let card = samples::card();
    let page = report(&card, Lang::JA);
    let data = page.split("data:application/json;charset=utf-8;base64,").nth(1).unwrap();
    let bytes = base64::prelude::BASE64_STANDARD.decode(data.split('"').next().unwrap()).unwrap();
    assert_eq!(cardiograph_core::json::from_json(std::str::from_utf8(&bytes).unwrap()).unwrap(), card);
}

#[test]
fn the_trust_panel_in_japanese_has_no_english_sentence() {
    use cardiograph_core::drive::Health;
    use cardiograph_judge::trust::{Evidence, panel};

    let mut card = samples::card();
    card.environment.load_1m = Some(64.0);
    card.host.cpus = Some(2);
    card.drive.leaves[0].health =
        Some(Health { temperature_c: Some(90), passed: Some(false), ..Health::default() });
    card.traps = panel(&Evidence {
        drive: &card.drive,
        host: &card.host,
        environment: &card.environment,
        steps: &card.steps,
        health_after: &card.health_after,
    });
    let present = card.traps.iter().filter(|check| check.outcome.warning().is_some()).count();
    let unknown =
        card.traps.iter().filter(|check| matches!(check.outcome, TrapOutcome::NotSeen { .. })).count();
    assert!(present >= 3 && unknown > 0 && present + unknown < card.traps.len(), "{present}, {unknown}");
    let english = |lang| {
        let xml = parsed(&report(&card, lang));
        let document = roxmltree::Document::parse(&xml).unwrap();
        let section = document.descendants().find(|node| node.attribute("id") == Some("warnings")).unwrap();
        let text: String = section.descendants().filter_map(|node| node.text()).collect();
        // Titles of steps are names.
        let text =
            card.steps.iter().fold(text, |text, step| text.replace(&Lang::JA.text(&step.step.title), ""));
        let words = text.split(|letter: char| !letter.is_ascii_alphanumeric()).map(str::to_lowercase);
        words
            .filter(|word| crate::doc::language_tests::FUNCTION_WORDS.contains(&word.as_str()))
            .collect::<Vec<String>>()
    };
    assert!(english(Lang::EN).len() > card.traps.len());
    assert_eq!(english(Lang::JA), [""; 0]);
}

#[test]
fn a_hostile_report_is_escaped() {
    let mut card = samples::card();
    let hostile = "\"><script>alert(1)</script>";
    card.label = Some(hostile.to_string());
    card.id = hostile.to_string();
    card.notes.push(Message::verbatim(hostile));
    card.tags.insert(hostile.to_string(), hostile.to_string());
    for step in &mut card.steps {
        step.step.title = Message::verbatim(hostile);
        step.step.id = hostile.to_string();
        step.fio_commands = vec![hostile.to_string()];
    }
    assert!(!report(&card, Lang::EN).contains("<script"));
}

#[test]
fn an_import_names_its_source_and_shows_its_figures() {
    use cardiograph_core::drive::{Drive, Host, Leaf};
    use cardiograph_core::imported::{Imported, Source};
    use cardiograph_core::report::Work;

    let mut imported = samples::card();
    imported.source = Some(Source {
        program: "fio 3.39".to_string(),
        format: "fio-normal".to_string(),
        place: "article.txt".to_string(),
        line: Some(12),
        ..Source::default()
    });
    imported.drive.leaves.clear();
    imported.label = None;
    (imported.verdicts, imported.traps) = (Vec::new(), Vec::new());
    for step in &mut imported.steps {
        let figures = cardiograph_judge::record::tests_of(step).remove(0).figures;
        step.step.work = Work::Imported(jobs_method::from_step(step));
        (step.result, step.figures) = (None, None);
        step.imported = Some(Imported { figures, ..Imported::default() });
    }
    let page = report(&imported, Lang::EN);
    assert!(
        page.contains("Imported, not measured here: fio 3.39, fio-normal, article.txt, line 12."),
        "{page}"
    );
    assert!(page.contains("3,786") && page.contains("7.57 ms"));
    // Reported percentiles are points of a curve; without windows there is no picture over time.
    assert!(page.contains("Latency percentiles") && !page.contains("Bandwidth during the test"));
    assert!(page.contains("No purpose was judged."));
    let program = &imported.program;
    assert!(page.contains(&format!("imported by {program}, ")) && !page.contains(&format!(", {program}, ")));
    assert!(page.contains("the source does not report") && !page.contains("too few samples lie above"));
    assert!(report(&imported, Lang::JA).contains(&format!("{program} で取り込み")));
    assert!(report(&samples::card(), Lang::EN).contains("too few samples lie above"));
    // The drive is known only by its name in the source.
    imported.drive = Drive {
        path: "vda".to_string(),
        leaves: ["vda", "vdb"].map(|name| Leaf { name: name.to_string(), ..Leaf::default() }).to_vec(),
        ..Drive::default()
    };
    let page = report(&imported, Lang::EN);
    assert!(page.contains("<h3>vda</h3>") && page.contains("<h3>vdb</h3>"));
    imported.drive.leaves = vec![Leaf { model: Some("A card".to_string()), ..Leaf::default() }];
    assert!(!report(&imported, Lang::EN).contains("/dev/"));
    (imported.drive, imported.host, imported.environment) =
        (Drive::default(), Host::default(), Default::default());
    assert!(!report(&imported, Lang::EN).contains("Drive and machine"));
}
