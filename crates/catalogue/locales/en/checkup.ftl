### What a checkup says while it works and when it fails. Errors are phrases without a capital or a full stop; notes are sentences.

# An error, and what to do about it.
with-advice = { $error }; { $advice }

# Lines that are one error.
several-errors = { $errors }

# What to do about an error of the system.
advice =
    .failing = the drive, its cable or its reader is failing: save what is on it
    .full = the file system is full: make room
    .file-limit = a limit on the length of files was reached (ulimit -f)
    .gone = the drive has gone away
    .read-only = the file system was made read-only, as the kernel does after errors
    .block-size = the drive or its file system refuses this block size with direct I/O
    .other-place = name another place

# $direction: what the I/O did, $length, $offset: in bytes
io-failed = { $direction } failed: { $error }

io-failed-at = { $direction } of { $length } at { $offset } of the test file failed: { $error }

# $bad, $blocks: how many
verify-failed = verify: { $bad } bad of { $blocks } blocks

# $target: a file, $offset, $length: in bytes, $kind: what is wrong, $expected, $found: contents
verify-failed-first = verify: { $bad } bad of { $blocks } blocks, the first in { $target } at { $offset }, { $length } bytes: { $kind }: expected { $expected }; found { $found }

verify-pattern =
    .offsets = verify=pattern: all writes to a block are equal, so that one that was lost over an earlier one stays unnoticed; pattern_hdr or a checksum tells each write apart
    .equal = verify=pattern: without %o all blocks are equal, so that a write that was lost over an equal block or went to another one stays unnoticed; pattern_hdr or a checksum tells each write apart

engine-failed = an engine failed

# $threads: how many the kernel holds
drive-hung =
    .saved = the drive stopped answering. What was measured until then is saved
    .shown = the drive stopped answering. What was measured until then is shown

drive-hung-held =
    .saved =
        the drive stopped answering. What was measured until then is saved. The kernel still holds { $threads ->
            [one] a thread
            *[other] { $threads } threads
        } of the process that did the I/O: it removes its test files and ends when the drive answers or is unplugged
    .shown =
        the drive stopped answering. What was measured until then is shown. The kernel still holds { $threads ->
            [one] a thread
            *[other] { $threads } threads
        } of the process that did the I/O: it removes its test files and ends when the drive answers or is unplugged

drive-silent = the drive stopped answering. The kernel holds the process that did the I/O: it ends when the drive answers or is unplugged

drives-silent = the kernel did not report about the drives of this machine within five seconds: a drive does not answer; see the kernel's log (dmesg), and name one drive (cardiograph drive /dev/NAME) to leave the others alone
    .named = the kernel did not report about { $path } within five seconds: a drive does not answer; see the kernel's log (dmesg), and name one drive (cardiograph drive /dev/NAME) to leave the others alone

job-file-not-opened = { $path } cannot be opened: { $error }; name another
    .not-permitted = { $path } cannot be opened: { $error }; become root, or a member of the group that it belongs to

# The process that does the I/O, the Agent.
agent-not-started = no process can be started for the I/O: { $error }; see the limits on processes and memory (ulimit -u, ulimit -v)

agent-killed = the process that did the I/O was killed by signal { $signal }
    .bus = the process that did the I/O was killed by SIGBUS: a file that was mapped was cut short, or its drive failed
    .kill = the process that did the I/O was killed by SIGKILL: by somebody, or by the kernel as memory ran out (see its log, dmesg)
    .abort = the process that did the I/O was killed by SIGABRT: it gave itself up, as where memory ran out
    .segmentation = the process that did the I/O was killed by SIGSEGV: an error in this program; please report it

# $status: its exit status
agent-left = the process that did the I/O ended by itself with status { $status }: an error in this program; please report it

# $said: what it said at its end
agent-panicked = the process that did the I/O failed: an error in this program; please report it ({ $said })

# $sent: what is wrong with it
agent-nonsense = the process that did the I/O sent { $sent }: it was ended

frame =
    .too-long = a frame of { $length } bytes, of which { $most } are allowed
    .content = a frame that makes no sense: { $error }
    .version = version { $theirs } of the frames, spoken by { $program }; this is { $ours }
    .not-due = a frame that is not due

# $figures, $latencies: how old they are
agent-died-after = { $how }. Its figures are those of { $figures } before, its percentiles those of { $latencies } before

