//! A job as an equivalent fio command line.

use cardiograph_core::JobSpec;
use cardiograph_jobs::options::{self, OptionKind};

/// The fio command line for `job`, ready for a shell: settings in the order and form in which they were written. A
/// switch written by its bare name gets its implied value. cardiograph's own options are left out because fio would
/// refuse them: if one ends the job early, fio runs for the full `runtime`. So is `randrepeat` where content is verified: the
/// command that reads it back has to draw the same offsets.
pub fn command_line(job: &JobSpec) -> String {
    let mut line = format!("fio {}", shell_word(&format!("--name={}", job.name)));
    let is_verified = job.settings.iter().any(|setting| setting.option == "verify");
    for setting in &job.settings {
        let def = options::find(&setting.option);
        if def.is_some_and(|def| def.is_own) || is_verified && setting.option == "randrepeat" {
            continue;
        }
        let is_switch = def.is_some_and(|def| matches!(def.kind, OptionKind::Switch | OptionKind::Flag));
        let value = if is_switch && setting.value.is_empty() { "1" } else { &setting.value };
        line.push(' ');
        line.push_str(&shell_word(&format!("--{}={value}", setting.option)));
    }
    line
}

/// Quotes `word` so that a POSIX shell reads it unchanged as one word.
pub fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+.,:/@%".contains(c);
    match word.chars().all(plain) && !word.is_empty() {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::Origin;

    use super::*;

    fn job(name: &str, settings: &[(&str, &str)]) -> JobSpec {
        let origin = Origin::CommandLine { word: 1 };
        settings.iter().fold(JobSpec::new(name, origin), |job, (option, value)| job.set(option, value))
    }

    #[test]
    fn seed_000_random_read() {
        let job = job(
            "latp",
            &[
                ("filename", "latp.tmp"),
                ("size", "1G"),
                ("bs", "4k"),
                ("rw", "randread"),
                ("iodepth", "1"),
                ("direct", ""),
                ("time_based", "1"),
                ("runtime", "30"),
                ("lat_percentiles", "1"),
                ("percentile_list", "95:99:99.9"),
            ],
        );
        assert_eq!(
            command_line(&job),
            "fio --name=latp --filename=latp.tmp --size=1G --bs=4k --rw=randread --iodepth=1 --direct=1 \
             --time_based=1 --runtime=30 --lat_percentiles=1 --percentile_list=95:99:99.9"
        );
    }

    #[test]
    fn order_and_repetitions_are_kept() {
        let job =
            job("a", &[("rw", "read"), ("bs", "4k,8k"), ("rw", "write"), ("direct", "0"), ("fsync", "1")]);
        assert_eq!(command_line(&job), "fio --name=a --rw=read --bs=4k,8k --rw=write --direct=0 --fsync=1");
    }

    #[test]
    fn options_unknown_to_fio_are_left_out() {
        let job = job("a", &[("rw", "read"), ("precision", "2%"), ("runtime", "60"), ("precision_ios", "9")]);
        assert_eq!(command_line(&job), "fio --name=a --rw=read --runtime=60");
    }

    #[test]
    fn content_is_read_back_where_it_was_written() {
        let job = job("a", &[("rw", "randwrite"), ("randrepeat", "0"), ("verify", "crc32c")]);
        assert_eq!(command_line(&job), "fio --name=a --rw=randwrite --verify=crc32c");
    }

    #[test]
    fn quoting_survives_a_shell() {
        let words = [
            ("plain-1.tmp", "--filename=plain-1.tmp"),
            ("~/x", "'--filename=~/x'"),
            ("my card", "'--filename=my card'"),
            ("it's", r"'--filename=it'\''s'"),
            ("$(rm -rf /)", "'--filename=$(rm -rf /)'"),
            ("カード", "'--filename=カード'"),
            ("a\nb", "'--filename=a\nb'"),
            ("", "--filename="),
        ];
        for (file, word) in words {
            assert_eq!(command_line(&job("a", &[("filename", file)])), format!("fio --name=a {word}"));
        }
        assert_eq!(command_line(&job("two words", &[])), "fio '--name=two words'");
    }
}
