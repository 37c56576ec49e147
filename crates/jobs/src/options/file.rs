//! Files: names, lengths and layout.

use super::row::rows;
use cardiograph_core::message;

rows! {
    "Files and sizes";
    works "filename": List, "", "Names of the files or devices; each clone uses all of them.";
    works "directory": List, "", "Directories in which files are made; clones take turns.";
    works "filename_format": Text, "$jobname.$jobnum.$filenum", "Names of files that are not named.";
    hint(&message!("jobs-hint.unique-filename")) "unique_filename": Switch, "1",
        "Prefix file names with the server's address.";
    refused(&message!("jobs-option.lockfile")) "lockfile":
        Word(&["none", "exclusive", "readwrite"]), "none", "Lock a file while I/O is done to it.";
    refused(&message!("jobs-option.opendir")) "opendir": Text, "",
        "Use all files below this directory.";
    refused(&message!("jobs-option.filetype")) "filetype": Text, "",
        "Whether targets are files or devices.";
    works "size": BytesOrPercent, "", "Size of the region used, in all files of the job together.";
    works "io_size" | "io_limit": BytesOrPercent, "",
        "Bytes to move before the job ends; the region's size if not set.";
    works "filesize": BytesRange, "", "Size of each file, or a range from which it is drawn.";
    refused(&message!("jobs-option.file-append")) "file_append": Switch,
        "0", "Begin at the end of the file.";
    works "offset" | "fileoffset": BytesOrPercent, "0", "Where the region starts.";
    works "offset_increment": BytesOrPercent, "0", "Distance between the starts of the clones' regions.";
    works "offset_align": Bytes, "0",
        "Grid on which regions start whose offset is a share; that of the blocks if not set.";
    works "fill_device" | "fill_fs": Switch, "0", "Write until no space is left.";
    works "number_ios": COUNT, "0", "End a loop after this many I/Os; 0 is no limit, and so is time_based.";
    works "nrfiles" | "nr_files": COUNT, "1", "Files that the region is divided into.";
    works "openfiles": COUNT, "",
        "Files open at a time: when one is finished, the next takes its place.";
    works "file_service_type":
        WordWithArguments(&["roundrobin", "sequential", "random", "zipf", "pareto", "normal", "gauss"]),
            "roundrobin",
        "Which file comes next; after a colon, how many I/Os it gets, or the parameters of the distribution as \
         in random_distribution.";
    works "create_serialize": Switch, "1",
        "Examine a job's files before all jobs start; if 0, those that earlier jobs extend are examined when the job starts.";
    works "create_fsync": Switch, "1", "fsync a file after laying it out.";
    works "create_on_open": Switch, "0", "Create files when the job starts, not before all jobs.";
    works "create_only": Switch, "0", "Lay out the files and do nothing else.";
    works "allow_file_create": Switch, "1", "Create files that do not exist.";
    works "allow_mounted_write": Switch, "0",
        "Write to a mounted device: always refused, even with 1.";
    works "pre_read": Switch, "0", "Read the files into the cache before the first I/O.";
    works "invalidate": Switch, "1", "Drop the files' cached pages before each pass over them.";
    works "unlink": Switch, "0", "Remove the files when the job ends.";
    works "unlink_each_loop": Switch, "0",
        "Remove the files after each loop but the last, and create them again.";
}
