### The tables of suites.

## Words of several tables.

table-absent =
    .not-run = not run
    .not-measured = not measured
    .not-all-run = only partly run
    .not-tried = not tried
    .nothing-completed = no I/O completed
    .nothing-done = nothing was done
    .nothing-recorded = nothing was recorded
    .too-few-samples = too few samples
table-figure =
    .iops = IOPS
    .bandwidth = Bandwidth
    .mean-latency = Mean latency
    .percentile = Latency p{ $percentile }
table-heading =
    .place = place
    .block = block
    .round = round
    .written = written
    .mean = mean
    .median = median
    .p99 = p99
    .least = min
    .most = max
    .longest = longest
    .slowest = slowest { $window }
table-count = { $count }
table-block = { $block }

## Published test sets: names of rows and columns are the original's own and stay as they are.

table-published =
    .collection = As in the collection
    .comparison = As in the comparison
    .comparison-bandwidth = Bandwidth, as in the comparison
    .comparison-iops = IOPS, as in the comparison
    .crystaldiskmark = As in CrystalDiskMark (best of five)
    .kdiskmark = As in KDiskMark (mean of five)
    .iozone = As in iozone
    .reviews = As in the reviews
    .script = As in the script
    .wiki = As in the wiki
    .disks = As in GNOME Disks
    .diagnostics = As in the diagnostics
table-dramble =
    .card = { $name } { $size }
    .size = { $size }
table-pibench =
    .score = score
table-rpdiags =
    .run = Run { $nth }
    .wanted = Limits there: seq-write 10,000 KiB/s, rand-4k-write 500/s, rand-4k-read 1,500/s.

## The suite gnome-disks.

table-gnome-disks =
    .along = Read speed along the drive
    .place = { $from } to { $to }
    .counts = { $samples } samples, { $accesses } accesses

## The suite apps.

table-apps =
    .title = Application performance
    .commits-wal = SQLite commits, WAL
    .commits-rollback = SQLite commits, rollback
    .lines = log lines, durable
    .unpacked = files unpacked
    .read = files read
    .imported = photos imported
    .viewed = photos viewed
    .pause = pause
    .library = Built-in library: { $library }.
    .units = A pause is the longest time in which nothing was done; MB/s count the user's own data.
table-cameras =
    .title = Simultaneous cameras of { $mbit } Mbit/s
    .heading = cameras
    .in-time = in time
    .latest = latest
    .all = all
    .too-few = too few
    .not-all = not all
    .not-tried = not completed
    .behind = No second was late yet with { $cameras }, but only { $share } of what was due was recorded at the end; { $least } is required.
    .late = With { $cameras }, a second took longer than { $limit } to become durable.
    .nothing = With { $cameras }, nothing was recorded.
    .kept =
        { $cameras ->
           [one] 1 camera of { $mbit } Mbit/s is recorded in time
          *[other] { $cameras } cameras of { $mbit } Mbit/s are recorded in time
        } (each second durable within { $limit }, for { $trial }); { $missed } are not.
    .kept-at-least =
        { $cameras ->
           [one] At least 1 camera of { $mbit } Mbit/s is recorded in time
          *[other] At least { $cameras } cameras of { $mbit } Mbit/s are recorded in time
        } (each second durable within { $limit }, for { $trial }); more were not tried.
    .missed =
        { $cameras ->
           [one] Not even 1 camera of { $mbit } Mbit/s is recorded in time
          *[other] Not even { $cameras } cameras of { $mbit } Mbit/s are recorded in time
        } (each second durable within { $limit }, for { $trial }).
    .unknown = No number of cameras was tried to completion.

## The suite capacity.

table-capacity =
    .title = Speed over the capacity
    .place = { $from } to { $to }
    .read-back = read back
    .wrong-blocks = wrong blocks
    .not-written = not written
    .written-before = written by an earlier checkup
    .not-read-back = not read back
    .no-second = shorter than a second, longer than hours, or not written now
    .order = Places are in the order of writing; the file system chooses where they are on the drive.

## The suite cliff.

table-cliff =
    .title = The drive's fast part
    .row = sequential write
    .fast-part = fast part
    .fast = fast
    .behind = after it
    .back = recovered in { $idle }
    .uncertain = Writing ended soon after the fall-off: the speed after it is less certain.
    .all-back = It was still fast after writing as much as the fast part holds.
    .too-little = too little was written to tell; --set max=SIZE writes more
    .no-fall = no fall-off in the first { $bytes }
    .stopped = Stopped early: the speed may fall off after this.
    .speeds = Speed by amount written
    .from = from { $bytes }

## The suite durability.

table-durability =
    .rate = Writes per second
    .mean = Mean time until a write is durable
    .tail = The call that waits, p99
    .none = none
    .write = { $option } write
    .calls = fdatasync and fsync: that call alone, without the write before it. O_DSYNC and O_SYNC: the whole write.
    .no-tail = The p99 is not shown: it needs at least 1,000 writes of a kind.

