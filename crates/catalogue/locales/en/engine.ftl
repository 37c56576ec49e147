### Engines and runs: errors are phrases without a capital or a full stop; notes are sentences.

# What an I/O does.
direction =
    .read = read
    .write = write
    .trim = trim
    .sync = sync

# $error: what the system says
cause = { $error }

# $engines: all names
run-no-such-engine = unknown engine '{ $engine }'; known are { $engines }

run-engine-unavailable = engine '{ $engine }' is not available here: { $reason }

# $simulated, $real: names of engines
run-mixed-time = a run cannot mix simulated and real engines ('{ $simulated }' and '{ $real }')

run-not-permitted = job '{ $job }' has no permit to write to '{ $target }'

run-no-commands = job '{ $job }' has exec_prerun or exec_postrun, which only `cardiograph fio` and `cardiograph run` support: remove them

# $end: how far it would read, $filled: how much was written, in bytes
run-reads-unwritten = '{ $job }' would read { $end }, but only { $filled } were written: a write that filled the test file was incomplete

run-wrong-target = engine '{ $engine }' does not support the target of job '{ $job }'

run-direct-refused = the file system does not support direct I/O (O_DIRECT); --buffered measures it anyway, including its cache

run-target-not-opened = cannot open { $target }: { $error }

run-engine-not-opened = cannot open engine '{ $engine }': { $error }

run-no-buffers = cannot allocate { $length } of buffers for '{ $job }' ({ $error }); use smaller blocks or a lower queue depth

run-engine-broke = engine '{ $engine }' failed in worker { $worker }: { $error }

run-worker-lost = worker { $worker } crashed: this is a bug; please report it

run-worker-not-started = cannot start worker { $worker }: { $error }

run-no-heartbeat = cannot start the thread that detects pauses of the program: { $error }

run-seat-refused =
    .nodes = job '{ $job }' cannot use these NUMA nodes ({ $error }): name existing nodes with processors and memory, or remove numa_cpu_nodes and numa_mem_policy
    .priority = job '{ $job }' cannot use this I/O priority ({ $error }); remove prioclass and prio

run-seat-refused-realtime = job '{ $job }' cannot use prioclass=1, prio={ $level } ({ $error }): realtime needs root (CAP_SYS_ADMIN); use prioclass=2, or run as root

run-seat-refused-user = job '{ $job }' cannot run with uid={ $id } ({ $error }): only root (CAP_SETUID) can change the user; run as root, or remove uid

run-seat-refused-group = job '{ $job }' cannot run with gid={ $id } ({ $error }): only root (CAP_SETGID) can change the group; run as root, or remove gid

# Plans that cannot be run; the resolver makes none of them.
plan-wrong-engine = job '{ $job }' cannot run with engine '{ $engine }', which handles files differently

plan-nothing-to-do = job '{ $job }' has nothing to read or write

plan-waits-for-later = job '{ $job }' waits for a job that does not come before it

plan-no-target = job '{ $job }' names a target that was not opened

# $end: how far it reaches, $length: the target's length, both in bytes
plan-behind-the-end = job '{ $job }' reaches byte { $end } of a target of { $length } bytes

plan-two-simulated-drives = job '{ $job }' uses another simulated drive than the jobs before it: they do not share a clock

