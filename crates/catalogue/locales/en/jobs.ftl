### Options of jobs: their values, what contradicts, what is not supported.

# Why a value cannot be read.
# $words: all that are accepted
jobs-value =
    .empty = a value is missing
    .not-a-number = not a number
    .negative = must not be negative
    .not-whole = must be a whole number, without a fraction or an exponent
    .unknown-unit = unknown unit '{ $unit }'
    .zones = lengths in zones (z) are not supported
    .too-large = too large
    .unknown-word = unknown value; choose from { $words }
    .out-of-range = must be between { $min } and { $max }
    .below-range = must be at least { $min }
    .not-a-percentile = a percentile must be greater than 0 and at most 100
    .not-a-share = a share must be greater than 0 and at most 100 %
    .descending = the range ends before it begins
    .too-many = at most { $max } values are allowed
    .shares-above-100 = the shares add up to more than 100 %
    .limit-missing = the limit is missing, as in iops_slope:0.3%
    .shares-not-100 = the shares of I/Os add up to { $sum }, not to 100 %
    .zones-above-100 = the zones are longer than 100 % of the region in total
    .zone-incomplete = each zone needs its share of I/Os and its length, as in 60/10:40/90
    .zone-empty = a zone of length 0 cannot have I/Os
    .center-outside = the center must be between 0 and 1
    .pareto-outside = must be greater than 0 and less than 1
    .deviation-missing = the deviation in percent is missing, as in normal:10
    .deviation-outside = the deviation must be greater than 0 and less than 100 percent
    .argument-unwanted = this word takes no argument
    .no-file-here = this kind of memory takes no file; remove the part after the colon
    .not-a-page-size = the size of memory pages is a power of two, such as 2m or 1g
    .not-a-power-of-two = must be a power of two, such as 4k
    .unknown-errno = no error is called '{ $name }'; write its number
    .nodes-missing = the nodes are missing, as in bind:0,1
    .not-one-node = only one node can be preferred, as in prefer:0

# What is wrong with a pattern. $position: the character, from 1.
# $reason: as the system says it
jobs-pattern =
    .at = at character { $position }: { $problem }
    .empty = the pattern has no bytes
    .unexpected = '{ $found }' begins neither a number (0x2a, 42) nor a "string" nor a 'file'
    .unclosed = the closing { $quote } is missing
    .digits-missing = hexadecimal digits are missing after 0x
    .number-too-large = a decimal number must be between -2147483648 and 2147483647; write longer ones as 0x and digits
    .no-offset-here = %o, the offset of a block, is only allowed in verify_pattern
    .too-long = the pattern is longer than { $max } bytes from here on
    .unreadable-here = files are not read here
    .not-a-file = it is not a regular file
    .unreadable = cannot read the file '{ $path }': { $reason }

# What can be written, by example.
jobs-example =
    .count = a whole number
    .count-per-direction = a whole number, or two such as 100,200 for reads and writes
    .number = a number such as 99.9
    .numbers = numbers such as 50:100
    .bytes = a size such as 512, 4k, 200M or 1G
    .bytes-or-percent = a size such as 4k, 200M or 1G, or a share such as 50%
    .bytes-range = a size such as 4k, or a range such as 4k-64k
    .bytes-per-direction = a size such as 4k, or two such as 4k,64k for reads and writes
    .bytes-range-per-direction = a range such as 4k-64k, or two such as 4k-8k,16k-64k for reads and writes
    .split = sizes with their shares in percent, such as 4k/60:64k/40
    .duration = a time such as 30, 500ms or 2m
    .duration-range = a time such as 30, 500ms or 2m, or a range such as 5-10
    .duration-per-direction = a time such as 500us, or two such as 1ms,10ms for reads and writes
    .switch = 1 for on or 0 for off
    .share = a share such as 2% or 0.5%
    .percentiles = percentiles such as 50:99:99.9
    .cpus = CPUs such as 0,2-3
    .errors = errors by name or number, such as EIO:ENOSPC,EIO,EILSEQ for reads, writes and checks
    .nodes = nodes such as 0,2-3, or all

