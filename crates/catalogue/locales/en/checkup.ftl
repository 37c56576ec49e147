### What a checkup says while it works and when it fails. Errors are phrases without a capital or a full stop; notes are sentences.

# An error, and what to do about it.
with-advice = { $error }; { $advice }

# Lines that are one error.
several-errors = { $errors }

# What to do about an error of the system.
advice =
    .failing = the drive, its cable or its reader is failing: save what is on it
    .full = the file system is full: free some space
    .file-limit = the file size limit was reached (ulimit -f)
    .gone = the drive has disappeared
    .read-only = the file system has become read-only, as the kernel does after errors
    .block-size = the drive or its file system refuses this block size with direct I/O
    .other-place = name another path

# $direction: what the I/O did, $length, $offset: in bytes
io-failed = { $direction } failed: { $error }

io-failed-at = { $direction } of { $length } at { $offset } of the test file failed: { $error }

# $bad, $blocks: how many
verify-failed = verify: { $bad } of { $blocks } blocks are bad

# $target: a file, $offset, $length: in bytes, $kind: what is wrong, $expected, $found: contents
verify-failed-first = verify: { $bad } of { $blocks } blocks are bad, the first in { $target } at { $offset }, { $length } bytes: { $kind }: expected { $expected }; found { $found }

verify-pattern =
    .offsets = verify=pattern: all writes to a block are identical, so a lost overwrite goes unnoticed; use pattern_hdr or a checksum to tell writes apart
    .equal = verify=pattern: without %o all blocks are identical, so lost and misdirected writes go unnoticed; use pattern_hdr or a checksum to tell writes apart

engine-failed = an engine failed

# $threads: how many the kernel holds
drive-hung =
    .saved = the drive stopped responding. Results up to then are saved
    .shown = the drive stopped responding. Results up to then are shown

drive-hung-held =
    .saved =
        the drive stopped responding. Results up to then are saved. The kernel still holds { $threads ->
            [one] a thread
            *[other] { $threads } threads
        } of the process that did the I/O: it removes its test files and ends when the drive responds or is unplugged
    .shown =
        the drive stopped responding. Results up to then are shown. The kernel still holds { $threads ->
            [one] a thread
            *[other] { $threads } threads
        } of the process that did the I/O: it removes its test files and ends when the drive responds or is unplugged

drive-silent = the drive stopped responding. The kernel still holds the process that did the I/O: it ends when the drive responds or is unplugged

drives-silent = reading this machine's drives took over five seconds: a drive is not responding; see the kernel log (dmesg), and skip the others by naming one drive (cardiograph drive /dev/NAME)
    .named = reading { $path } took over five seconds: a drive is not responding; see the kernel log (dmesg), and skip the others by naming one drive (cardiograph drive /dev/NAME)

job-file-not-opened = cannot open { $path }: { $error }; name another file
    .not-permitted = cannot open { $path }: { $error }; run as root, or as a member of its group

# The process that does the I/O, the Agent.
agent-not-started = cannot start a process for the I/O: { $error }; check the limits on processes and memory (ulimit -u, ulimit -v)
    .by-another = this program cannot do I/O in a process of its own: only cardiograph itself starts one

agent-killed = the process that did the I/O was killed by signal { $signal }
    .bus = the process that did the I/O was killed by SIGBUS: a mapped file was truncated, or its drive failed
    .kill = the process that did the I/O was killed by SIGKILL: by a user, or by the kernel because memory ran out (see dmesg)
    .abort = the process that did the I/O aborted (SIGABRT), possibly because memory ran out
    .segmentation = the process that did the I/O crashed (SIGSEGV): this is a bug; please report it

# $status: its exit status
agent-left = the process that did the I/O exited with status { $status }: this is a bug; please report it

# $said: what it said at its end
agent-panicked = the process that did the I/O panicked: this is a bug; please report it ({ $said })

# $sent: what is wrong with it
agent-nonsense = the process that did the I/O sent { $sent } and was killed

frame =
    .too-long = a frame of { $length } bytes; at most { $most } are allowed
    .content = an invalid frame: { $error }
    .version = a frame of protocol version { $theirs } from { $program }; this program uses version { $ours }
    .not-due = an unexpected frame

# $figures, $latencies: how old they are
agent-died-after = { $how }. Its figures date from { $figures } earlier, its percentiles from { $latencies } earlier

