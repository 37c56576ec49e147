### What is noted before, during and after a checkup.

## How much may be written.

note-budget =
    .drive = At most { $bytes } may be written: { $share } of the drive's { $capacity }.
    .file-system = At most { $bytes } may be written: { $share } of the file system's { $size }, because the drive's capacity is unknown.
    .unknown = At most { $bytes } may be written: the drive's capacity is unknown.
    .asked = At most { $bytes } may be written, as requested.
    .limit = At most { $bytes } may be written: the limit for any drive.
    .room = At most { $bytes } may be written: { $free } is free, and { $margin } must stay free.
    .no-room = Nothing can be written: { $free } is free, and { $margin } must stay free.
    .zeros = Up to half of that is zeros, with which { $file_system } fills new files.
note-zeros = { $file_system } fills new files with zeros: another { $bytes } is written.
note-more =
    .room = More free space allows more.
    .setting = --set max=SIZE allows more.

## What fits instead.

note-instead =
    .quick = --suite quick fits.
    .on-file-system = --suite quick fits a file system on it.
    .none = --suite quick does not fit either.
note-quick-needs =
    .drive = It needs a drive that holds { $bytes }.
    .free = It needs { $bytes } of free space.
    .file-system = It needs a larger file system, with { $bytes } free.
    .writes = It needs { $bytes } to write.

## Time limits.

note-time =
    .too-short = { $limit } is too short: no step takes less than { $least }.
    .left-out = To fit into { $limit }, steps are shorter, and these are left out: { $steps }.
    .shorter = Steps are shorter than usual, to fit into { $limit }.

## Suites with fixed steps.

note-fixed =
    .preconditioned = First, { $bytes } are written { $passes } times: an empty drive is faster. The original: { $state }.
    .preconditioning = Drive written over first in the original: { $state }. An empty drive is faster; --set precondition=SIZE writes SIZE first.
    .buffered = Buffered, as requested: the original bypasses the page cache.
    .free-space = Needs { $bytes } of free space.
    .too-little-room = The suite { $suite } needs { $needed } of free space, and { $usable } can be used here: free some space.
    .cut-off = Its steps are fixed: anything beyond { $limit } is cut off.
note-published =
    .dramble-units = The wiki calls all of these MB/s. hdparm's are MiB/s, and iozone's KiB/s are divided by 1,024. The first is read from a file, while hdparm reads the device from its start.
    .fio-kib = The comparison calls these kB/s: fio 2.0 counted 1,024 bytes to one.
    .fio-mib = The comparison calls these MB/s: fio 2.0.7 counted 2^20 bytes to one.
    .iozone-kib = iozone counts 1,024 bytes to a kB.
    .reviews-passes = Sequential there means the second pass: rewrite and reread. 1 MB there is 2^20 bytes.
    .server-ssd-mkfs = Original: mkfs.xfs -f -b size=4096 -i size=512 -l size=64m; mount -t xfs -o noatime,logbufs=8.
    .yabs-units = The script divides KiB by 1,000: what it calls MB/s is 2.4 % less.
note-server-ssd =
    .file-system = Here: { $made }; mounted -o { $options }.
    .no-file-system = Here: no visible file system.
note-dramble =
    .simulated = A simulated drive has no page cache: dd's blocks reach it as they are, without being merged.
note-pibench =
    .score = (1024 dd + 4 fio read + 10 fio write + read + write + 4 random read + 10 random write) / 100, with dd in MB/s, fio in IOPS and iozone in KiB/s. The original takes dd's number whatever its unit.
note-rpdiags =
    .tries = Ends with the first try that passes, after at most { $tries }.

## The suite quick.

note-quick =
    .too-little = That is too little even for the suite quick.
    .file = Reads use a file of { $bytes }.
    .small-region = The region is only { $bytes }: a cache in the drive may answer for it.
    .nothing-filled = Less than 1 MiB was filled within the time limit: reads and random writes are left out.
    .partly-filled = Only { $filled } of { $planned } was filled within the time limit: reads are limited to that.
    .precision = Steps that measure a rate end when it is known to { $precision }, or after at most { $most }. Sustained writing ends after its usual amount or time.

## The suite apps.

note-apps =
    .page-cache = Applications go through the page cache, as they always do, and request what is to be durable.
    .unknown = --set load={ $load }: unknown application. Choose from { $known }.
    .mbit = --set mbit: at most { $most } Mbit/s.
    .too-little = { $load } needs { $needed } to write; its share of what may be written is { $share }.
    .alone = --set load={ $load } fits alone.

## The suite capacity.

note-capacity =
    .buffered = The suite capacity reads back from the drive, not from the page cache: remove --buffered.
    .claim-unknown = The drive's stated capacity is unknown here.
    .size = --set size={ $size }: too little to say anything about a drive; use { $least } or more.
    .small-device = The suite capacity needs { $needed } of the device, and { $usable } can be used here.
    .little-space = The suite capacity needs { $needed } of free space, and { $usable } can be used here.
    .time-of-full = --set time={ $time }: limits only the sample, but a full proof writes all of the free space; remove it. --set size=SIZE uses less of the space, and an interrupted proof resumes automatically.
    .no-sample = A sample needs all of the free space reserved before it is written, and { $file_system } cannot do that. --set proof=full fits: it writes all of the free space.
    .takes-space = Occupies { $bytes } of free space while it runs.
    .sample = Writes { $block } at { $places } places, for at most { $most }, and reads them back, which takes no longer.
    .saved = The original data there is saved first (at most { $bytes }, on another drive, taking about as long) and restored at the end. A drive that holds less than it claims may still lose some of it.
    .overwrites = Overwrites the whole device and restores nothing; --set proof=sample, the default, restores it.
    .resumed = An interrupted checkup has already filled { $bytes } of it, which is not written again.
    .other-files = { $free } of { $claimed } is free for the test; space occupied by other files cannot be tested. On a fake that wraps around, writing destroys other files, as any write would.