# What is wrong with a job, or with one of its settings. $setting: the option and its value as written.
jobs-problem =
    .at = { $place }: job '{ $job }': { $problem }
    .unknown-option = unknown option '{ $option }'
    .unknown-option-meant = unknown option '{ $option }'; did you mean '{ $meant }'?
    .missing-engine = '{ $option }' is an option of { $engines }, not available here; remove it
    .other-engine = '{ $option }' is an option of the engine { $engine }, which the job does not use; set ioengine={ $engine } or remove '{ $option }'
    .other-engines = '{ $option }' is an option of the engines { $engines }, none of which the job uses; choose one with ioengine or remove '{ $option }'
    .refused = '{ $setting }' is not supported: { $reason }
    .no-such-engine = unknown engine '{ $engine }'; choose from { $engines }
    .no-such-engine-meant = unknown engine '{ $engine }'; did you mean '{ $meant }'?
    .bad-value = '{ $setting }': { $problem }
    .bad-value-example = '{ $setting }': { $problem }; try { $example }
    .bad-value-meant = '{ $setting }': { $problem }; did you mean '{ $meant }'?
    .no-room-for-header = '{ $setting }' needs { $header } bytes for a header in each block, but the largest block size that divides all I/Os is { $block }; choose I/O sizes (bs, blockalign, verify_interval) with a larger common divisor
    .region-too-small = '{ $setting }' is { $region }, less than one I/O of { $block } (bs); increase { $option } or reduce bs
    .beyond-device = '{ $setting }' begins at { $offset }, beyond the end of the device at { $capacity }; reduce it
    .too-many-files = '{ $setting }' makes more than { $max } files, counting those of all clones; reduce it
    .zones-too-long = the zones of '{ $setting }' add up to { $zones }, but the region has { $region }; make them shorter or increase size
    .block-empty = '{ $setting }' makes I/Os of 0 bytes; try a size such as bs=4k
    .no-such-job = '{ $setting }' waits for a job that does not exist; name one that comes before this job
    .contradicts = '{ $setting }' contradicts '{ $other }', which is set too; keep one of the two
    .needs = '{ $setting }' needs '{ $other }'; add it
    .trims-file = '{ $setting }' trims, but { $path } is a file, and only block devices can be trimmed; name a device with filename, or write

# What is wrong with a job as a whole.
# $recording: the path, with the line where there is one
jobs-problem-of-job =
    .size-missing = it is unknown how much of the file to use; add size, for example size=1G
    .no-room-for-header = its blocks of { $block } bytes are too small for a header of { $header } bytes
    .region-too-small = its region of { $region } is smaller than one I/O of { $block } (bs)
    .file-missing = { $path } does not exist, and allow_file_create=0 prevents its creation; create the file or remove allow_file_create
    .nothing-to-verify = { $path } does not exist or is empty; verify_only has nothing to check
    .too-short-to-verify = { $path } has { $len } bytes, but verify_only checks up to { $end }; write it with the same job without verify_only, or reduce size
    .bad-recording = recording { $recording }: { $problem }
    .replay-writes = the recording writes to { $path }, which exists and is not named in the job; name it with filename={ $path } if it may be overwritten, or redirect the replay with replay_redirect or directory
    .not-a-directory = { $path } is not a directory; create it first or choose another with directory
    .not-a-file = { $path } is { $kind }; name a file or a block device with filename, or a directory with directory
    .trims-file = it trims, but { $path } is a file, and only block devices can be trimmed
    .block-empty = its I/Os have 0 bytes; try a size such as bs=4k
    .too-many-files = the clones of all jobs up to this one use more than { $max } files; reduce numjobs or nrfiles
    .no-such-job = the job to wait for does not exist
    .contradicts = its settings contradict '{ $other }'
    .needs = it needs '{ $other }'
    .unknown-option = one of its options does not exist
    .engine-unfit = an option does not fit its engine
    .beyond-device = its region begins beyond the end of the device
    .zones-too-long = its zones are longer than its region

