### fio's command line and job files.

# Where something is written.
# $word: from 1
fio-place =
    .word = word { $word } of the command line
    .step = suite '{ $suite }', step '{ $step }'

# $place: a place, $problem: what is wrong there.
fio-at = { $place }: { $problem }

# $places: those of the includes, the last first.
fio-included = { $problem } (included at { $places })

# The end of a long list. $count: how many others there are.
fio-others = { $count } more

# Options, as a command line or a job file names them.
fio-option =
    .ambiguous = '{ $option }' is ambiguous: { $options } begin with it; write more of it
    .value-missing = '{ $option }' needs a value; write { $option }=...
    .value-unwanted = '{ $option }' takes no value; remove '=' and what follows
    .value-empty = the value of '{ $option }' is empty; write one after '=' or remove the option
    .value-unset = the value of '{ $option }' is empty because the variable '{ $variable }' is not set or empty; set it
    .name-missing = the name of an option is missing
    .not-calculated = '{ $setting }' cannot be calculated: { $problem }
    .tilde = '~' in the value of '{ $option }' is not replaced by the home directory; a shell does that only at the beginning of a word; write $HOME instead
    .refused = '{ $option }' is not supported: { $reason }
    .ignored = '{ $option }' is ignored: { $reason }

# Why a value of an option of the program cannot be used.
fio-value =
    .shorter-than = must be at least { $limit }
    .unknown-format = unknown format; write one or more of { $formats }, separated by commas
    .global-section = '{ $section }' is a global section, which has no job to run
    .example-of-time = a time such as 1, 500ms or 2m

# Why an option of the program is not supported or changes nothing, and what to do instead.
fio-program =
    .network = runs over several hosts are not supported; run it on each host
    .triggers = a run does not start commands; start them from the script that starts the run
    .checks = it checks parts of fio that do not exist here
    .bandwidth-log = give the jobs write_bw_log, and add the columns
    .max-jobs = there is no limit to raise
    .alloc-size = there is no memory pool to size
    .debug = --showcmd shows what was read, and a job with write_iolog writes each I/O
    .latency-log = fio has dropped it too; give the jobs write_lat_log
    .idle-prof = run 'mpstat -P ALL 1' during the run for the machine's idle time; usr and sys of each job are in the results
    .inflate-log = compressed logs are neither written nor read
    .aux-path = state files are written to the working directory; change it before the run
    .profile = profiles do not exist here; write their jobs into a job file
    .merge-blktrace = blktrace traces are not merged here

# Job files, and the command line as a whole.
# $reason: as the system says it
# $chain: the files, each of which includes the next
# $opening, $closing: the signs
fio-file =
    .unreadable = cannot read the job file '{ $path }': { $reason }
    .not-a-job-file = '{ $path }' is not a job file: { $reason }; a backslash continues a line only when nothing follows it
    .too-long = longer than { $max } bytes; is this a job file?
    .line-too-long = this line is longer than { $max } bytes; is this a job file?
    .zero-byte = a zero byte, which options cannot contain
    .not-text = not UTF-8 text, in which options and names are written
    .unknown-section = unknown section '{ $section }'; choose from { $sections }
    .no-sections = unknown section '{ $section }'; there are no sections
    .before-section = '{ $line }' comes before the first section; write a section such as [job1] above it
    .section-included = a section in an included file, which can contain only options
    .section-unclosed = the section '{ $section }' must end with ']', and nothing may follow it
    .section-unnamed = a section needs a name, such as [job1]
    .capital-global = '{ $section }' is a job; the name of a global section begins with 'global' in lower case
    .include-unnamed = 'include' needs the name of a file after it
    .nested-too-deep = more than { $max } files include each other in a chain; does one include itself?
    .too-many-includes = more than { $max } includes
    .includes-itself = a file includes itself: { $chain }
    .variable-unset = the variable '{ $variable }' is not set or empty, and is replaced by nothing
    .variable-unclosed = '{ $opening }' begins the name of a variable, but no '{ $closing }' ends it
    .comment-cuts-value = ';' and '#' begin a comment, also within a word; the value of '{ $option }' is '{ $value }'
    .too-many-errors = more than { $max } errors; the rest are not shown
    .settings-too-long = the settings of all jobs, with those of the global sections, are longer than { $max } bytes
    .no-jobs = no job is defined; name a job file, or begin a job with --name=NAME
    .only-first-file = options of the command line before its first job apply only to the first job file, as in fio
    .sections-of-all-files = only these sections of all job files run; fio would filter only the first file and run all of the others

