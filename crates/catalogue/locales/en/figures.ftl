### What figures are called, and how a test was done: phrases.

# $percent: as people write it, such as 99.9.
statistic =
    .min = min
    .mean = mean
    .max = max
    .deviation = deviation
    .percentile = p{ $percent }

# $statistic: one of the above; $direction: read, write, trim, fsync; $figure: one of the others.
figure =
    .bandwidth = bandwidth
    .iops = IOPS
    .latency = latency { $statistic }
    .completion = completion { $statistic }
    .submission = submission { $statistic }
    .window-bandwidth = bandwidth { $statistic }
    .window-iops = IOPS { $statistic }
    .bytes = data
    .ios = I/Os
    .runtime = run time
    .longest-stall = longest stall
    .of = { $direction } { $figure }
    .of-sync = fsync { $statistic }
    .all-latencies = latency
    .all-submissions = submission latency

# The same as headings.
figure-heading =
    .bandwidth = Bandwidth
    .iops = IOPS
    .latency = Latency { $statistic }
    .completion = Completion latency { $statistic }
    .submission = Submission latency { $statistic }
    .window-bandwidth = Bandwidth { $statistic }
    .window-iops = IOPS { $statistic }
    .bytes = Data
    .ios = I/Os
    .runtime = Run time
    .longest-stall = Longest stall

# $value: a figure with its unit; $reason: why it is in doubt or not shown.
figure-doubted = { $value } ({ $reason })
figure-withheld = - ({ $reason })

## How a test was done

method-pattern =
    .read = sequential read
    .write = sequential write
    .read-write = sequential read and write
    .random-read = random read
    .random-write = random write
    .random-read-write = random read and write
    .trim = trim
    .application = application
    .unknown = unknown I/O
method-depth = QD{ $depth }
method-jobs = { $jobs } jobs
method-cached = through the page cache
method-durability =
    .never = not durable
    .at-end = durable at the end
    .fsync = fsync after each write
    .fdatasync = fdatasync after each write
    .dsync = O_DSYNC
    .periodic = synced periodically

# In what two tests differ, and how it was in each.
method-aspect =
    .read-percent = share of reads
    .block = block size
    .depth = queue depth
    .jobs = jobs
    .direct = page cache
    .durability = durability
    .size = test size
    .time = test time
    .jobs-beside = other jobs at the same time
method-cache =
    .used = used
    .bypassed = bypassed
method-unknown = unknown

# $aspect, $left, $right: from above.
method-difference = { $aspect } { $right } (yours { $left })
    .named = { $aspect } ({ $left_name } { $left }, { $right_name } { $right })
