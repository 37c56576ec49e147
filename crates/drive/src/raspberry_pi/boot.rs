//! Settings for drives in the boot files: `config.txt`, read by the firmware, and the kernel command line.
//!
//! Sources: <https://www.raspberrypi.com/documentation/computers/config_txt.html>, `overlays/README` of the
//! Raspberry Pi firmware, Documentation/admin-guide/kernel-parameters.txt of the kernel.

use cardiograph_core::drive::{Board, BootEffect, BootSetting};

use crate::attribute;
use crate::system::System;

/// Path of the file, on newer and on older systems.
const CONFIG_FILES: [&str; 2] = ["/boot/firmware/config.txt", "/boot/config.txt"];
const COMMAND_LINE: &str = "/proc/cmdline";

/// Settings for drives; the last of several for the same thing applies.
pub(super) fn settings(system: &System, board: Option<&Board>) -> Vec<BootSetting> {
    // The file at the old path may only refer to the new one.
    let config = CONFIG_FILES.iter().find_map(|file| {
        let text = attribute::list_text(&system.under_root(file))?;
        Some(parse_config(&text, file, board))
    });
    let command_line = attribute::list_text(&system.under_root(COMMAND_LINE)).unwrap_or_default();
    config.unwrap_or_default().into_iter().chain(parse_command_line(&command_line)).collect()
}

fn parse_config(text: &str, file: &str, board: Option<&Board>) -> Vec<BootSetting> {
    let mut settings: Vec<BootSetting> = Vec::new();
    let mut filters = Filters::default();
    for (line, text) in (1..).zip(text.lines()) {
        let text = text.split('#').next().unwrap_or_default().trim();
        if let Some(filter) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            filters.add(filter, board);
            continue;
        }
        if !filters.may_count() {
            continue;
        }
        for effect in config_effects(text) {
            settings.retain(|earlier| {
                let is_of_same = std::mem::discriminant(&earlier.effect) == std::mem::discriminant(&effect);
                // If the later one may not apply, the earlier one may.
                !is_of_same || filters.condition().is_some()
            });
            settings.push(BootSetting {
                effect,
                file: file.to_string(),
                line,
                condition: filters.condition(),
            });
        }
    }
    settings
}

/// Filters in force: at most one of each kind, all of which must match.
#[derive(Default)]
struct Filters {
    /// Whether a model filter matches this board; `None` without one, or if the board is unknown.
    lets_board: Option<bool>,
    /// Conditions that cannot be evaluated here.
    conditions: Vec<String>,
}

impl Filters {
    fn add(&mut self, filter: &str, board: Option<&Board>) {
        match filter.to_ascii_lowercase().as_str() {
            "all" => *self = Self::default(),
            "none" => *self = Self { lets_board: Some(false), ..Self::default() },
            name => match (is_for(name), board) {
                (Some(models), Some(board)) => {
                    self.lets_board = Some(models.contains(&board.model.as_str()));
                }
                _ => {
                    self.conditions.retain(|earlier| kind(earlier) != kind(filter));
                    self.conditions.extend(attribute::clean(filter.as_bytes()));
                }
            },
        }
    }

    fn may_count(&self) -> bool {
        self.lets_board != Some(false)
    }

    fn condition(&self) -> Option<String> {
        (!self.conditions.is_empty()).then(|| self.conditions.join(", "))
    }
}

/// The kind of a filter; it replaces another of the same kind.
fn kind(filter: &str) -> String {
    let filter = filter.to_ascii_lowercase();
    let kind =
        if is_for(&filter).is_some() { "model" } else { filter.split(['=', ':']).next().unwrap_or_default() };
    kind.to_string()
}

/// The boards of a model filter; `None` for other filters.
fn is_for(filter: &str) -> Option<&'static [&'static str]> {
    Some(match filter {
        "pi1" => &["A", "B", "A+", "B+", "CM1"],
        "pi2" => &["2B"],
        "pi3" => &["3B", "3B+", "3A+", "CM3", "CM3+"],
        "pi3+" => &["3B+", "3A+"],
        "pi4" => &["4B", "400", "CM4", "CM4S"],
        "pi5" => &["5", "500", "CM5", "CM5 Lite"],
        "pi400" => &["400"],
        "pi500" => &["500"],
        "cm0" | "pi0" => &["Zero", "Zero W", "Zero 2 W"],
        "pi0w" => &["Zero W", "Zero 2 W"],
        "pi02" => &["Zero 2 W"],
        "cm1" => &["CM1"],
        "cm3" => &["CM3", "CM3+"],
        "cm3+" => &["CM3+"],
        "cm4" => &["CM4"],
        "cm4s" => &["CM4S"],
        "cm5" => &["CM5", "CM5 Lite"],
        _ => return None,
    })
}