agent-no-place = no path is open

agent-no-set = no jobs were prepared as set { $set }

logs-late = the logs were not finished within the time limit: they may be on the same drive

logs-lost = the logs of these jobs are lost; logs of earlier runs are unchanged

save-late = the checkup was not saved within the time limit: the store may be on the same drive

signals-not-heard = cannot listen for signals: { $error }

# $step: a title
step-failed = { $step }: { $error }

step-file-unknown = a step names a file that it did not request

# Where a checkup takes place.
checkup-target-missing = { $path } does not exist; name a directory on the drive

checkup-target-not-permitted = no permission to access { $path }; name a directory that you can write to

checkup-target-unusable = { $path }: { $error }

checkup-target-not-a-directory = { $path } is not a directory; name a directory on the drive

# $suites: names of suites
checkup-target-is-a-device = { $path } is a block device, and the suite { $suite } writes only to files: mount its file system and name a directory there; suites for devices: { $suites }

checkup-target-too-small = { $path } holds { $length }, but { $needed } is needed: the drive claims a larger capacity than its device has; see the kernel log (dmesg)

checkup-target-no-model = unknown simulated drive '{ $model }', and no such file can be read ({ $error }); { $hint }

checkup-target-bad-model = { $model }: { $error }

# $margin: what is left free, all in bytes
checkup-target-no-room = { $path } has { $available } free; the checkup needs { $needed } for test files and leaves { $margin } free: free some space, or name another directory on the drive

checkup-target-no-room-beforehand = the file system of { $path } cannot reserve space for a file, so a sample would not reach the whole drive; use --set proof=full to write all of it

# $kind: of the file system
checkup-target-memory = { $path } is in memory ({ $kind }), not on a drive; name a directory on the drive

checkup-target-unidentified = { $error }
    .list = { $error }; `cardiograph drive` lists the drives of this machine

checkup-target-no-trim = only the free space of a file system can be trimmed; name a directory on it

# Test files that could not be made. $length: in bytes
create-device = { $path } is a device; mount it and name a directory there

create-not-permitted = no permission to create a file in { $path }; name a directory that you can write to

create-read-only = { $path } is on a file system that is mounted read-only; remount it read-write, or name another directory

create-no-room = { $path } has no space for a test file of { $length }; free some space, or name another directory on the drive

# $reason: which limit there is, and what to do
create-too-long = cannot create a test file of { $length } in { $path }: { $reason }

create-failed = cannot create a test file in { $path }: { $call }: { $error }

file-limit =
    .vfat = its file system, vfat, does not support files of 4 GiB or more; reduce size, spread it over several files (nrfiles), or use another file system (exfat, ext4)
    .other = this exceeds the file size limit (of ulimit -f or the file system); reduce size

# Suites and settings of a checkup.
suite-unknown = unknown suite '{ $suite }'; { $hint }

suite-no-precision = --precision: the steps of the suite { $suite } have a fixed time or size; suites whose steps can end by precision: { $suites }

# Followed by sentences that say why.
suite-unfit = the suite { $suite } cannot run on { $path }

resume-not-possible = --resume: cannot resume the suite { $suite }: only sweep can be resumed; capacity resumes automatically, and other suites start over, because their results depend on what was done just before

resume-not-found = --resume: no interrupted { $suite } checkup of this drive with these settings is saved in { $path }; run it without --resume

resume-note =
    .failed =
        { $measurements ->
            [one] 1 measurement
            *[other] { $measurements } measurements
        } from a failed checkup { $measurements ->
            [one] is
            *[other] are
        } taken over.
    .interrupted =
        { $measurements ->
            [one] 1 measurement
            *[other] { $measurements } measurements
        } from an interrupted checkup { $measurements ->
            [one] is
            *[other] are
        } taken over.

begin-note =
    .buffered = Measured through the page cache (--buffered): these are the system's figures, not the drive's.
    .no-counters = The kernel's counters for the drive cannot be read here, so figures were not checked against them.

app-not-recorded = no trace of the load { $load } was recorded, so a simulated drive cannot run it

app-failed = { $load } failed: { $error }

# $error: what was not removed, and why
app-stays = The test directory was not removed: { $error }; the next checkup here tries again, or remove it by hand.