# What stands under a name.
jobs-file-kind =
    .file = a file
    .directory = a directory
    .character-device = a character device
    .pipe = a pipe
    .socket = a socket
    .unknown = not a file

# What is wrong with a recording that is to be replayed.
jobs-recording =
    .unreadable-here = recordings cannot be read here
    .nothing-replayed = it has no I/O to replay
    .trims-file = it trims { $path }, but only block devices can be trimmed; name one with replay_redirect, or skip trims with replay_skip=trim

# What became of a setting that is accepted and does not do all that its name says. $setting: as written.
jobs-remark =
    .at = { $place }: '{ $setting }': { $remark }
    .read-as = read as '{ $plain }'
    .needs-sqthread-poll = needs sqthread_poll=1, and is ignored without it
    .needs-hipri = needs hipri=1, and is ignored without it
    .no-cache = changes nothing: this engine moves no data
    .no-content = checks nothing: the engine { $engine } keeps no data
    .verify-state-load = has no effect on a job that writes, as in fio; add verify_only=1
    .verify-interval = does not divide the sizes of all I/Os, and has no effect, as in fio
    .no-threads = changes nothing: jobs on a simulated drive have no threads
    .needs-strided = has no effect without zonemode=strided, as in fio
    .needs-runtime = needs a time to run, such as runtime=30, and is ignored without one
    .needs-thinktime = says how to pause, and is ignored without thinktime
    .needs-latency-target = says how to search for a depth, and is ignored without latency_target
    .needs-flow = says how to keep a flow, and is ignored without flow
    .needs-steadystate-duration = needs steadystate_duration, such as ss_dur=30, and is ignored without it

# Why a setting of a job is refused, and what to do instead.
jobs-refused =
    .one-direction = with this engine an I/O is a file and has one direction, under which its figures are shown; choose read or write
    .only-writes = ftruncate sets the length of a file, which fio counts as a write; choose write or randwrite
    .one-length = with this engine an I/O is a file and counts as one bs; give bs one size
    .no-content = this engine moves no data, so nothing can be checked; remove it
    .no-sync = this engine moves no data that could be made durable; remove it
    .no-blocks = this engine moves no blocks; remove it, or use an engine that does
    .nothing-left = the files are removed after the first loop, and the next loops need their content; remove it, or only write
    .only-files = this engine works only on files; name a file
    .no-drive = this engine uses no drive; remove it
    .unaligned-range = the lengths of a bsrange are multiples of its smallest; choose a small one, such as 512-64k