agent-no-place = no place is open

agent-no-set = no jobs are prepared as set { $set }

logs-late = the logs could not be ended before the time limit: they may be on the same drive

logs-lost = what the jobs logged is lost with that process; logs of earlier runs are as they were

save-late = it could not be saved before the time limit; its place may be on the same drive

signals-not-heard = cannot listen for signals: { $error }

# $step: a title
step-failed = { $step }: { $error }

step-file-unknown = a step names a file that it did not ask for

# Where a checkup takes place.
place-missing = { $path } does not exist; name a directory on the drive

place-not-permitted = no permission to look into { $path }; name a directory that you can write to

place-unusable = { $path }: { $error }

place-not-a-directory = { $path } is not a directory; name a directory on the drive

# $suites: names of suites
place-is-a-device = { $path } is a block device, and the suite { $suite } writes to files only: mount a file system of it and name a directory there; on devices there are: { $suites }

place-too-small = { $path } holds { $length }, and { $needed } are needed: the drive reports a larger capacity than its device has; see the kernel's log (dmesg)

# $models: names of those that are shipped
place-no-model = no simulated drive is called '{ $model }', and it cannot be read as a file ({ $error }); shipped are: { $models }

place-bad-model = { $model }: { $error }

# $margin: what is left free, all in bytes
place-no-room = { $path } has { $available } free; the checkup needs { $needed } for test files and leaves { $margin } free: make room, or name another directory on the drive

place-no-room-beforehand = the file system of { $path } makes no room for a file before it is written, so that a sample would not reach all of the drive; --set proof=full writes all of it

# $kind: of the file system
place-memory = { $path } lies in memory ({ $kind }), not on a drive; name a directory on the drive

place-unidentified = { $error }
    .list = { $error }; `cardiograph drive` lists the drives of this machine

place-no-trim = only the free space of a file system can be trimmed; name a directory on it

# Test files that could not be made. $length: in bytes
create-device = { $path } is a device; mount it and name a directory there

create-not-permitted = no permission to make a file in { $path }; name a directory that you can write to

create-read-only = { $path } lies on a file system that is mounted read-only; mount it read-write, or name another directory

create-no-room = { $path } has no room for a test file of { $length }; make room, or name another directory on the drive

# $reason: which limit there is, and what to do
create-too-long = no test file of { $length } can be made in { $path }: { $reason }

create-failed = no test file can be made in { $path }: { $call }: { $error }