# Leftovers of runs that were killed or interrupted.
cleaned-removed = Removed { $path }, left behind by a killed run.

# $path: what stays, $reason: why
cleaned-stays = { $path } ({ $reason })
    .unseen = the contents of { $path }, which cannot be read ({ $reason })

# $stays: what was not removed, with the reason
cleaned-by-hand = Not removed: { $stays }; inspect and remove by hand.

cleaned-all = No test files were left behind.

cleaned-left = Left behind: { $stays }. The next run here tries again to remove it; otherwise remove it by hand.

not-removed = not removed: { $stays }

files-not-removed = { $path } could not be removed: { $error }

# $length: in bytes
parts-resumed = Resuming after { $length } of an interrupted checkup.

parts-others = An interrupted capacity check left { $length } here; to remove it, run check --suite capacity --set leftovers=remove.

# $files: how many, $length: in bytes
parts-stay =
    { $files ->
        [one] 1 file with the data written so far ({ $length }) stays
        *[other] { $files } files with the data written so far ({ $length }) stay
    }: run the same command to resume, or remove them with --set leftovers=remove.

parts-stay-on-device = { $length } of the device stays filled: run the same command to resume.

leftovers-none = No interrupted checkup has left anything here.

leftovers-would-remove = Would remove { $length } left by an interrupted checkup.

leftovers-removed =
    Removed { $files ->
        [one] 1 file
        *[other] { $files } files
    } left by an interrupted checkup ({ $length }).

leftovers-would-restore = Would restore what an interrupted checkup overwrote, except where it has been written since.

leftovers-would-forget = Would discard the progress of an interrupted full proof.

leftovers-forgotten = Discarded the progress of an interrupted full proof; its data stays on the device until it is overwritten.

# What is on a device, saved and restored.
originals-no-room = original data of the device would be saved in { $path }, which has { $free } free; { $needed } is needed, and { $margin } must stay free: free some space, or set XDG_DATA_HOME to another directory; nothing was written to the device

originals-in-memory = The original data of the device is saved in memory ({ $path }): a power cut would lose it.

originals-not-saved = cannot save the device's original data in { $path }: { $error }; nothing was written to the device (XDG_DATA_HOME chooses another directory)

originals-not-read = cannot save the device's original data: { $error }; nothing was written to it

originals-no-place = cannot save the device's original data: neither XDG_DATA_HOME nor HOME is set, or the kernel does not report enough to recognise the device again; nothing was written to it

# $places: how many were saved
originals-ended =
    { $error }: the sample ends after { $places ->
        [one] 1 place
        *[other] { $places } places
    }

originals-kept = The overwritten data is saved in { $path }; the next check --suite capacity of the device restores it.

proof-not-noted = progress cannot be saved, so this proof cannot be resumed: { $error }

restoring =
    .own = restoring the device's original data
    .interrupted = restoring what an interrupted checkup overwrote

# $what: what is restored, $share: how much of it is done
restoring-ends-first = { $what }: the program exits when this is finished ({ $share } done)

restoring-begins = Restoring the device's original data. If this is interrupted, { $path } keeps it for the next check.

# Sentences on what became of it. $places: how many
restored-none = Nothing had to be restored.

restored =
    Restored { $places ->
        [one] 1 place
        *[other] { $places } places
    } and read the data back.

restored-not-held =
    { $places ->
        [one] 1 place does
        *[other] { $places } places do
    } not hold the original data.

restored-foreign =
    { $places ->
        [one] 1 place
        *[other] { $places } places
    } that other programs have overwritten since { $places ->
        [one] stays as it is
        *[other] stay as they are
    }.

restore-stopped = The device stopped responding while its original data was restored.

restore-device-failed = The device failed while its original data was restored.

restore-failed = The original data could not be restored ({ $error }).

restore-again = The original data is saved in { $path }; the next check --suite capacity of the device tries again.

restore-file-stays = { $path } could not be removed: { $error }.

restore-kept =
    .device-gone = The original data is saved in { $path }: remove that file if the device is gone.
    .forget = The original data is saved in { $path }: --set leftovers=remove discards it.
    .other-device = The original data is saved in { $path }: it may belong to another device of this size.

# $device: a name, $id: its id, $length: in bytes, $file: the journal, $command: what undoes it
journal-originals = Saved original data of { $device } ({ $length }): { $file }
    .command = restore with: { $command }
