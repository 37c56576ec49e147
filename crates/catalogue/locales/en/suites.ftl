### What suites, their settings and their steps are called.

## Suites: what each does, in a sentence.

suite-quick = Measures reads, writes, durable writes and sustained writes in about a minute, sized to the drive.
suite-cliff = Writes until the drive's fast part is full: its size, the speed after it, and how much of it recovers.
suite-durability = Measures what a durable write costs, by size and method, and whether flushes seem to be ignored.
suite-sd-class = Checks the classes of SD cards (C10, U3, V30, A1, A2): what the card claims and what it keeps, with every try shown.
suite-capacity = Checks whether the drive holds what it claims: by a sample with a stated risk, or over all of the free space.
suite-open-units = Finds how many files can be written at once before a card or stick slows down: its open allocation units.
suite-steady = Preconditions a bare drive and measures its steady state by SNIA's performance test specification. Takes hours.
suite-steady-short = Applies the rule of the suite steady to a small range in a directory, in minutes. It is not the standard's test.
suite-sweep = Repeats one measurement over any axes: block size, depth, jobs, mix, engine, directory, offset, state, scheduler.
suite-apps = Runs real applications: SQLite commits, a log, packages, photos, and as many cameras as the drive keeps up with.
suite-article = Runs the four fixed experiments of a published microSD and SSD comparison, in about four minutes.
suite-dramble = Runs hdparm, dd and iozone as the Raspberry Pi Dramble wiki does for cards, and shows its table.
suite-iot-sd = Runs the ten jobs of a published comparison of cards for small devices, and shows its table.
suite-kdiskmark = Runs the default profile of KDiskMark and CrystalDiskMark: four tests, five loops, about seven minutes.
suite-server-ssd = Runs the six commands of a published comparison of SSDs and RAID controllers for servers, and shows its tables.
suite-ssd-test = Runs fio's example for SSDs on 10 GiB, with the percentiles of a published comparison of A1 and A2 cards.
suite-geerling-2024 = Measures six figures as iozone does, 4K and 1M on 1 GiB: the disk table of many single-board computer reviews.
suite-pibench = Runs the tests behind a public collection of Raspberry Pi storage scores, with a similar score.
suite-rpdiags = Runs the card test of Raspberry Pi Diagnostics, with up to three tries as there, and shows every try.
suite-yabs = Runs the disk test of yabs.sh: random reads and writes at once, four block sizes, about two minutes.
suite-gnome-disks = Runs the benchmark of GNOME Disks on a whole drive, read-only: speed from start to end, and access time.

## Kinds of suites, as headings of lists.

suite-group =
    .checkup = Checkups
    .standard = Standards
    .published = Published test sets

## Settings of suites.

setting-apps =
    .load = Applications to run, of those listed below
    .time = How long each runs, cameras excepted
    .mbit = Bitrate of a camera, in Mbit/s
setting-capacity =
    .proof = sample: enough random places to find a fake; full: all of the free space
    .time = Time limit for writing the sample
    .size = Maximum of the free space, or of the device, to use
    .leftovers = Resume what an interrupted checkup left, or only remove it and restore what it overwrote
setting-cliff =
    .max = Maximum to write; by default a tenth of the capacity
    .idle = How long the drive rests before the last write
setting-open-units =
    .unit = Size of an allocation unit; by default what the drive reports, or else 4M
    .most = Maximum number of units to write in turn, 2 to 64
setting-rpdiags =
    .version = 1: as until July 2024, 64 MiB at QD4. 2: as since then, 256 MiB at QD32
setting-fixed =
    .precondition = bytes to write twice before the first test: an empty drive is faster
setting-steady =
    .test = What each round measures
    .rounds = Maximum number of rounds, 5 or more; a drive that is not steady by then is reported as not steady
    .jobs = Concurrent jobs, for iops and throughput
    .depth = Queue depth of each job, for iops and throughput
    .time = Duration of each measurement
    .max = Maximum to write; by default 5 % of the capacity
setting-sweep =
    .bs = Block sizes
    .depth = Queue depth of each job
    .jobs = Concurrent jobs
    .mix = read, write, randread, randwrite; rw:70 or randrw:70 for 70 % reads
    .engine = Engines (see cardiograph engines)
    .directory = Directories, such as on other file systems; by default where the check runs
    .offset = Where blocks begin, such as 0,512,4k: the cost of misalignment
    .state = Content of the file: fresh (never written), trimmed (and all free space trimmed; needs root), filled (sequentially), random (overwritten at random)
    .scheduler = I/O schedulers of the drive; needs root, restored afterwards
    .show = Tables: iops, bandwidth, mean, p50, p99, p99.9
    .time = Time limit of each measurement
    .size = Size of the files; by default from the write limit, at most 1 GiB
    .max = Maximum to write in all; by default 1 % of the capacity, at most 8.6 GB