/// The effects of a line such as `dtparam=pciex1_gen=3` or `dtoverlay=sdtweak,overclock_50=100`: parameters
/// follow commas.
fn config_effects(line: &str) -> Vec<BootEffect> {
    let Some((key, value)) = line.split_once('=') else { return Vec::new() };
    let parameters = match key.trim() {
        "dtparam" => value,
        "dtoverlay" => value.split_once(',').map_or("", |(_, parameters)| parameters),
        _ => return Vec::new(),
    };
    let effect = |parameter: &str| {
        let (name, value) = parameter.split_once('=')?;
        let number = value.trim().parse().ok()?;
        match name.trim() {
            "pciex1_gen" | "pcie_gen" | "pcie-gen" => Some(BootEffect::PcieGeneration(number)),
            "sd_cqe" => Some(BootEffect::SdCommandQueue(number)),
            "overclock_50" | "sd_overclock" => Some(BootEffect::SdOverclockMhz(number)),
            _ => None,
        }
    };
    parameters.split(',').filter_map(effect).collect()
}

fn parse_command_line(text: &str) -> Vec<BootSetting> {
    let mut settings: Vec<BootSetting> = Vec::new();
    for word in text.split_whitespace() {
        let Some((name, value)) = word.split_once('=') else { continue };
        let Some(value) = attribute::clean(value.as_bytes()) else { continue };
        // The kernel treats `-` and `_` the same.
        let effect = match name.replace('_', "-").as_str() {
            "usb-storage.quirks" => BootEffect::UsbStorageQuirks(value),
            "coherent-pool" => BootEffect::CoherentPool(value),
            _ => continue,
        };
        settings.retain(|earlier| std::mem::discriminant(&earlier.effect) != std::mem::discriminant(&effect));
        settings.push(BootSetting { effect, file: COMMAND_LINE.to_string(), line: 1, condition: None });
    }
    settings
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::fixture;

    fn board(model: &str) -> Board {
        Board { model: model.to_string(), ..Board::default() }
    }

    /// The settings of a file for a board, as `line effect condition`.
    fn settings_for(text: &str, model: Option<&str>) -> Vec<String> {
        let line = |setting: BootSetting| {
            let condition = setting.condition.map(|condition| format!(" if {condition}")).unwrap_or_default();
            format!("{} {:?}{condition}", setting.line, setting.effect)
        };
        parse_config(text, "config.txt", model.map(board).as_ref()).into_iter().map(line).collect()
    }

    #[test]
    fn settings_are_read_with_their_file_and_line() {
        let pi = fixture::weak_supply_pi();
        let found = settings(&pi.system(), Some(&board("4B")));
        let setting =
            |effect, file: &str, line| BootSetting { effect, file: file.to_string(), line, condition: None };
        assert_eq!(
            found,
            [
                setting(BootEffect::SdOverclockMhz(100), "/boot/config.txt", 9),
                setting(BootEffect::CoherentPool("1M".to_string()), COMMAND_LINE, 1),
                setting(BootEffect::UsbStorageQuirks("152d:0578:u".to_string()), COMMAND_LINE, 1),
            ]
        );
    }

    #[test]
    fn filters_are_honoured() {
        let text = "[pi4]\ndtparam=pciex1_gen=1\n[pi5]\ndtparam=pciex1,pciex1_gen=3\n[none]\ndtparam=sd_cqe=0\n[all]\ndtparam=sd_cqe=2";
        assert_eq!(settings_for(text, Some("5")), ["4 PcieGeneration(3)", "8 SdCommandQueue(2)"]);
        assert_eq!(settings_for(text, Some("4B")), ["2 PcieGeneration(1)", "8 SdCommandQueue(2)"]);
        assert_eq!(settings_for(text, Some("3B")), ["8 SdCommandQueue(2)"]);
        // An unknown board may be any.
        let unknown = ["2 PcieGeneration(1) if pi4", "4 PcieGeneration(3) if pi5", "8 SdCommandQueue(2)"];
        assert_eq!(settings_for(text, None), unknown);
        let text = "[EDID=VSC-TD2220]\ndtparam=sd_overclock=84\n[edid=other]\ndtparam=sd_overclock=63";
        assert_eq!(
            settings_for(text, Some("3B")),
            ["2 SdOverclockMhz(84) if EDID=VSC-TD2220", "4 SdOverclockMhz(63) if edid=other"]
        );
    }

    #[test]
    fn the_last_of_several_counts_and_comments_are_ignored() {
        let cases: [(&str, &[&str]); 9] = [
            ("dtparam=pciex1_gen=2\ndtparam=pciex1_gen=3", &["2 PcieGeneration(3)"]),
            ("#dtparam=pciex1_gen=3", &[]),
            ("dtparam=pciex1_gen=3 # fast", &["1 PcieGeneration(3)"]),
            ("dtoverlay=sdtweak,poll_once,overclock_50=100", &["1 SdOverclockMhz(100)"]),
            ("dtoverlay=sdtweak", &[]),
            ("dtparam=overclock_50=100", &["1 SdOverclockMhz(100)"]),
            ("overclock_50=100", &[]),
            ("dtparam=sd_cqe=yes", &[]),
            ("dtparam=sd_cqe", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(settings_for(text, Some("5")), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn random_files_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let framed = format!("[{text}]\ndtparam=sd_cqe={text}\n");
            for text in [text, framed] {
                for setting in parse_config(&text, "config.txt", None).into_iter().chain(parse_command_line(&text)) {
                    prop_assert!(!setting.condition.unwrap_or_default().contains(char::is_control));
                }
            }
        }
    }
}