journal-parts = Progress of an interrupted full proof of { $device } ({ $length }): { $file }
    .command = discard with: { $command }
journal-absent = a device that is not connected, or now has another id: { $id }

# Trimming of free space.
trim-not-installed = fstrim (package util-linux) is not installed; --set state=fresh comes closest

trim-not-started = cannot start fstrim (package util-linux): { $error }; --set state=fresh comes closest

# $said: what fstrim says
trim-failed = cannot trim the free space: { $said }; --set state=fresh comes closest
    .as-user = cannot trim the free space: { $said }; run as root, or use --set state=fresh, which comes closest

trim-silent = it gives no reason

# I/O schedulers. $option: the option that asks for one
scheduler-not-read = cannot read the scheduler: { $path }: { $error }

scheduler-unknown = { $path } has no scheduler '{ $name }'; it has: { $known }

scheduler-needs-root = only root can change the scheduler: { $path }: { $error }; remove { $option }, or run as root

scheduler-no-drive = no drive is visible here whose scheduler could be set; remove { $option }

scheduler-not-changed = the scheduler was not changed: { $path }: { $error }

# $is, $wanted: names
scheduler-other = it is { $is }, not { $wanted }

scheduler-no-drive-under = ioscheduler={ $name }: no drive is visible under { $file }; remove ioscheduler

scheduler-conflict = ioscheduler={ $name }: another job sets { $other } on the same drive ({ $path }), and a scheduler applies to the whole run; run the jobs separately

# Logs, commands, recordings and verify states of jobs.
log-no-clock = job '{ $job }': log_alternate_epoch_clock_id={ $number }: this machine has no such clock; use 0 for the system clock

log-trace-shared = job '{ $job }': { $path } is already written by another job or log; give each job its own write_iolog

# $file: a name, $reason: what is wrong with it
log-trace-name = job '{ $job }': write_iolog: cannot record '{ $file }': { $reason }; use a name without spaces

# $refused: which file, why, and what to do; $example: an option with a name
log-refused = log: { $refused }, such as { $example }

log-not-written = log file { $path }: { $error }; a new file is incomplete, an existing one unchanged

# $direction: what the I/O did, $offset, $length: in bytes
log-error = job '{ $job }', clone { $clone }: { $path }: { $error }: { $direction } offset={ $offset }, buflen={ $length }

# $option: exec_prerun or exec_postrun
command-no-file = job '{ $job }': cannot create the output file of { $option }: { $refused }, or start the program in another directory

command-output-lost = { $path }: { $error }; the output of a command is lost

# $line: the command
command-failed = { $option }={ $line }: { $error }; its output is in { $output }
    .ended = it exited with status { $status }
    .killed = it was killed by signal { $signal }

recording-unusable = recording { $path }: { $problem }

recording-problem = { $path }: { $problem }

verify-state =
    .not-read = { $file }: { $error }; first run the job that writes with verify in this directory (verify_state_load=1)
    .no-lengths = { $file }: the file sizes of the job are known only when it starts; remove create_serialize=0 (verify_state_load=1)
    .damaged = { $file }: not a verify state of version 3, or damaged (verify_state_load=1)
    .other-job = { $file }: it records the writes of another job, or random ones of fio; check with the program and options that created it (verify_state_load=1)
    .foreign = { $file }: not a verify state; it is not overwritten, and no state is saved

# $error: what is wrong with the job
job-looked-up = { $error } (file sizes were read when the job started: create_serialize=0)

jobs-more-errors = there may be more errors; only these { $errors } are shown

# What stands against the files and devices of a run. Lengths are in bytes.
prepare-simulated = job '{ $job }': simulated drives run in simulated time; run its jobs separately from those of real engines

prepare-no-target = job '{ $job }': it names an unknown file

prepare-may-not-create = job '{ $job }': { $path } does not exist, and allow_file_create=0 forbids creating it: create the file, or remove allow_file_create

prepare-nothing-to-read = job '{ $job }': it reads { $end } of { $path }, which has only { $length } and is created when the job starts: remove create_on_open

# $kind: what it is, as "a directory"
prepare-not-a-file = { $path } is { $kind }; name a file or a block device with filename

prepare-no-device = { $path } does not exist; a regular file under /dev would fill memory: check the name with lsblk

