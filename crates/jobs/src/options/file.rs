//! Files, their names and lengths, and how they are made.

use super::OptionDef;
use super::kind::{COUNT, OptionKind};
use super::row::{hint, refused, works};

pub(super) const ROWS: &[OptionDef] = &[
    works!("filename")
        .kind(OptionKind::List)
        .help("Names of the files or devices; each clone uses all of them."),
    works!("directory")
        .kind(OptionKind::List)
        .help("Directories in which files are made; clones take turns."),
    works!("filename_format")
        .default("$jobname.$jobnum.$filenum")
        .help("How files are called that have no name."),
    hint("unique_filename", "only clients of an fio server have names made unique")
        .kind(OptionKind::Switch)
        .default("1")
        .help("Put the server's address before names of files."),
    refused(
        "lockfile",
        "files are not locked; let jobs that must not meet run one after the other with stonewall",
    )
    .kind(OptionKind::Word(&["none", "exclusive", "readwrite"]))
    .default("none")
    .help("Lock a file while I/O is done to it."),
    refused("opendir", "files of a directory are not used unnamed; name them with filename")
        .help("Use all files below this directory."),
    refused("filetype", "what a target is, is seen when it is opened")
        .help("Whether targets are files or devices."),
    works!("size")
        .kind(OptionKind::BytesOrPercent)
        .help("Length of the region that is used, of all files of the job together."),
    works!("io_size")
        .aliases(&["io_limit"])
        .kind(OptionKind::BytesOrPercent)
        .help("Bytes to move before the job ends; the region's length if not set."),
    works!("filesize")
        .kind(OptionKind::BytesRange)
        .help("Length of each file, or a range from which it is drawn."),
    refused("file_append", "I/O at the end of a file is not here; set offset to the file's length")
        .kind(OptionKind::Switch)
        .default("0")
        .help("Begin at the end of the file."),
    works!("offset")
        .aliases(&["fileoffset"])
        .kind(OptionKind::BytesOrPercent)
        .default("0")
        .help("Where the region starts."),
    works!("offset_increment")
        .kind(OptionKind::BytesOrPercent)
        .default("0")
        .help("How much later each further clone's region starts."),
    works!("offset_align")
        .kind(OptionKind::Bytes)
        .default("0")
        .help("Grid on which regions start whose offset is a share; that of the blocks if not set."),
    works!("fill_device")
        .aliases(&["fill_fs"])
        .kind(OptionKind::Switch)
        .default("0")
        .help("Write until there is no room left."),
    works!("number_ios")
        .kind(COUNT)
        .default("0")
        .help("End a loop after so many I/Os; 0 is no limit, and so is time_based."),
    works!("nrfiles")
        .aliases(&["nr_files"])
        .kind(COUNT)
        .default("1")
        .help("Files that the region is divided into."),
    works!("openfiles")
        .kind(COUNT)
        .help("Files that take turns at a time: when one is finished, the next takes its place."),
    works!("file_service_type")
        .kind(OptionKind::WordWithArguments(&[
            "roundrobin",
            "sequential",
            "random",
            "zipf",
            "pareto",
            "normal",
            "gauss",
        ]))
        .default("roundrobin")
        .help(
            "Which file comes next; behind a colon how many I/Os it gets, or the numbers of the distribution \
             as in random_distribution.",
        ),
    works!("create_serialize")
        .kind(OptionKind::Switch)
        .default("1")
        .help("Look at a job's files before all jobs; if 0, those that the jobs before it make longer when it starts."),
    works!("create_fsync").kind(OptionKind::Switch).default("1").help("fsync a file when it is laid out."),
    works!("create_on_open")
        .kind(OptionKind::Switch)
        .default("0")
        .help("Make files when the job begins, not before all jobs."),
    works!("create_only")
        .kind(OptionKind::Switch)
        .default("0")
        .help("Lay out the files and do nothing else."),
    works!("allow_file_create").kind(OptionKind::Switch).default("1").help("Make files that do not exist."),
    works!("allow_mounted_write")
        .kind(OptionKind::Switch)
        .default("0")
        .help("Write to a device that is mounted: the safety gate refuses that with 1 too."),
    works!("pre_read")
        .kind(OptionKind::Switch)
        .default("0")
        .help("Read the files into the cache before the first I/O."),
    works!("invalidate")
        .kind(OptionKind::Switch)
        .default("1")
        .help("Drop the files' cached pages before each pass over them."),
    works!("unlink").kind(OptionKind::Switch).default("0").help("Remove the files when the job has ended."),
    works!("unlink_each_loop")
        .kind(OptionKind::Switch)
        .default("0")
        .help("Remove the files after each of the job's loops but the last, and make them anew."),
];