# Why an engine cannot be used.
engine-probe =
    .thread-sanitizer = ThreadSanitizer does not support the threads of the C library
    .no-posixaio = this 32-bit build does not include it; use libaio
    .no-io-uring = this 32-bit build does not include io_uring
    .no-preadv2 = the kernel has no preadv2 (added in Linux 4.6)
    .io-uring-missing = the kernel has no io_uring (added in Linux 5.1)
    .io-uring-forbidden = io_uring is forbidden here (kernel.io_uring_disabled, or a container's rules)
    .io-uring-old = the kernel's io_uring is older than Linux 5.11
    .io-uring-mute = the kernel's io_uring cannot report what it supports
    .io-uring-lacks = the kernel's io_uring lacks read, write or fsync
    .aio-missing = the kernel was built without asynchronous I/O (CONFIG_AIO); use io_uring, or psync with more clones
    .aio-forbidden = asynchronous I/O is forbidden here (a container's rules); use psync with more clones

engine-probe-io-uring-failed = io_uring_setup failed: { $error }

engine-probe-aio-failed = io_setup failed: { $error }

# Why an engine failed.
engine-locked-memory = the limit on locked memory (ulimit -l) was exceeded

engine-cannot-poll = hipri: this drive cannot be polled for completions: its driver has no poll queues (for NVMe, load nvme with poll_queues=1, so that /sys/block/NAME/queue/io_poll is 1), or its file system does not support it

# $requests: a limit of the kernel
engine-aio-limit = the kernel allows only { $requests } asynchronous requests in all processes together: use a lower queue depth or fewer jobs, or raise the sysctl fs.aio-max-nr

engine-no-such-cpu = sqthread_poll_cpu={ $cpu }: no such CPU

engine-poll-needs-root = sqthread_poll needs root (before Linux 5.13)

engine-no-thp = thp: this kernel has no transparent huge pages

# $most, $length: lengths in bytes
engine-simulated-too-long = a simulated drive stores at most { $most } for jobs with verify, and { $length } are needed; reduce size

# $pages: how many, $kib: length of one in KiB
engine-huge-pages = { $pages } huge pages of { $kib } KiB are needed, but fewer are free: reserve more (/sys/kernel/mm/hugepages/hugepages-{ $kib }kB/nr_hugepages), or use another kind of memory (mem)
    .no-such-length = this kernel has no huge pages of { $kib } KiB: choose another hugepage-size
    .not-permitted = huge pages of shared memory need privileges (CAP_IPC_LOCK, or the group of vm.hugetlb_shm_group): use mem=mmaphuge

engine-nothing-to-replay = there is nothing to replay

engine-no-lengths = the sizes of its files cannot be looked up

engine-processor-limit = the highest processor number is { $last }

engine-defect = this is a bug; please report it

target-replaced =
    .file = something else replaced the file
    .test-file = something else replaced the test file
    .device = something else replaced the device

target-not-a-file = it is not a file

target-not-a-directory = it is not a directory

target-unknown = cannot examine the test file

device-other = { $device } is a different device

device-incomplete = the kernel does not show the number and the size of { $device }

journal-locked = another program has just locked it

journal-other-user = files there would belong to another user

journal-damaged = the journal is damaged there

# $offset: where, in bytes
journal-device-unreadable = cannot read the device at { $offset }: { $error }

# What an engine did otherwise than it was asked to: sentences. $reason: a phrase.
engine-note-died = { $reason }.

engine-note-broke = { $engine } failed during the run: { $reason }.

engine-note-fell-back = { $to } was used instead of { $from }: { $reason }.

engine-note-depth-capped = { $engine } runs one I/O at a time: a queue depth of { $depth } had no effect.

engine-note-buffers = { $engine } ran without registered buffers: { $reason }.

engine-note-not-pinned = '{ $job }' was not bound to the requested CPUs: { $reason }.

# $direction: what the I/O did, $offset: where, in bytes
engine-note-went-on =
    '{ $job }' (clone { $clone }) continued after { $errors ->
        [one] 1 error
        *[other] { $errors } errors
    }, which no figure includes; the first: { $direction } at { $offset }: { $error }.

engine-note-command = The command run after '{ $job }' failed: { $reason }.

engine-note-nice = '{ $job }' did not get niceness { $nice }: { $reason }.

# Applications. $loads: all names
app-no-such-load = unknown load '{ $load }'; known are { $loads }

app-parameter = the load '{ $load }' has no parameter '{ $name }' of { $amount }

# $error: what SQLite says
app-database = SQLite failed on { $path }: { $error }

app-database-journal = the file system does not support the journal mode { $mode }

# $found: what was found instead
app-content = { $path } does not contain what was written: { $found }; the drive lost or changed it: --suite capacity finds out why

app-content-found =
    .chunk = MiB { $number } differs
    .line = line { $number } differs
    .bytes = its { $number } bytes differ

# $verdict: what SQLite says, $found, $readings: how many
app-content-database = integrity check: { $verdict }; { $found } of { $readings } readings found

app-content-blocks = { $changed } of { $blocks } blocks differ

app-directory-removed = other runs would remove it at once

app-lost = the load ended without a result

# Outcomes of a run: phrases.

# $total: how long together, $at: when first, from the start of the run, $cause: why first
paused = paused for { $total } at { $at }: { $cause }
    .several = paused { $times } times, { $total } in total, first at { $at }: { $cause }

# $reached: one of the next
precision-outcome = target { $wanted }: { $reached }

# $known: half the width of the interval, as a share, $time: after which
precision-reached = known to { $known } after { $time }
    .not-narrow = known to { $known } when it ended after { $time }
    .few-ios = known to { $known } when it ended after { $time }, from too few I/Os
    .not-settled = still rising or falling when it ended after { $time }; known to { $known }
    .too-short = known to { $known } when it ended after { $time }, too early to have settled

precision-unknown = precision unknown when it ended after { $time }
    .not-settled = still rising or falling when it ended after { $time }; precision unknown
    .too-short = precision unknown when it ended after { $time }, too early to have settled

replay-time = replayed in { $replayed }
    .recorded = recorded in { $recorded }, replayed in { $replayed }

# $direction: read or write, $recorded, $replayed: latencies
replay-mean = { $direction } mean { $recorded } recorded, { $replayed } replayed

replay-p99 = { $direction } p99 { $recorded } recorded, { $replayed } replayed

# $fact: one of the above
replay-of-job = Job '{ $job }': { $fact }.

# What is wrong with a simulated drive.

# $problem: what a parser says
model-problem =
    .text = line { $line }, column { $column }: { $problem }
    .value = { $field }: { $problem }

# Numbers are shown as they are written.
model-value =
    .empty = must not be empty
    .unshowable = contains characters that cannot be shown
    .only-chain = only 'beyond = "chain"' has it
    .wraps = only allowed on fakes that lose writes: one that wraps stores all of them
    .multiple = { $value } is not a multiple of { $of }
    .range = { $value } is not between { $low } and { $high }
    .entries = has { $entries } entries; 1 to { $most } are allowed
    .shares = the shares add up to { $sum }, not to 1

model-fault =
    .nth = requests are counted from 1: 'nth' cannot be 0
    .range = 'start_bytes' must be less than 'end_bytes'
    .sync = a sync has no position
    .stall = a stall can last at most a day
    .misdirect = 'by_bytes' must be a multiple of 4096
