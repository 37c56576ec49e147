### A checkup at a glance.

# $path: a mount point, $kind: of a file system
glance-place = { $path } ({ $kind })

# $time: as 1:30 or 58 s
glance-took = { $time }
    .virtual = { $time } of virtual time

glance-at-most = at most { $time }
    .virtual = at most { $time } of virtual time

# $most: an amount
glance-writes = writes up to { $most }, then removed
    .simulated = simulated: no real drive is written to
    .nothing = writes nothing
    .device = overwrites up to { $most } of the device
    .restored = overwrites up to { $most } of the device, then restores it
    .named = writes up to { $most }
    .unbounded = writes as much as the time allows

# $bytes: an amount
glance-written = { $bytes } written

# $since: a day, $metric: its name, $share: in percent, $checkups: a number
glance-change =
    .lower = Since { $since }: { $metric } { $share } lower, more than chance ({ $checkups } checkups before).
    .higher = Since { $since }: { $metric } { $share } higher, more than chance ({ $checkups } checkups before).

# Below the rows. $tests: a number.
glance-more = { $tests ->
    [one] 1 more test
   *[other] { $tests } more tests
} with -v

# Before a warning.
glance-mark = !

# $claimed, $real: capacities
glance-fake = FAKE: claims { $claimed }, holds about { $real }. What is written beyond that is lost.

# $seen: a sentence
glance-failing = FAILING: { $seen }

# $p99: a latency
glance-tail = p99 { $p99 }
    .sync = fsync p99 { $p99 }
    .doubtful = in doubt
    .vague = varied too widely

# $speed, $low, $high: speeds, $written: an amount, $time: a latency
glance-sustained =
    .steady = steady over { $written }
    .varies = { $low } to { $high }
    .fell = fell to { $speed }
    .stall = stalled for { $time }

## Verdicts. Before a list of purposes; at most 13 columns.

grade =
    .good = Good for
    .enough = Enough for
    .slow = Too slow for
    .small = Too small for
    .worn = Too worn for
    .open = Not judged

# $good, $enough: lists of purposes, $bad: answer-bad and answer-why.
answer =
    .all = Good for { $good }; enough for { $enough }; { $bad }.
    .good-enough = Good for { $good }; enough for { $enough }.
    .good-bad = Good for { $good }; { $bad }.
    .enough-bad = Enough for { $enough }; { $bad }.
    .good = Good for { $good }.
    .enough = Enough for { $enough }.
    .bad = { $bad }.
# $purposes: a list; first: at the beginning of the sentence.
answer-bad =
    .slow = too slow for { $purposes }
    .slow-first = Too slow for { $purposes }
    .small = too small for { $purposes }
    .small-first = Too small for { $purposes }
    .worn = too worn for { $purposes }
    .worn-first = Too worn for { $purposes }
# $what: answer-bad, $figure: that missed its limit.
answer-why = { $what }: { $figure }
# What the suite asked. $claims: short names; $parts: of these.
answer-claims = { $parts }.
    .kept = { $claims }: kept
    .broken = { $claims }: broken
    .unknown = { $claims }: not proven
    .met = { $claims }: met
    .missed = { $claims }: missed
answer-claim =
    .capacity = Capacity { $capacity }
    .flush = Flushes make writes durable
    .rpdiags = Raspberry Pi Diagnostics
# $speed: of sequential writes, $marks: such as "C10", $iops: a rate of random writes
answer-trap = { $speed } in sequence hide { $iops } of random writes: fine in a camera, too slow for logging and databases.
    .marked = { $marks } and { $speed } in sequence hide { $iops } of random writes: fine in a camera, too slow for logging and databases.