# Why an option is not supported, and what to do instead.
jobs-option =
    .bs-is-seq-rand = sizes belong to directions; write one job for sequential and one for random I/O
    .cuda = memory of graphics cards is not supported; use malloc
    .serialize-overlap = I/Os overlap only where blocks repeat; remove norandommap, or use iodepth=1
    .uncached = it needs Linux 6.14 and a file system that supports it; use direct=1
    .priority = I/Os of a job share one priority; use two jobs, each with its own prioclass and prio
    .lockfile = files are not locked; use stonewall to run jobs that must not overlap one after the other
    .opendir = files of a directory must be named; use filename
    .filetype = the type of a target is detected when it is opened
    .file-append = I/O at the end of a file is not supported; set offset to the length of the file
    .foreign = its engine is not available here
    .rwmixcycle = fio has dropped it; the mix is drawn for each I/O
    .rw-sequencer = using an offset again at once measures a cache; write rw without a suffix
    .atomic = few drives support it (Linux 6.11); direct=1 writes the same without it
    .percentage-sequential = fio has dropped it; use percentage_random
    .random-sequence-stride = random offsets are drawn one by one; choose a grid with blockalign
    .num-range = a trim covers one range; use a larger bs
    .end-syncfs = it would wait for the writes of other programs too; use end_fsync=1
    .sync-file-range = it leaves data in the drive's cache, so nothing is durable; use fdatasync=N
    .write-barrier = Linux has had no barrier writes since 2.6.37; use fsync
    .write-hint = few drives support hints of how long data lives, and others ignore them silently
    .placement = data placement needs a drive with FDP or streams, and NVMe commands past the block layer
    .sprandom = this preconditioning is not supported; write the drive once in order and then twice at random (loops=2)
    .profile = fio's built-in profiles are not supported; `cardiograph check` has its own suites
    .log-store-compressed = logs are text; compress them with gzip afterwards
    .priohint = priority hints need Linux 6.5 and a drive with command duration limits; use prio
    .lockmem = a job does not shrink the page cache; use `systemd-run --scope -p MemoryMax=...`
    .cgroup = jobs do not create control groups; start the program with `systemd-run --scope -p IOWeight=...`
    .merge-blktrace = blktrace traces are not merged here; merge them with fio's --merge-blktrace-only
    .block-error-percentiles = it is for raw flash (MTD), which is not tested here
    .ramp-size = the ramp before the measurement is set by time; use ramp_time
    .trim = blocks are not trimmed between the writes of a job with verify
    .header = the header of each block already contains everything needed to check it
    .zbd = zoned block devices have their own rules, which are not supported; conventional drives need none

# Why an option that is accepted changes nothing.
jobs-hint =
    .bs-unaligned = it has no effect on I/Os of one size, as in fio
    .userspace-reap = completions are always reaped in the fastest way
    .libaio-vectored = a list of one buffer and that buffer are the same I/O to the drive
    .unique-filename = only clients of an fio server have names made unique
    .softrandommap = the order of blocks needs no map, so none can fail
    .thread = clones are always threads
    .threads = fio accepts it and ignores it too; numjobs is the number of clones
    .dropped = it has no effect in fio either, which has dropped it
    .log-entries = logs are written while the job runs and need no reserved memory
    .log-compression = logs are written as they come; nothing is held that could be compressed
    .comm = the workers are threads with their own names
    .clocksource = the clock is chosen and checked at the start, and named in the result
    .gtod-cpu = reading the clock costs too little here to need its own CPU
    .job-start-clock-id = the start of a job is given by the system's clock
    .verify-async = blocks are checked by the job's own thread; use more jobs where that is too slow

# Why an engine is not supported, and what to use instead.
jobs-engine =
    .commands = it sends commands to the drive past the kernel's block layer; use io_uring
    .ceph = it needs the libraries of Ceph; map the image with `rbd map` and use io_uring on the device
    .gluster = it needs the libraries of Gluster; mount the volume and use psync
    .rdma = it measures a network of RDMA adapters, not a drive
    .ime = it needs the libraries of DDN's Infinite Memory Engine; mount the storage and use psync
    .pmem = it needs persistent memory and its libraries; make a file system on it and use psync
    .network = it measures a network, not a drive; use iperf3
    .other-system = it belongs to another operating system; use libaio or io_uring
    .fileoperations = use filecreate, filestat or filedelete
    .cpuio = it does no I/O; run stress-ng --cpu N during the test
    .e4defrag = it measures ext4's defragmentation, not the drive
    .splice = it measures pipes more than the drive; use psync
    .external = external engines cannot be loaded
    .exec = it does no I/O; use exec_prerun, or start the program during the test
    .http = it measures a service over a network, not a drive
    .nfs = mount the export and use psync
    .nbd = attach it with nbd-client and use io_uring on the device
    .hadoop = it needs the libraries of Hadoop
    .iscsi = attach it with open-iscsi and use io_uring on the device
    .daos = it needs the libraries of DAOS; mount it with dfuse and use psync
    .cufile = it needs NVIDIA's libraries and cards
    .mtd = it needs devices of the MTD subsystem, which drives are not
    .guasi = fio has dropped it; use libaio or io_uring