file-limit =
    .vfat = its file system, vfat, holds no file of 4 GiB or more; make size smaller, spread it over several files (nrfiles), or make another file system there (exfat, ext4)
    .other = that is over a limit on the length of files (ulimit -f, or the file system's); make size smaller

# Suites and settings of a checkup.
suite-unknown = no suite is called '{ $suite }'; there are: { $suites }

suite-no-precision = --precision: the steps of the suite { $suite } end by time or size, whatever is known by then; those of --suite { $suites } end by precision

# $notes: why the suite does nothing here
suite-does-nothing = { $path }: { $notes }

resume-not-possible = --resume: what the suite { $suite } finds depends on what was done just before, so it begins anew; sweep can be resumed, and capacity resumes automatically

resume-not-found = --resume: no interrupted checkup { $suite } of this drive with these settings is saved in { $path }; leave --resume out

resume-note =
    .failed =
        { $measurements ->
            [one] 1 measurement
            *[other] { $measurements } measurements
        } of a checkup that failed { $measurements ->
            [one] is
            *[other] are
        } taken over.
    .interrupted =
        { $measurements ->
            [one] 1 measurement
            *[other] { $measurements } measurements
        } of a checkup that was interrupted { $measurements ->
            [one] is
            *[other] are
        } taken over.

begin-note =
    .buffered = Measured through the page cache (--buffered): these are the system's figures, not the drive's.
    .no-counters = The kernel's counters for the drive cannot be read here, so no figure was checked against them.

app-not-recorded = the load { $load } was not recorded, so no simulated drive can run it

app-failed = { $load } failed: { $error }

# $error: what was not removed, and why
app-stays = The test directory stays: { $error }; the next checkup here removes what is left, or remove it by hand.

# Leftovers of runs that were killed or interrupted.
cleaned-removed = Removed { $path }, left behind by a run that was killed.

# $path: what stays, $reason: why
cleaned-stays = { $path } ({ $reason })
    .unseen = whatever is in { $path }, which cannot be read ({ $reason })

# $stays: what was not removed, with the reason
cleaned-by-hand = Not removed: { $stays }; look at it and remove it by hand.

cleaned-all = No test file was left behind.

cleaned-left = Left behind: { $stays }. The next run here tries to remove it again; otherwise remove it by hand.

not-removed = not removed: { $stays }

files-not-removed = { $path }: could not be removed: { $error }

# $length: in bytes
parts-resumed = { $length } of an interrupted checkup are resumed.

parts-others = An interrupted check of the capacity left { $length } here; check --suite capacity --set leftovers=remove removes it.

# $files: how many, $length: in bytes
parts-stay =
    { $files ->
        [one] 1 file with what was written ({ $length }) stays
        *[other] { $files } files with what was written ({ $length }) stay
    }: the same command resumes behind them, and --set leftovers=remove removes them.

parts-stay-on-device = { $length } of the device stay filled: the same command resumes behind them.

leftovers-none = No interrupted checkup has left anything here.

leftovers-would-remove = Would remove { $length } that an interrupted checkup left.

leftovers-removed =
    Removed { $files ->
        [one] 1 file
        *[other] { $files } files
    } that an interrupted checkup left ({ $length }).

leftovers-would-restore = Would restore what an interrupted checkup overwrote and nobody has written over since.

leftovers-would-forget = Would forget which parts an interrupted full proof has filled.

leftovers-forgotten = Forgot what an interrupted full proof had filled; the device holds it until it is written over.

# What is on a device, saved and restored.
originals-no-room = what is on the device would be saved in { $path }, which has { $free } free; { $needed } are needed, and { $margin } stay free: make room, or name another directory with XDG_DATA_HOME; nothing was written to the device

originals-in-memory = What is on the device is saved in memory ({ $path }): a power cut would lose it.

originals-not-saved = what is on the device cannot be saved in { $path }: { $error }; nothing was written to the device (XDG_DATA_HOME names another directory)

originals-not-read = what is on the device cannot be saved: { $error }; nothing was written to it

originals-no-place = what is on the device cannot be saved: there is neither XDG_DATA_HOME nor HOME, or the kernel does not report enough of the device to recognise it again; nothing was written to it

# $places: how many were saved
originals-ended =
    { $error }: the sample has { $places ->
        [one] 1 place
        *[other] { $places } places
    }, up to there

originals-kept = What was overwritten is saved in { $path }, and the next check --suite capacity of the device restores it.

proof-not-noted = which parts are filled cannot be written down, so this proof cannot be resumed: { $error }

restoring =
    .own = restoring what was on the device
    .interrupted = restoring what an interrupted checkup overwrote

# $what: what is restored, $share: how much of it is done
restoring-ends-first = { $what }: it is finished before the program ends ({ $share } done)

restoring-begins = Restoring what was on the device. If that is interrupted, { $path } keeps it for the next check.

# Sentences on what became of it. $places: how many
restored-none = Nothing had to be restored.

restored =
    Restored what was at { $places ->
        [one] 1 place
        *[other] { $places } places
    } and read it back.

restored-not-held =
    { $places ->
        [one] 1 place does
        *[other] { $places } places do
    } not hold it.

restored-foreign =
    { $places ->
        [one] 1 place
        *[other] { $places } places
    } that others have written since { $places ->
        [one] stays as it is
        *[other] stay as they are
    }.

restore-stopped = The device stopped answering while what was overwritten was restored.

restore-device-failed = The device failed while what was overwritten was restored.

restore-failed = What was overwritten could not be restored ({ $error }).

restore-again = What was there is saved in { $path }, and the next check --suite capacity of the device tries again.

restore-file-stays = { $path } could not be removed: { $error }.

restore-kept =
    .device-gone = What was there before is saved in { $path }: remove that file if its device is gone.
    .forget = What was there before is saved in { $path }: --set leftovers=remove forgets it.
    .other-device = What was there before is saved in { $path }: it may be about another device of this length.

# $device: a name, $id: its id, $length: in bytes, $file: the journal, $command: what undoes it
journal-originals = Saved originals of { $device } ({ $length }): { $file }
    .command = restored by: { $command }
journal-parts = Filled parts of an interrupted full proof of { $device } ({ $length }): { $file }
    .command = forgotten by: { $command }
journal-absent = a device that is absent, or has another id now: { $id }

# Trimming of free space.
trim-not-installed = fstrim (package util-linux) cannot be started (it is not installed); --set state=fresh is the nearest

trim-not-started = fstrim (package util-linux) cannot be started ({ $error }); --set state=fresh is the nearest

# $said: what fstrim says
trim-failed = the free space cannot be trimmed: { $said }; --set state=fresh is the nearest
    .as-user = the free space cannot be trimmed: { $said }; run it as root, or --set state=fresh is the nearest

trim-silent = it does not say why

# I/O schedulers. $option: the option that asks for one
scheduler-not-read = the scheduler cannot be read: { $path }: { $error }

scheduler-unknown = { $path } has no scheduler '{ $name }'; there are: { $known }

scheduler-needs-root = only root can change the scheduler: { $path }: { $error }; leave { $option } out, or run as root

scheduler-no-drive = no drive is known here whose scheduler could be set; leave { $option } out

scheduler-not-changed = { $path }: the scheduler was not changed: { $error }

# $is, $wanted: names
scheduler-other = it is { $is } and not { $wanted }

scheduler-no-drive-under = ioscheduler={ $name }: no drive is known under { $file }; leave ioscheduler out

scheduler-conflict = ioscheduler={ $name }: another job sets { $other } on the same drive ({ $path }), which holds for the whole run; run the jobs one after the other

# Logs, commands, recordings and verify states of jobs.
log-no-clock = job '{ $job }': log_alternate_epoch_clock_id={ $number }: this machine has no such clock; 0 is the system's

log-trace-shared = job '{ $job }': { $path } is written by something else already; give each job its own write_iolog

# $file: a name, $reason: what is wrong with it
log-trace-name = job '{ $job }': write_iolog: '{ $file }' cannot be recorded: { $reason }; use a name without spaces

# $refused: which file, why, and what to do; $example: an option with a name
log-refused = log file { $refused }, as { $example }

log-not-written = log file { $path }: { $error }; a new one is not complete, an old one is as it was

# $direction: what the I/O did, $offset, $length: in bytes
log-error = job '{ $job }', clone { $clone }: { $path }: { $error }: { $direction } offset={ $offset }, buflen={ $length }

# $option: exec_prerun or exec_postrun
command-no-file = job '{ $job }': no file for what { $option } writes: { $refused }, or start the program in another directory

command-output-lost = { $path }: { $error }; what a command wrote is lost

# $line: the command
command-failed = { $option }={ $line }: { $error }; what it wrote is in { $output }
    .ended = it ended with { $status }

recording-unusable = recording { $path }: { $problem }

recording-problem = { $path }: { $problem }

verify-state =
    .not-read = { $file }: { $error }; run the job that writes with verify in this directory first (verify_state_load=1)
    .no-lengths = { $file }: the lengths of the job's files are known when it starts; leave create_serialize=0 out (verify_state_load=1)
    .damaged = { $file }: not a verify state of version 3, or damaged (verify_state_load=1)
    .other-job = { $file }: it holds writes of another job, or random ones of fio; check with the program and options that left it (verify_state_load=1)
    .foreign = { $file }: not a verify state; it stays, and none is saved

# $error: what is wrong with the job
job-looked-up = { $error } (its files were looked up when it started: create_serialize=0)

jobs-more-errors = there may be more than these { $errors } errors: the others are not shown

# What stands against the files and devices of a run. Lengths are in bytes.
prepare-simulated = job '{ $job }': a simulated drive keeps its own time: run its jobs without those of other engines

prepare-no-target = job '{ $job }': it names a file that is not known

prepare-may-not-create = job '{ $job }': { $path } does not exist, and allow_file_create=0 forbids creating it: create the file, or leave allow_file_create out

prepare-nothing-to-read = job '{ $job }': it reads { $end } of { $path }, which has { $length } and is made when the job begins: leave create_on_open out

# $kind: what it is, as "a directory"
prepare-not-a-file = { $path } is { $kind }; name a file or a block device with filename

file-kind =
    .file = a file
    .directory = a directory
    .character-device = a character device
    .pipe = a pipe
    .socket = a socket
    .other = neither a file nor a device

prepare-no-device = there is no device { $path }; a file among the devices would fill the memory: see lsblk for the right name

# $call: what was tried
prepare-not-permitted = no permission to { $call } { $path }; name a place that you can write to, or become root

prepare-read-only = { $path } lies on a file system that is mounted read-only; mount it read-write, or name another place

prepare-no-room = { $path } needs { $needed } more, and { $free } are free there: make room, or make size smaller

# $reason: which limit there is, and what to do
prepare-too-long = { $path } would have { $length }: { $reason }

prepare-shared = job '{ $job }': unlink_each_loop removes { $path } after each loop, while other clones or jobs use it: give each its own files (leave filename out), or let them wait with stonewall

prepare-in-use =
    .swap = { $path } is not written to: the kernel swaps to it; swapoff it first
    .program = { $path } is not written to: it is a program that runs; name another file
    .loop-device = { $path } is not written to: the loop device on it is in use; unmount it first

prepare-outside = job '{ $job }': it reaches to { $end } of { $path }, which has { $length }: make size or offset smaller

# $align, $bytes: numbers of bytes, $part: an option, or what it is
prepare-misaligned =
    .direct = job '{ $job }': direct I/O on { $path } needs multiples of { $align }, and { $part } is { $bytes }: change it, or set direct=0
    .trim = job '{ $job }': trimming on { $path } needs multiples of { $align }, and { $part } is { $bytes }: change it

prepare-misaligned-tool = direct I/O on { $path } needs multiples of { $align }, and { $bytes } is not one: change it, or leave direct out

misaligned-part =
    .skip = the number of bytes to skip
    .zone = the length of a zone or of the gap behind it

# $uses: what uses it
prepare-device-in-use = { $path } is not written to: { $uses }; set it free first, or name another device
    .mounted-write = { $path } is not written to (allow_mounted_write does not change that): { $uses }; set it free first, or name another device

# $part: a device or a partition
device-use-mounted = { $part } is mounted at { $path }

device-use-swap = { $part } is swap

device-use-holder = { $holder } is built on { $part }

# $of: an array, a pool, a volume group
device-use-member = { $part } bears the mark of { $of }

device-use-open = another program holds it open exclusively

device-use-read-only = the kernel calls it read-only

# $content: what is on it, $id: its id
prepare-needs-consent =
    .lost = job '{ $job }': it writes to the device { $path } ({ $content }), and all that is on it would be lost: if you want that, add --allow-destroy={ $id } or { $variable }={ $id }
    .restored = job '{ $job }': it writes to the device { $path } ({ $content }), and restores what it overwrites; a drive that fails or does not hold what it claims can lose some of it: if you want that, add --allow-destroy={ $id } or { $variable }={ $id }

consent-question =
    .lost = Everything on { $path } ({ $content }) will be destroyed.
    .restored = Places all over { $path } ({ $content }) will be overwritten, and restored at the end. A drive that fails or does not hold what it claims can lose some of it.

# $id: what a person types
consent-prompt = Type its id, { $id }, to continue; anything else ends here:

# $name: a device or a partition, $length: in bytes, $signatures: what was found on it
device-part = { $name } of { $length }
    .signed = { $name } of { $length } with { $signatures }

# $error: why
prepare-layout = laying out { $path }: { $error }

prepare-failed = cannot { $call } { $path }: { $error }

call =
    .open = open
    .look-at = look at
    .find-length = find the length of
    .find-users = find the users of
    .make = make
    .list = list
    .write = write
    .set-length = set the length of
    .make-room = make room in
    .sync = sync

# What a reader of the results should know of how the files were prepared.
prepare-note-made-before = Job '{ $job }': { $files } of its { $all } files already exist: opening them is measured, not making them.

prepare-note-unwritten = { $unwritten } of the { $read } that are read of { $path } were never written: such reads do not reach the drive, and look too fast.

prepare-note-continued = { $path } was { $from } long and was extended to { $to }; what lay in it before still does.

prepare-note-no-direct = The file system of { $path } cannot bypass its cache: direct=1 may measure the cache, not the drive.

# $others: how many files
prepare-note-others =
    The same holds for { $others ->
        [one] 1 other file
        *[other] { $others } other files
    }.

output-late = the output could not be ended before the time limit: it may be on the same drive

recording-missing = no such file
recording-not-regular = it is not a regular file, and it is read twice; copy it to a regular file first
recording-line = line { $line }: { $problem }