# Why an expression has no value.
fio-arithmetic =
    .unfinished = it ends where a number is expected
    .unclosed = a parenthesis is not closed
    .division-by-zero = division by zero
    .too-large = a number in it is too large
    .unexpected = unexpected '{ $found }'
    .needs-whole = '{ $operator }' needs whole numbers
    .mixed-units = '{ $operator }' cannot join its two sides; give both a unit of time, or neither
    .too-deep = nested deeper than { $max } levels

# What is wrong with a recording of I/Os (iolog).
fio-iolog =
    .empty = it is empty
    .name-with-spaces = an iolog separates its columns by spaces
    .line-too-long = the line is longer than { $max } bytes and does not belong to an iolog
    .not-text = not UTF-8 text
    .second-recording = a second recording begins here, because fio appends to an existing file; keep only one of them
    .name-missing = a name and an action are missing
    .action-missing = the action is missing, such as add, open, close, read or write
    .wait-missing = the time to wait is missing
    .no-wait = version 3 has no 'wait'; its times say when
    .too-many-files = more than { $max } files
    .not-added = '{ $file }' was not added before; '{ $file } add' is missing
    .not-open = '{ $file }' is not open; '{ $file } open' is missing
    .unknown-action = unknown action '{ $action }'; choose from { $actions }
    .offset-missing = an offset and a length in bytes are missing
    .no-bytes = an I/O of 0 bytes
    .beyond-any-file = the I/O ends beyond the end of any file
    .blktrace = this is a binary trace of blktrace, which is not supported; replay it with fio, or record an iolog with write_iolog
    .unknown-header = an iolog begins with '{ $newer }' or '{ $older }', not with '{ $found }'
    .time-unreadable = the time is '{ $found }', not a whole number up to { $max }
    .offset-unreadable = the offset is '{ $found }', not a whole number up to { $max }
    .length-unreadable = the length is '{ $found }', not a whole number up to { $max }

## Refusals of a run

fio-no-jobs = No job(s) defined: name a job file, or describe a job as --name=a --size=1G

# $warning: what fio warns of
fio-warning-fatal = --warnings-fatal: { $warning }

# $jobs: names
fio-readonly =
    { $count ->
        [one] --readonly: job { $jobs } would write; remove --readonly, or let it read with rw=read or rw=randread
        *[other] --readonly: jobs { $jobs } would write; remove --readonly, or let them read with rw=read or rw=randread
    }

fio-readonly-layout = --readonly: job '{ $job }' would lay out { $path } before reading it; remove --readonly once, or name a file that is long enough

# $known: numbers
fio-no-cpu = job '{ $job }': this machine has no CPU { $cpu }; use { $known } for cpus_allowed

fio-no-node = job '{ $job }': this machine has no NUMA node { $node }; use { $known } for { $option }
    .none = job '{ $job }': the kernel reports no NUMA nodes here; remove numa_cpu_nodes and numa_mem_policy
    .memory-only = job '{ $job }': the nodes of numa_cpu_nodes have memory but no processors; name others

fio-results-not-written = cannot write the results to { $path }: { $error }; free some space there

# $name: what was asked for
fio-enghelp = --enghelp={ $name }: unknown engine '{ $engine }'; choose from { $known }
    .option = --enghelp={ $name }: engine '{ $engine }' has no option '{ $option }'

## Notes and errors of a run

# $note: a note, as below or of the engine
fio-note = note: { $note }
    .more =
        { $count ->
            [one] { $count } more note: --notes prints it
            *[other] { $count } more notes: --notes prints them all
        }
    .no-depth = job '{ $job }', clone { $clone }: no depth keeps its latency_target

fio-warning =
    .norandommap = job '{ $job }': fio warns of verify with norandommap and several block sizes
    .clones = job '{ $job }': fio warns of verify with several clones (numjobs) that write to the same file
    .iologs = job '{ $job }': fio warns of read_iolog with write_iolog

# $error: a line of fio's format
fio-job-failed = job '{ $job }', clone { $clone }: err={ $errno }: { $error }

# Why a job failed; calls are followed by ", error=" and what the system says.
fio-job-error =
    .hung = the drive stopped responding
    .engine = the engine failed
    .create = making a file
    .stat = looking a file up
    .delete = removing a file
    .create-directory = making a directory
    .stat-directory = looking a directory up
    .delete-directory = removing a directory

fio-no-engine-options = { $engine } has no options
