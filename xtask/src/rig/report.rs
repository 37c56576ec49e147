//! The guest's report, as written by `guest.sh`.

use std::collections::BTreeMap;

use super::expect::Said;

/// The results of all scripts: `setup SCENE` or `probe SCENE/PROBE`.
#[derive(Debug, Default)]
pub struct Report {
    /// By name.
    pub said: BTreeMap<String, Said>,
    /// Whether the guest finished.
    pub finished: bool,
}

/// Reads a report. Invalid lines are skipped: a killed guest may have left half a line.
pub fn parse(text: &str) -> Report {
    let mut report = Report::default();
    let mut name = None;
    for line in text.lines() {
        let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
        if matches!(key, "setup" | "probe") {
            name = Some(line.to_string());
            report.said.insert(line.to_string(), Said::default());
            continue;
        }
        report.finished = key == "end";
        let Some(said) = name.as_ref().and_then(|name| report.said.get_mut(name)) else { continue };
        match key {
            "o" => push_line(&mut said.out, rest),
            "e" => push_line(&mut said.err, rest),
            "left" => said.left.push(rest.to_string()),
            "exit" => said.exit = rest.parse().ok(),
            _ => {}
        }
    }
    report
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_incomplete_report_is_read() {
        let text =
            "setup card\nexit 0\nprobe card/drive\no {\no  \"exit 5\"\no }\ne oh\nleft /mnt/x\nexit 3\nend\n";
        let report = parse(text);
        assert!(report.finished);
        assert_eq!(report.said["setup card"], Said { exit: Some(0), ..Said::default() });
        let expected = Said {
            out: "{\n \"exit 5\"\n}\n".into(),
            err: "oh\n".into(),
            exit: Some(3),
            left: vec!["/mnt/x".into()],
        };
        assert_eq!(report.said["probe card/drive"], expected);

        let report = parse(&text[..text.len() - "exit 3\nend\n".len()]);
        assert!(!report.finished);
        assert_eq!(report.said["probe card/drive"].exit, None);
        assert!(!parse("").finished);
    }
}
