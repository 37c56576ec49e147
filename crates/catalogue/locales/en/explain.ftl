### `cardiograph explain WORD`.

explain-list =
    .purposes = Purposes (check --require PURPOSE):
    .terms = Terms:
    .figures = Figures that decide:
    .marks = Marks of cards:
    .warnings = Warnings:
explain-next = Explain one with: cardiograph explain WORD

# $word: as given
explain-unknown = unknown word '{ $word }'; { $hint }
explain-all = `cardiograph explain` lists all

# $purpose: its id, $title: its name
explain-purpose = { $purpose }: { $title }

# $title: what is looked for
explain-warning = { $title }.

# $figure: its name, $purposes: ids
# Other words for a term, separated by commas.
explain-words =
    .queue-depth = queue
    .block-size = block
    .latency = response time
    .percentile = percentiles
    .bandwidth = speed
    .durable = durable write, fsync, fdatasync, O_DSYNC
    .sustained = steadier, steady over
    .fall-off = fast part, fell to
    .stall = longest stall, stalled
    .interval = more than chance, by chance, similar, no clear difference
    .withheld = in doubt
    .verdict = good for, enough for, too slow, too slow for, too small, not enough, not judged, met, missed
    .claim = fake, genuine, counterfeit, breaks its claims, kept, broken, not proven

explain-figure = { $figure }: it decides { $purposes }.
    .none = { $figure }: it decides no purpose.

# $mark: as A2, $write: a speed, $reads, $writes: rates
explain-mark =
    .speed = { $mark }: the card writes at least { $write } in sequence, as the SD Association's test measures it.
    .application = { $mark }: at least { $reads } random reads and { $writes } random writes of 4 KB a second, and { $write } in sequence.
    .check = `check --suite sd-class` measures it.

explain-term =
    .queue-depth = How many requests are at the drive at once. QD1 is one program waiting for each answer; QD32 shows what a drive does for many at once. SD cards without a command queue gain nothing from depth.
    .block-size = How many bytes each request reads or writes. 4K is what databases and file systems use; 1M is how files are copied.
    .latency = The time from a request to its answer. The mean hides the slow ones; p50 is the middle, p99 the tail.
    .percentile = p99 is the latency that 99 of 100 requests stay below, p99.9 that of 999 of 1,000. One request in 100 is slower than p99: of pages that need 100 requests, two in three meet one. A percentile needs at least ten slower samples to be more than chance.
    .iops = Reads or writes a second, quoted for small blocks. Times the block size it is the bandwidth.
    .bandwidth = Bytes a second, quoted for large blocks, in MB/s: millions of bytes, as labels and standards count. --units binary shows MiB/s.
    .durable = A write after which the program waits until the drive says that it would survive a power cut (fsync). It is what databases do for each commit, and the slowest thing that drives do.
    .sustained = Writing large blocks without a pause. Many drives are fast for the first gigabytes only. It is called steady if its windows of half a second differ by at most 10 % of their mean (standard deviation).
    .fall-off = Where writing becomes lastingly slower because the drive's fast part, often cells used with one bit each, is full. `check --suite cliff` looks for it.
    .stall = The longest time in which nothing was completed. From 0.5 s on it is named, in the live view, reports and pictures; recorders and people notice it.
    .interval = The range in which the true value lies with 95 % confidence, given how much the figure varied. "Close" says that a limit lies inside: another run may decide otherwise.
    .withheld = A figure that is not shown because it would mislead: the kernel's own counters contradict it, the link could not carry it, or too few samples lie above the percentile for its interval to have an upper end. One with fewer than ten is in parentheses and decides nothing.
    .amplification = The bytes that the drive wrote for each byte that was asked for, by the kernel's counters: journal and metadata of the file system, or another program.
    .trim = Tells the drive which blocks are no longer in use, so that it can erase them in advance.
    .steady-state = The speed after a drive has been written over so often that it does not change any more. Before that it is as fast as new. `check --suite steady` follows the standard's rule.
    .working-set = The range that requests fall into. One smaller than a cache measures the cache.
    .direct = Direct I/O goes past the page cache, so that the drive answers and not the memory of the machine.
    .life = The bytes that can still be written within the drive's rated life, by its own counters.
    .bars = A full bar is what the most demanding purpose asks of that figure: SD class A2 for random reads and writes, etcd under load for durable writes, Gigabit Ethernet for large blocks. The sources are listed by `cardiograph explain PURPOSE`.
    .verdict = "Good for" means that you will not notice the drive, "enough for" that it works but you will wait at times, and "too slow" that a measured figure misses its limit; the number in parentheses is the limit that the figure met ("good for") or missed: for "enough for" the limit of good, for "too slow for" the limit of enough. It is left out if the purposes of the row have different limits. "Not judged" names purposes whose figure is in doubt; a purpose that a suite does not measure is not named.
    .claim = What a drive says of itself, such as a mark, its capacity or that flushes work. It is kept or broken as far as a measurement shows, or not judged if too little was measured. A genuine card keeps its capacity: `check --suite capacity` shows a fake.
    .queue = The rates of class A2 hold with the card's command queue and cache in use, which needs a host that supports them. Without it, as in many readers and boards, an A2 card may be no faster than an A1 card.
