//! `--require`: decides the exit code of a checkup.

use cardiograph_core::claim::ClaimOutcome;
use cardiograph_core::nearest::{is_same, suggestion};
use cardiograph_core::verdict::{FindingOutcome, Level};
use cardiograph_core::{Parameter, Report, message};
use cardiograph_judge::purpose::Purpose;
use cardiograph_render::doc::{Item, deciding_figure, explain};
use cardiograph_render::text::Tone;
use cardiograph_suites::Suite;

use crate::exit::{self, Failure};
use crate::invalid::Invalid;

/// A condition for the exit code 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Requirement {
    /// The drive must be good enough for a purpose.
    Purpose {
        /// Its id.
        purpose: String,
        /// The least level.
        level: Level,
    },
    /// A claim about the drive must hold.
    Claim {
        /// Its id.
        id: String,
    },
}

/// Reads `db-light`, `nas=good` or `claim:v30`.
pub fn parse_requirement(text: &str) -> Result<Requirement, Invalid> {
    if let Some(id) = text.strip_prefix("claim:") {
        return parse_claim(id);
    }
    let (purpose, level) = match text.split_once('=') {
        None | Some((_, "enough")) => (text.split('=').next().unwrap_or(text), Level::Enough),
        Some((purpose, "good")) => (purpose, Level::Good),
        Some((_, other)) => return Err(message!("errors-value-level", level = other).into()),
    };
    Ok(Requirement::Purpose { purpose: purpose.to_lowercase(), level })
}

/// Refuses purposes that do not exist.
pub fn refuse_unknown(required: &[Requirement], purposes: &[Purpose]) -> Result<(), Failure> {
    let known: Vec<&str> = purposes.iter().map(|purpose| purpose.id.as_str()).collect();
    let unknown = required.iter().find_map(|requirement| match requirement {
        Requirement::Purpose { purpose, .. } if !known.contains(&purpose.as_str()) => Some(purpose),
        _ => None,
    });
    let Some(purpose) = unknown else { return Ok(()) };
    // Screens show the titles of purposes.
    let titled = purposes.iter().find(|known| explain::is_purpose(purpose, known));
    let titled = titled.map(|known| known.id.clone());
    let claim = || claim_ids().find(|id| is_same(purpose, id)).map(|id| format!("claim:{id}"));
    let hint = match titled.or_else(claim) {
        Some(meant) => message!("name-meant", meant),
        None => suggestion(purpose, &known),
    };
    Err(Failure::usage(message!("errors-value-purpose", purpose, hint)))
}

/// The claims of all suites.
pub fn claim_ids() -> impl Iterator<Item = String> {
    cardiograph_suites::SUITES.iter().flat_map(|suite| suite.claim_ids())
}

fn parse_claim(id: &str) -> Result<Requirement, Invalid> {
    let id = id.to_lowercase();
    let known: Vec<String> = claim_ids().collect();
    match id.split_once('=') {
        Some((id, _)) => Err(message!("errors-value-claim-level", claim = id).into()),
        None if known.contains(&id) => Ok(Requirement::Claim { id }),
        None => {
            let hint = suggestion(&id, &known);
            Err(message!("errors-value-claim", claim = id, hint).into())
        }
    }
}

/// Refuses claims that the suite does not check.
pub fn refuse_claims(suite: &dyn Suite, required: &[Requirement]) -> Result<(), Failure> {
    let claims = required.iter().filter_map(|requirement| match requirement {
        Requirement::Claim { id } => Some(id),
        Requirement::Purpose { .. } => None,
    });
    let Some(id) = claims.into_iter().find(|id| !suite.claim_ids().contains(id)) else { return Ok(()) };
    let others = cardiograph_suites::SUITES.iter().filter(|other| other.claim_ids().contains(id));
    let others = Parameter::All(others.map(|other| format!("--suite {}", other.name()).into()).collect());
    Err(Failure::usage(message!(
        "require-claim-not-checked",
        claim = id,
        suite = suite.name(),
        suites = others
    )))
}