# $call: what was tried
prepare-not-permitted = no permission to { $call } { $path }; name a path that you can write to, or run as root

prepare-read-only = { $path } is on a file system that is mounted read-only; remount it read-write, or name another path

prepare-no-room = { $path } needs { $needed } more, but only { $free } is free: free some space, or reduce size

# $reason: which limit there is, and what to do
prepare-too-long = { $path } would be { $length } long: { $reason }

prepare-shared = job '{ $job }': unlink_each_loop removes { $path } after each loop while other clones or jobs use it: give each its own files (remove filename), or run them in turn (stonewall)

prepare-in-use =
    .swap = { $path } is used as swap; turn that off first (swapoff)
    .program = { $path } is a running program; name another file
    .loop-device = { $path } backs a loop device that is in use; unmount that first

prepare-outside = job '{ $job }': it reaches { $end } into { $path }, which has only { $length }: reduce size or offset

# $align, $bytes: numbers of bytes, $part: an option, or what it is
prepare-misaligned =
    .direct = job '{ $job }': direct I/O on { $path } needs multiples of { $align }, but { $part } is { $bytes }: change it, or set direct=0
    .trim = job '{ $job }': trimming { $path } needs multiples of { $align }, but { $part } is { $bytes }: change it

prepare-misaligned-tool = direct I/O on { $path } needs multiples of { $align }, and { $bytes } is not one: change it, or remove direct

misaligned-part =
    .skip = the number of bytes to skip
    .zone = the size of a zone or of the gap after it

# $uses: what uses it
prepare-device-in-use = cannot write to { $path }: { $uses }; stop using it first, or name another device
    .mounted-write = cannot write to { $path }, even with allow_mounted_write: { $uses }; stop using it first, or name another device

# $part: a device or a partition
device-use-mounted = { $part } is mounted at { $path }

device-use-swap = { $part } is used as swap

device-use-holder = { $part } is in use by { $holder }

# $of: an array, a pool, a volume group
device-use-member = { $part } is a member of { $of }

device-use-open = another program has opened it exclusively

device-use-read-only = the kernel reports it as read-only

# $content: what is on it, $id: its id
prepare-needs-consent =
    .lost = job '{ $job }': it writes to the device { $path } ({ $content }) and would destroy its contents: to allow that, add --allow-erase={ $id } or { $variable }={ $id }
    .restored = job '{ $job }': it writes to the device { $path } ({ $content }) and restores what it overwrites; a drive that fails or holds less than it claims may lose some of it: to allow that, add --allow-erase={ $id } or { $variable }={ $id }

consent-question =
    .lost = Everything on { $path } ({ $content }) will be destroyed.
    .restored = Places all over { $path } ({ $content }) will be overwritten, and restored at the end. A drive that fails or holds less than it claims may lose some of it.

# $id: what a person types
consent-prompt = Type its id, { $id }, to continue; anything else cancels:

# $name: a device or a partition, $length: in bytes, $signatures: what was found on it
device-part = { $name } of { $length }
    .signed = { $name } of { $length } with { $signatures }

# $error: why
prepare-layout = cannot lay out { $path }: { $error }

prepare-failed = cannot { $call } { $path }: { $error }

call =
    .open = open
    .open-for-writing = open for writing
    .read = read
    .look-at = examine
    .find-length = find the size of
    .find-users = find the users of
    .make = create
    .list = list
    .write = write
    .set-length = set the size of
    .make-room = reserve space in
    .sync = sync

# What a reader of the results should know of how the files were prepared.
prepare-note-made-before = Job '{ $job }': { $files } of its { $all } files already exist: opening them is measured, not creating them.

prepare-note-unwritten = { $unwritten } of the { $read } read from { $path } was never written: such reads do not reach the drive and look too fast.

prepare-note-continued = { $path } was { $from } long and was extended to { $to }; its earlier content was kept.

prepare-note-no-direct = The file system of { $path } cannot bypass its cache: direct=1 may measure the cache, not the drive.

# $others: how many files
prepare-note-others =
    The same applies to { $others ->
        [one] 1 other file
        *[other] { $others } other files
    }.

output-late = the output was not finished within the time limit: it may be on the same drive

recording-missing = no such file
recording-not-regular = not a regular file, which it must be to be read twice; copy it to one first
recording-line = line { $line }: { $problem }