## The suite open-units.

table-open-units =
    .title = Units that can be written in turn
    .units = open units
    .unit = allocation unit
    .unit-asked = { $unit }, as requested
    .unit-of-card = { $unit }, from the card's SD status
    .unit-of-kernel = { $unit }, the kernel's preferred erase size
    .unit-assumed = { $unit }, assumed: the drive reports none; change it with --set unit=SIZE
    .unclear = unknown: { $reason }
    .limit = fast with { $fast }; with { $more } the speed is { $share } of that with one
    .limit-far = fast with { $fast }; with { $more } the speed is less than 1 % of that with one
    .no-limit = no limit up to { $tried }; more were not tried
    .at-least = fast with at least { $fast }: the search did not finish
    .open = not settled: the search did not finish
    .advice =
        { $fast ->
           [one] It handles one file at a time well, but not two: use it for a single recording without a log, and do not run a system from it.
          *[other] It handles { $fast } files at once, such as recordings, logs or downloads. With one more, small writes make it copy whole units, which is slow and wears the flash.
        }
    .no-cost = { $tried } files can be written at once without losing speed.
    .no-cost-slowed = Writing { $tried } files at once costs no speed: the drive became slower meanwhile, with one file as well.
    .again = { $row }, again
    .no-single = a single unit was not written before
    .row =
        { $units ->
           [one] 1 unit
          *[other] { $units } units
        }
    .speeds = Speed by units in turn
    .in-turn = in turn
    .writes = { $block } writes
    .of-one = of one unit
    .rule = The first round of each is left out. A number of units counts as too high when its speed is twice below { $share } of that with one.

## The suite sd-class.

table-sd-class =
    .title = Mean of the tries
    .sequential-write = sequential write
    .random-read = random read
    .random-write = random write

## The suite steady.

table-steady =
    .conditions = Test conditions
    .unknown = unknown
    .of-drives = { $values }
    .drive = drive
    .firmware = firmware
    .capacity = capacity
    .capacity-value = { $bytes }
    .write-cache = write cache
    .purge = purge
    .purge-simulated = a new simulated drive
    .purge-trim = TRIM of the whole range
    .purge-none = none
    .wipc = WIPC
    .wipc-value = { $bytes } written, { $block } sequential, over the range
    .wdpc = WDPC
    .wdpc-value =
        { $rounds ->
           [one] 1 round of the test itself
          *[other] { $rounds } rounds of the test itself
        }
    .range = active range
    .range-value = { $range }
    .range-share = { $range }, { $share } of the capacity
    .in-flight = queue depth
    .in-flight-value =
        { $jobs ->
           [one] QD{ $depth }, one job
          *[other] QD{ $depth } in each of { $jobs } jobs
        }
    .data = data
    .data-value = random, not repeated
    .point = each point
    .point-time = { $time }
    .point-bytes = { $time }, or { $bytes } written
    .state = steady state
    .reached = rounds { $first } to { $last }: range { $range } (at most { $range_max }), slope { $rise } (at most ±{ $rise_max })
    .not-reached = not reached; last rounds { $first } to { $last }: range { $range } (at most { $range_max }), slope { $rise } (at most ±{ $rise_max })
    .too-few-rounds = not reached: at least { $rounds } rounds are needed
    .in-steady-state = { $figure } in steady state
    .in-last-rounds = { $figure } in the last rounds, which are not steady
    .mix = { $reads }/{ $writes }
    .nines = p99.999
    .mixes-note = 100/0, 65/35: the share of reads and the share of writes, in percent.
    .tails-note = p99.999 and the longest cover all mixes.
    .writes-alone = { $figure } of writes only, round by round
    .line = The line through rounds { $first } to { $last } runs from { $from } to { $to }; their mean is { $mean }.

## The suite sweep.

table-sweep =
    .by = { $figure } by { $axis }
    .at = { $table }: { $conditions }
    .sum = { $mixes }: the sum of reads and writes.
    .latencies-together = { $mixes }: reads and writes taken together.

sweep-axis =
    .scheduler = I/O scheduler
    .directory = directory
    .state = state of the file
    .mix = access pattern
    .engine = engine
    .offset = offset
    .block = block size
    .jobs = number of jobs
    .depth = queue depth
sweep-state =
    .fresh = never written
    .trimmed = trimmed
    .filled = filled sequentially
    .random = overwritten at random
# $reads: the share of reads.
sweep-mix =
    .read = sequential read
    .write = sequential write
    .sequential = sequential, { $reads } reads
    .random-read = random read
    .random-write = random write
    .random = random, { $reads } reads
sweep-value =
    .offset = offset { $offset }
    .jobs = { $jobs ->
        [one] 1 job
       *[other] { $jobs } jobs
    }
    .depth = QD{ $depth }
    .other = { $value }
