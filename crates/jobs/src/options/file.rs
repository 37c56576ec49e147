//! Files, their names and lengths, and how they are made.

use super::row::rows;
use cardiograph_core::message;

rows! {
    "Files and sizes";
    works "filename": List, "", "Names of the files or devices; each clone uses all of them.";
    works "directory": List, "", "Directories in which files are made; clones take turns.";
    works "filename_format": Text, "$jobname.$jobnum.$filenum", "How files are called that have no name.";
    hint(&message!("jobs-hint.unique-filename")) "unique_filename": Switch, "1",
        "Put the server's address before names of files.";
    refused(&message!("jobs-option.lockfile")) "lockfile":
        Word(&["none", "exclusive", "readwrite"]), "none", "Lock a file while I/O is done to it.";
    refused(&message!("jobs-option.opendir")) "opendir": Text, "",
        "Use all files below this directory.";
    refused(&message!("jobs-option.filetype")) "filetype": Text, "",
        "Whether targets are files or devices.";
    works "size": BytesOrPercent, "", "Length of the region that is used, of all files of the job together.";
    works "io_size" | "io_limit": BytesOrPercent, "",
        "Bytes to move before the job ends; the region's length if not set.";
    works "filesize": BytesRange, "", "Length of each file, or a range from which it is drawn.";
    refused(&message!("jobs-option.file-append")) "file_append": Switch,
        "0", "Begin at the end of the file.";
    works "offset" | "fileoffset": BytesOrPercent, "0", "Where the region starts.";
    works "offset_increment": BytesOrPercent, "0", "How much later each further clone's region starts.";
    works "offset_align": Bytes, "0",
        "Grid on which regions start whose offset is a share; that of the blocks if not set.";
    works "fill_device" | "fill_fs": Switch, "0", "Write until there is no room left.";
    works "number_ios": COUNT, "0", "End a loop after so many I/Os; 0 is no limit, and so is time_based.";
    works "nrfiles" | "nr_files": COUNT, "1", "Files that the region is divided into.";
    works "openfiles": COUNT, "",
        "Files that take turns at a time: when one is finished, the next takes its place.";
    works "file_service_type":
        WordWithArguments(&["roundrobin", "sequential", "random", "zipf", "pareto", "normal", "gauss"]),
            "roundrobin",
        "Which file comes next; behind a colon how many I/Os it gets, or the numbers of the distribution as \
         in random_distribution.";
    works "create_serialize": Switch, "1",
        "Look at a job's files before all jobs; if 0, those that the jobs before it make longer when it starts.";
    works "create_fsync": Switch, "1", "fsync a file when it is laid out.";
    works "create_on_open": Switch, "0", "Make files when the job begins, not before all jobs.";
    works "create_only": Switch, "0", "Lay out the files and do nothing else.";
    works "allow_file_create": Switch, "1", "Make files that do not exist.";
    works "allow_mounted_write": Switch, "0",
        "Write to a device that is mounted: the safety gate refuses that with 1 too.";
    works "pre_read": Switch, "0", "Read the files into the cache before the first I/O.";
    works "invalidate": Switch, "1", "Drop the files' cached pages before each pass over them.";
    works "unlink": Switch, "0", "Remove the files when the job has ended.";
    works "unlink_each_loop": Switch, "0",
        "Remove the files after each of the job's loops but the last, and make them anew.";
}
