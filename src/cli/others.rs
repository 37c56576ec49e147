//! The command lines of `shelf` and `import`: of what others measured.

use cardiograph_import::capacity_bytes;
use cardiograph_import::table::Map;
use clap::Args;

use super::parse_tag;

/// What stands below the help of `shelf`.
pub(super) const SHELF_HELP: &str = "\
A figure is only worth comparing with one that was measured in the same way: a
SOURCE shows the commands that made its figures.

Examples:
  cardiograph shelf                      the sources
  cardiograph shelf dramble-cards        the tables of one
  cardiograph shelf --drive 'samsung evo'
                                         what all of them say of a drive";

/// What stands below the help of `import`.
pub(super) const IMPORT_HELP: &str = "\
What is imported:
  What a file tells, and nothing else. A file may hold several outputs, with
  prompts and text around them; each drive in it becomes a checkup of its own,
  and so does each run where a test was run several times. A file with a problem
  is left out as a whole, with the lines that are wrong.

Tables (--map):
  Markdown, columns of spaces or tabs, comma-separated. MAP has assignments with
  ';' between them: drive=COLUMN, test=COLUMN, TEST.FIGURE=COLUMN UNIT, and
  TEST: COMMAND, which tells how it was measured; a test of iozone is called as
  what it does (random-read, rewrite). A COLUMN is a number from 1, a heading, or
  * for all that have a drive as their heading. Where single spaces part the
  columns, it is a number, and column 1 has the names; a row that can be parted
  in several ways is refused.

Exit codes:
  0    done
  2    a file could not be read; the others are kept
  3    the store cannot be written

Examples:
  cardiograph import fio.txt --label ssd --tag board='Pi 5'
  fio --output-format=json job.fio | cardiograph import -
  cardiograph import run_lat.1.log run_bw.1.log --dry-run
  cardiograph import --list-formats
  cardiograph import table.md --map 'drive=Card;
      w.write.bandwidth=dd write MB/s;
      w: dd if=/dev/zero of=x bs=8k count=50k conv=fsync'";

/// Arguments of `shelf`.
#[derive(Debug, Args)]
pub struct ShelfArguments {
    /// Show the tables of this source
    #[arg(value_name = "SOURCE")]
    pub source: Option<String>,

    /// Only drives with this in their name; their tables are shown
    #[arg(long, value_name = "TEXT")]
    pub drive: Option<String>,

    /// Write it as JSON, with all tables
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `import`.
#[derive(Debug, Args)]
pub struct ImportArguments {
    /// Outputs and logs of other programs ('-': standard input)
    #[arg(value_name = "FILE", required_unless_present = "list_formats")]
    pub files: Vec<String>,

    /// Which format they have, where it is not recognised
    #[arg(long, value_name = "FORMAT")]
    pub r#as: Option<String>,

    /// Read tables by what this says of their columns, as 'drive=1; read.bandwidth=2 MB/s' (more below)
    #[arg(long, value_name = "MAP", conflicts_with = "as")]
    pub map: Option<Map>,

    /// A name for the drive, to find the checkups by
    #[arg(long, value_name = "TEXT")]
    pub label: Option<String>,

    /// Something to find and compare the checkups by, as board="Pi 5" or price=980JPY; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_tag)]
    pub tag: Vec<(String, String)>,

    /// What the drive holds, as it is sold, as 480GB: outputs do not tell it, and some purposes ask for it
    #[arg(long, value_name = "SIZE", value_parser = capacity_bytes)]
    pub capacity: Option<u64>,

    /// List the formats that are known
    #[arg(long)]
    pub list_formats: bool,

    /// Read and show, and keep nothing
    #[arg(long)]
    pub dry_run: bool,
}
