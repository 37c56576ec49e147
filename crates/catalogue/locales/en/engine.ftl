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
run-no-such-engine = unknown engine '{ $engine }'; choose from { $engines }

run-engine-unavailable = engine '{ $engine }' is not available here: { $reason }

# $simulated, $real: names of engines
run-mixed-time = a run cannot mix simulated and real engines ('{ $simulated }' and '{ $real }')

run-not-permitted = job '{ $job }' has no permit to write to '{ $target }'

run-no-commands = job '{ $job }' has exec_prerun or exec_postrun, which only `cardiograph fio` and `cardiograph run` support: remove them

# $end: how far it would read, $filled: how much was written, in bytes
run-reads-unwritten = '{ $job }' would read { $end }, but only { $filled } was written: a write that filled the test file was incomplete

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
    .io-uring-missing = the kernel has no io_uring (added in Linux 5.1), or a container's rules hide it
    .io-uring-forbidden = io_uring is forbidden here (kernel.io_uring_disabled, or a container's rules)
    .io-uring-old = the kernel's io_uring is older than Linux 5.11
    .io-uring-mute = the kernel's io_uring cannot report what it supports
    .io-uring-lacks = the kernel's io_uring lacks read, write or fsync
    .aio-missing = the kernel has no asynchronous I/O (CONFIG_AIO), or a container's rules hide it; use io_uring, or psync with more clones
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
engine-simulated-too-long = a simulated drive stores at most { $most } for jobs with verify, and { $length } is needed; reduce size

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
app-no-such-load = unknown load '{ $load }'; choose from { $loads }

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

## Engines, those of fio that are not supported included

engine-psync = pread and pwrite, one at a time
engine-sync = lseek, read and write, one at a time
engine-vsync = lseek, readv and writev; adjacent requests of a batch (iodepth_batch) become one call
engine-pvsync = preadv and pwritev, one at a time
engine-pvsync2 = preadv2 and pwritev2, one at a time
engine-libaio = many requests in flight through Linux native asynchronous I/O
engine-io_uring = many requests in flight through rings shared with the kernel
engine-posixaio = many requests in flight through the C library's threads
engine-mmap = copies to and from a mapping of the file, one at a time
engine-filecreate = creates files; moves no data
engine-filestat = looks up files; moves no data
engine-filedelete = deletes files; moves no data
engine-dircreate = creates directories; moves no data
engine-dirstat = looks up directories; moves no data
engine-dirdelete = deletes directories; moves no data
engine-falloc = allocates and frees space in files; moves no data (writes extend a file, reads keep its length, trims free space)
engine-ftruncate = sets the length of files; moves no data (each write sets it to its offset)
engine-null = no I/O: the overhead of the program itself
engine-sim = a simulated drive in simulated time; not an engine of fio
engine-fileoperations = creates, looks up and deletes files
engine-io_uring_cmd = NVMe commands through io_uring
engine-sg = SCSI commands through the generic driver
engine-xnvme = NVMe commands through xNVMe
engine-libblkio = I/O through libblkio
engine-libzbc = zone commands through libzbc
engine-cpuio = keeps a CPU busy
engine-e4defrag = moves the extents of a file on ext4
engine-splice = splice and vmsplice
engine-external = an engine loaded from a file
engine-exec = runs another program
engine-net = sends and receives over a network
engine-netsplice = sends and receives over a network with splice
engine-rdma = memory and messages over RDMA
engine-librpma_apm = persistent memory over RDMA, appliance method
engine-librpma_apm_client = persistent memory over RDMA, appliance method, client
engine-librpma_apm_server = persistent memory over RDMA, appliance method, server
engine-librpma_gpspm_client = persistent memory over RDMA, general-purpose method, client
engine-librpma_gpspm_server = persistent memory over RDMA, general-purpose method, server
engine-rados = objects of a Ceph cluster
engine-rbd = images of a Ceph cluster
engine-gfapi = a Gluster volume, one I/O at a time
engine-gfapi_async = a Gluster volume, many I/Os in flight
engine-http = objects over WebDAV, Swift or S3
engine-nfs = NFS through libnfs
engine-nbd = a network block device through libnbd
engine-libhdfs = files on Hadoop
engine-libiscsi = an iSCSI target through libiscsi
engine-dfs = the file system of DAOS
engine-libcufile = transfers between storage and GPU memory
engine-libpmem = persistent memory as a mapped file
engine-dev-dax = persistent memory as a device
engine-pmemblk = persistent memory as blocks
engine-mtd = raw flash without a controller
engine-ime_psync = Infinite Memory Engine, one I/O at a time
engine-ime_psyncv = Infinite Memory Engine, with lists of buffers
engine-ime_aio = Infinite Memory Engine, many I/Os in flight
engine-windowsaio = many I/Os in flight, on Windows
engine-solarisaio = many I/Os in flight, on Solaris
engine-guasi = many I/Os in flight, through the GUASI library

## Verification: expected and found content of a block

# $offset: in bytes; $number: of a write, from 0; $write: as below
verify-block = the block of offset { $offset }
    .not-before = the block of offset { $offset }, write { $number } or a later one
    .of-write = the block of offset { $offset }, { $write }

verify-write = write { $number }
    .of-worker = write { $number } of worker { $worker } of this run
    .of-other-run = write { $number } of another run

verify-content =
    .zeros = zeros
    .other = other content
    .checksum = content with { $checksum } { $value }

verify-header =
    .kind = a block of kind { $kind }
    .kind-named = a block of kind { $kind } ({ $checksum })
    .length = a block of { $bytes } bytes
    .magic = magic { $value }
    .checksum = header checksum { $value }
    .supported = a header of fio 3.33
    .newer-fio = a block written by a newer fio, whose header is not supported

# $content, $write: one of the above
verify-torn =
    .whole = { $content } in the whole block
    .one-write = one write in the whole block
    .from = { $content } from byte { $byte } on
    .no-header = no header, and { $write } from byte { $byte } on
    .pattern = other content, and the pattern from byte { $byte } on

verify-pattern-content = the pattern
    .at = the pattern of offset { $offset }

# $value: a byte in hexadecimal
verify-byte = { $value }
    .at = { $value } at byte { $byte } of the block
    .at-in = { $content }: { $value } at byte { $byte } of the block
    .flipped =
        { $value }; { $bits ->
            [one] { $bits } bit differs
            *[other] { $bits } bits differ
        } in the block
    .differs = { $value }; { $bits } bits differ in the block (a pattern does not show which write this is)

verify-length = { $bytes } bytes

# $found: one of the above
verify-dump = { $found }; saved as { $files }
    .failed = { $found }; it could not be saved in a file: { $error }