## Settings that cannot be used.

setting-unknown = the suite { $suite } has no setting '{ $setting }'; { $hint }
setting-none = the suite { $suite } has no settings; remove --set { $setting }
setting-wrong =
    .zero = --set { $setting }={ $value }: must be greater than 0
    .size = --set { $setting }={ $value }: not a size; try 64M or 2G
    .time = --set { $setting }={ $value }: not a time; try 30s or 2m
    .count = --set { $setting }={ $value }: not a whole number of at least 1
    .range = --set { $setting }={ $value }: not a whole number from { $least } to { $most }
    .whole-mib = --set { $setting }={ $value }: not a size from { $least } to { $most } in whole MiB
    .choice = --set { $setting }={ $value }: unknown value; choose from { $choices }
    .empty = --set { $setting }={ $value }: an item is empty; separate values with commas
setting-sweep-wrong =
    .share = --set { $setting }={ $value }: the share of reads must be 1 to 99
    .no-share = --set { $setting }={ $value }: only rw and randrw take a share of reads
    .block = --set bs={ $value }: block sizes are 512 bytes to { $most }
    .offset = --set offset={ $value }: offsets are at most { $most }
    .engine = --set engine={ $engine }: not an engine that moves data; see cardiograph engines
    .misaligned = --set { $setting }={ $value }: not a multiple of { $unit }, the drive's block size

## Steps, by what they do.

step-read = Sequential read { $block }
step-write = Sequential write { $block }
step-random-read = Random read { $block }
step-random-write = Random write { $block }
step-mix = Sequential mix ({ $reads } reads) { $block }
step-random-mix = Random mix ({ $reads } reads) { $block }
step-depth = { $test } QD{ $depth }
step-jobs = { $test }, { $jobs } jobs
step-try = { $test }, try { $nth }/{ $tries }
step-again = { $test }, try { $nth }
step-with = { $test }, { $setting } { $value }
step-durable = Durable write { $block }
step-sustained = Sustained write { $block }
step-fill = Fill the test file
step-fill-jobs = Fill the files of { $jobs } jobs
step-scatter = Overwrite the file at random
step-zeros = Write zeros { $block } (as dd)
step-buffered-read = Buffered read { $block } (as hdparm -t)
step-file =
    .write = New file, write { $block }
    .rewrite = Same file, rewrite { $block }
    .read = Same file, read { $block }
    .reread = Same file, reread { $block }
step-durability =
    .none = Write { $block } (not durable)
    .sync = Write { $block } ({ $call } each)
    .open = Write { $block } ({ $option })
step-cliff =
    .first = Write the first { $bytes }
    .next = Continue writing from { $from }
    .rest = Write { $bytes } after resting { $idle }
step-capacity =
    .write-places = Write { $block } at random places
    .read-places = Read back { $block } at random places
    .fill = Fill, part { $part } of { $parts }
    .read = Read back, part { $part } of { $parts }
step-gnome-disks =
    .fill = Write the simulated drive
    .read = Read { $block } at { $places } places
step-steady =
    .purge = Empty the drive with TRIM
    .precondition = Write the whole range { $passes } times, { $block } sequential
    .round = Round { $nth }
step-open-units =
    .fill = Write { $units } units one after another
    .run =
        { $units ->
           [one] Write { $block } (one unit after another)
          *[other] Write { $block } ({ $units } units in turn)
        }
step-app =
    .sqlite-wal = SQLite commits, write-ahead log
    .sqlite-rollback = SQLite commits, rollback journal
    .log-fsync = Log, each line durable
    .unpack = Packages, unpacked and read
    .photos = Photos, imported and viewed
    .cameras = Cameras recording at once
    .recording = Four cameras for ten minutes
step-cameras =
    { $cameras ->
       [one] 1 camera of { $mbit } Mbit/s
      *[other] { $cameras } cameras of { $mbit } Mbit/s
    }

## Jobs of a job file, in fio's words.

step-job =
    .of = { $job }: { $kind } { $block } QD{ $depth }
    .up-to = { $job }: { $kind } up to { $block } QD{ $depth }

## Applications

app-summary =
    .sqlite-wal = Commits sensor readings to an SQLite database with a write-ahead log (synchronous=FULL).
    .sqlite-rollback = Commits sensor readings to an SQLite database with a rollback journal, SQLite's default (synchronous=FULL).
    .log-fsync = Appends lines to a log and makes each durable (fdatasync) before the next.
    .unpack = Unpacks packages of small files as a package manager does (write, fsync, rename), and reads them back from the drive.
    .photos = Imports photos of 5 to 25 MB, makes each durable, and reads them back from the drive.
    .cameras = Records several cameras at once; each second of video must be durable before the camera's buffer is full.

## Parts of applications.

app-part =
    .commits = commits
    .import = import
    .lines = lines
    .read = read
    .record = record
    .unpack = unpack
    .view = view