## The suite cliff.

note-cliff =
    .tenth = At most { $bytes } may be written: a tenth of { $capacity }. --set max=SIZE changes that.
    .capacity-unknown = At most { $bytes } may be written: the drive's capacity is unknown. --set max=SIZE changes that.
    .device = At most { $bytes } may be written: an eighth of the drive is not touched.
    .longest-file = At most { $bytes } may be written: { $file_system } holds no file larger than { $longest }.
    .too-little = That is too little: at least { $least } is needed to see a fall-off.
    .life = That is about { $share } of the rated life, judging by what the drive has counted so far.
    .life-unknown = The drive does not report what share of its rated life that is.

## The suite durability.

note-durability =
    .too-little = That is too little: { $steps } steps need { $needed }.
    .cut-off = Its { $steps } steps take at least { $least }: anything that does not fit is cut off.
note-dsync =
    .simulated = O_DSYNC: a write and a flush, because simulated drives have no FUA.
    .write-through = O_DSYNC: a plain write, because the drive reports that its cache keeps nothing back (write through).
    .page-cache = O_DSYNC: a write and a flush, as always through the page cache.
    .no-fua = O_DSYNC: a write and a flush, because the drive has no FUA.
    .unknown = O_DSYNC: one FUA write, or a write and a flush; which of the two cannot be seen here.
    .fua = O_DSYNC: one FUA write.
    .other-file-system = O_DSYNC: one FUA write, which the drive has, if { $file_system } asks for it; otherwise a write and a flush.
    .unknown-file-system = O_DSYNC: one FUA write, which the drive has, if the file system asks for it; otherwise a write and a flush.
    .same = RWF_DSYNC (pwritev2) is the same to the kernel.

## The suite gnome-disks.

note-gnome-disks =
    .bare-drive = The suite gnome-disks reads all over a bare drive, not a file: name the drive's device (see cardiograph drive; reading a device needs root or its group).
    .capacity-unknown = The drive's capacity is unknown.
    .too-small = The drive holds { $holds }, but the samples need { $samples }.

## The suite open-units.

note-open-units =
    .unit = Allocation unit: { $unit }.
    .writes = At most { $bytes } is written, in the longest search.
    .too-little = That is too little for two units.
    .fewer = At most { $most } units are written in turn instead of { $wanted }.
    .part = The first { $bytes } of each unit is written.

## The suite sd-class.

note-sd-class =
    .too-little = That is too little: the classes need at least { $least }.
    .smaller-range = The range of the random tests is { $range } instead of { $wanted }.
    .no-registers = No SD card's registers are visible here: a reader hides them, or it is another kind of drive. All classes are judged.

## The suite steady.

note-steady =
    .one-in-flight = --set { $setting }={ $value }: the test latency runs at QD1; remove it, or choose another test.
    .cut-off = Anything beyond { $limit } is cut off, possibly before a steady state is reached.
    .bare-drive = The suite { $suite } writes the whole of a bare drive several times, as the standard requires; it cannot run in a directory.
    .short-fits = --suite steady-short fits.
    .writes-all = Before the first round the whole drive is written { $passes } times, { $bytes } in all; each round writes for another { $time }.
    .range = The range is { $range }, and a measurement that writes ends after { $bytes }.
    .not-the-standard = The rule for a steady state is SNIA's, but range and times are not: this is not the standard's test.
    .too-little = That is too little: { $rounds } rounds need { $needed }.

## The suite sweep.

note-sweep =
    .nothing-to-read = --set state={ $states }: a new file has nothing to read. Measure it with --set mix=write or randwrite, or use --set state=filled for mixes that read.
    .too-many = { $combinations } combinations are more than { $most }: sweep fewer axes at once.
    .simulated-trim = A simulated drive has no free space to trim; --set state=fresh comes closest.
    .simulated-place = A simulated drive has neither directories nor schedulers: remove them.
    .cut-off = Anything beyond { $limit } is cut off.
    .resumable = Anything beyond { $limit } is cut off; --resume continues there.
    .size-too-short = --set size={ $size }: too small for this sweep, which needs files of { $least } or more.
    .too-little = That is too little for this sweep, which needs files of { $least }.
    .no-room = Files of { $needed } do not fit: --set size=SIZE makes them smaller.
    .filling = Filling the files takes { $bytes }.
    .shorter-files = --set size=SIZE makes them smaller.
    .too-little-each =
        { $measurements ->
           [one] That leaves less than { $least } for the measurement that writes.
          *[other] That leaves less than { $least } for each of { $measurements } measurements that write.
        }
    .measurements =
        { $measurements ->
           [one] 1 measurement on files of { $size }.
          *[other] { $measurements } measurements on files of { $size }.
        }
    .writes-end = Each measurement that writes ends after { $bytes }, or when its time is up.
    .new-files = New files have nothing to read: only writes are measured on them.
    .trims = Before each measurement of a trimmed drive, all free space of its file system is trimmed (fstrim), which may take minutes.
