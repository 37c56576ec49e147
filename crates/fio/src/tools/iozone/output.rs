//! iozone's output in the layout of iozone 3.492, without its remarks on itself and on settings that we lack.

use cardiograph_core::{KIB, NS_PER_S};

use super::Request;

/// The column headings. Columns of unsupported tests stay empty.
const HEADINGS: [&str; 2] = [
    "                                                              random    random     bkwd    record    stride                                    ",
    "              kB  reclen    write  rewrite    read    reread    read     write     read   rewrite      read   fwrite frewrite    fread  freread",
];
/// Width of the columns after the supported tests: seven, and a space.
const REST: usize = 7 * 9 + 1;

/// All lines above the first row. `began` is a time as in ctime(3), `words` the arguments of `iozone`.
pub fn header(request: &Request, program: &str, began: &str, words: &[String]) -> String {
    let mut text =
        format!("\tIozone: Performance Test of File I/O\n\t        by {program}\n\n\tRun began: {began}\n\n");
    for said in &request.said {
        text.push_str(&format!("\t{said}\n"));
    }
    text.push_str(&format!("\tCommand line used: iozone {}\n\tOutput is in kBytes/sec\n", words.join(" ")));
    HEADINGS.iter().for_each(|line| text.push_str(&format!("{line}\n")));
    text
}

/// The beginning of a row.
pub fn row((file_len_bytes, record_len_bytes): (u64, u64)) -> String {
    format!("{:16}{:8}", file_len_bytes / KIB, record_len_bytes / KIB)
}

/// A figure: KiB per second.
pub fn cell(bytes: u64, ns: u64) -> String {
    format!("{:9}", kib_per_s(bytes, ns))
}

/// A column without a figure.
pub fn blank() -> String {
    " ".repeat(9)
}

/// The rest of a row, after the columns of the supported tests.
pub fn row_end() -> String {
    format!("{:REST$}\n", "")
}

/// Whole KiB per second.
fn kib_per_s(bytes: u64, ns: u64) -> u64 {
    let kib_ns = u128::from(bytes / KIB) * u128::from(NS_PER_S);
    u64::try_from(kib_ns / u128::from(ns.max(1))).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use cardiograph_core::MIB;

    use super::super::parse;
    use super::*;

    /// As printed by iozone 3.492 on a Raspberry Pi, from its options on.
    const SEEN: [&str; 10] = [
        "\tInclude fsync in write timing",
        "\tO_DIRECT feature enabled",
        "\tAuto Mode",
        "\tFile size set to 102400 kB",
        "\tRecord Size 4 kB",
        "\tCommand line used: iozone -e -I -a -s 100M -r 4k -i 0 -i 1 -i 2",
        "\tOutput is in kBytes/sec",
        "                                                              random    random     bkwd    record    stride                                    ",
        "              kB  reclen    write  rewrite    read    reread    read     write     read   rewrite      read   fwrite frewrite    fread  freread",
        "          102400       4     3044     3144     8570     8573     8067     4437                                                                ",
    ];

    #[test]
    fn layout_matches_iozone() {
        let words: Vec<String> =
            "-e -I -a -s 100M -r 4k -i 0 -i 1 -i 2".split(' ').map(str::to_string).collect();
        let request = parse(&words).unwrap();
        let began = "Sat Nov  4 14:57:05 2023";
        let mut text = header(&request, "cardiograph 0", began, &words);
        text.push_str(&row((100 * MIB, 4 * KIB)));
        for kib_per_s in [3_044, 3_144, 8_570, 8_573, 8_067, 4_437] {
            text.push_str(&cell(kib_per_s * KIB, NS_PER_S));
        }
        text.push_str(&row_end());
        let (head, rest) = text.split_once("\n\n\tInclude").unwrap();
        assert_eq!(
            head,
            "\tIozone: Performance Test of File I/O\n\t        by cardiograph 0\n\n\tRun began: Sat Nov  4 14:57:05 2023"
        );
        let lines: Vec<&str> = rest.lines().collect();
        assert_eq!(lines[1..], SEEN[1..]);
    }

    #[test]
    fn rates_are_whole_and_never_rounded_up() {
        assert_eq!(kib_per_s(100 * MIB, 33_639_000_000), 3_044);
        assert_eq!(kib_per_s(MIB, 0), 1_024 * NS_PER_S);
    }
}