/// Each requirement with the figure that decided, and whether it holds.
pub fn items(report: &Report, required: &[Requirement]) -> Vec<Item> {
    required
        .iter()
        .map(|requirement| {
            let label = match code(report, requirement) {
                exit::DONE => (message!("require-outcome.holds"), Tone::Good),
                exit::REQUIREMENT_NOT_MET => (message!("require-outcome.fails"), Tone::Bad),
                _ => (message!("require-outcome.open"), Tone::Fair),
            };
            let (name, figure) = match requirement {
                Requirement::Claim { id } => (format!("claim:{id}"), None),
                Requirement::Purpose { purpose, level } => {
                    let verdict = report.verdicts.iter().find(|verdict| verdict.purpose == *purpose);
                    let suffix = if *level == Level::Good { "=good" } else { "" };
                    (format!("{purpose}{suffix}"), verdict.and_then(deciding_figure))
                }
            };
            let text = match figure {
                Some(figure) => message!("require-item", requirement = name, figure),
                None => message!("require-item.alone", requirement = name),
            };
            Item { tone: Some(label.1), ..Item::new(label.0, vec![text]) }
        })
        .collect()
}

/// The exit code of this requirement.
pub fn code(report: &Report, requirement: &Requirement) -> u8 {
    let (purpose, required) = match requirement {
        Requirement::Purpose { purpose, level } => (purpose, *level),
        Requirement::Claim { id } => return claim_code(report, id),
    };
    let Some(verdict) = report.verdicts.iter().find(|verdict| verdict.purpose == *purpose) else {
        return exit::NOT_JUDGED;
    };
    let has_failed = verdict.findings.iter().any(|finding| finding.outcome == FindingOutcome::Fail);
    match verdict.level {
        level if level >= required && level >= Level::Enough => exit::DONE,
        Level::NotEnough => exit::REQUIREMENT_NOT_MET,
        // Good was required: a limit was missed, or was not measured.
        Level::Enough if has_failed => exit::REQUIREMENT_NOT_MET,
        _ => exit::NOT_JUDGED,
    }
}

fn claim_code(report: &Report, id: &str) -> u8 {
    let claim = report.claims.iter().find(|claim| claim.id == id);
    match claim.map(|claim| claim.outcome) {
        Some(ClaimOutcome::Kept) => exit::DONE,
        Some(ClaimOutcome::Broken) => exit::REQUIREMENT_NOT_MET,
        Some(ClaimOutcome::CannotBeJudged) | None => exit::NOT_JUDGED,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requirements() {
        let purpose = |purpose: &str, level| Requirement::Purpose { purpose: purpose.to_string(), level };
        let claim = |id: &str| Requirement::Claim { id: id.to_string() };
        for (text, expected) in [
            ("db-light", purpose("db-light", Level::Enough)),
            ("db-light=enough", purpose("db-light", Level::Enough)),
            ("nas=good", purpose("nas", Level::Good)),
            ("claim:v30", claim("v30")),
            ("claim:A2", claim("a2")),
            ("claim:flush", claim("flush")),
        ] {
            assert_eq!(parse_requirement(text), Ok(expected), "{text}");
        }
        for (text, expected) in [
            ("nas=great", "'great' is not a level"),
            ("claim:v31", "unknown claim 'v31'; did you mean 'v30'?"),
            ("claim:", "unknown claim ''; choose from flush, c2"),
            ("claim:v30=good", "write claim:v30"),
        ] {
            let Invalid(message) = parse_requirement(text).unwrap_err();
            let error = cardiograph_catalogue::english(&message);
            assert!(error.contains(expected), "{text}: {error}");
        }
        for (text, expected) in [
            ("toaster", "db-light"),
            ("v30", "unknown purpose 'v30'; did you mean 'claim:v30'?"),
            ("fileserver", "did you mean 'nas'?"),
            ("File Server", "did you mean 'nas'?"),
            ("容量", "choose from"),
            ("ファイルサーバー", "did you mean 'nas'?"),
            ("cameas", "did you mean 'cameras'?"),
        ] {
            let required = [parse_requirement(text).unwrap()];
            let failure = refuse_unknown(&required, &cardiograph_judge::purpose::PURPOSES).unwrap_err();
            let error = cardiograph_catalogue::english(&failure.into_message());
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
