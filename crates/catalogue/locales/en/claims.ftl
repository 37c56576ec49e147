### What is claimed of a drive, and whether it holds.

# Who claims it.
claim-said-by =
    .sd-status = the card's SD status register
    .drive-size = the size that the drive reports
    .every-drive = every drive that accepts flushes

# What was measured.
claim-evidence =
    .sequential-read = sequential read
    .sequential-write = sequential write
    .random-read = random read
    .random-write = random write
    .write-median = 4K write, median
    .flush-median = its flush, median
    .read-back = read back as written

# $doubt: a doubt.
claim-doubt = The figures are not the drive's: { $doubt }.

## Speed and application classes of SD cards.

# $mark: V30, A1, $write: sequential writes at least, $reads, $writes: random ones at least.
claim-mark =
    .speed = { $mark }: { $write } sequential write
    .application = { $mark }: { $reads } random read, { $writes } random write, { $write } sequential write
# $written: by all tries together.
claim-class =
    .indication = Measured through a file system: an indication, not a certificate.
    .split = Some tries meet it and some do not.
    .incomplete = Not everything was measured.
    .slowing = Sequential write became slower from try to try, over { $written } in all: the card may be fast only at first. --suite cliff writes more.
    .unseen-cliff = The tries of sequential write cover { $written } in all: a card that slows down only after that looks good here. --suite cliff writes more.
claim-queue =
    .fails = The class holds on hosts that use the card's command queue and cache; here the queue fails now and then.
    .unused = The class holds on hosts that use the card's command queue and cache; this one does not, so it cannot be judged here.
    .unknown = The class holds on hosts that use the card's command queue and cache; whether this one does is unknown (root can see it in the kernel log).

## Raspberry Pi Diagnostics.

# $nth: its number.
claim-rpdiags = Raspberry Pi Diagnostics: 10,000 KiB/s, 500 random writes and 1,500 random reads a second
    .pass = PASS in Raspberry Pi Diagnostics, at the first try.
    .late-pass = PASS in Raspberry Pi Diagnostics, where one try is enough; here it was try { $nth }, and those before it failed.
    .fail = FAIL in Raspberry Pi Diagnostics: none of three tries passed.
    .incomplete = Not all of it was run.

## Flushes.

# $writes, $flushes: how many were done, $needed: of each.
claim-flush = A flush makes all earlier writes durable
    .too-few = Too few samples (4K writes: { $writes }, flushes: { $flushes }): a median takes { $needed } of each.
    .too-fast-flash = A write and its flush finished sooner than flash can store data: storing a page takes 200 µs or more on cards, and 100 µs on the fastest flash.
    .too-fast-disk = A write and its flush finished sooner than a disk can store data: a revolution takes 4 ms at 15,000 rpm, and a block passes the head once per revolution.
    .plausible = A write and its flush take as long as storing takes. Only pulling the plug proves it.
    .free = The drive reports a write-back cache, and flushing it takes no time: it has power-loss protection, or it ignores flushes. Only pulling the plug shows which.
    .hidden = Whether a battery-backed cache, capacitors or the medium answers cannot be seen from here. Only pulling the plug shows it.

## Capacity.

# $capacity: as the drive reports it.
claim-capacity = capacity { $capacity }
claim-fake =
    .limbo = Beyond its real capacity, the drive accepts writes and discards them.
    .wrap = Beyond its real capacity, the drive wraps around to its start: writes there overwrite other files.
    .chain = Beyond its real capacity, the drive discards some writes and wraps others around to its start, where they overwrite data.
    .defect = Single blocks are lost, which is a defect of the drive, its reader or the cable rather than a false capacity.
# $likely, $least, $most: capacities.
claim-real-capacity =
    .range = It holds about { $likely } (at least { $least }, at most { $most }).
    .exact = It holds { $likely }.
    .sample = According to the sample it holds about { $likely }; --set proof=full determines it exactly.
    .unknown = How much it holds is unknown, as not everything was read back.
# $offset: in bytes.
claim-first-wrong =
    .device = The first wrong block is at offset { $offset } of the device.
    .files = The first wrong block is at offset { $offset } of the test files.
# $wrong, $checked: numbers of blocks.
claim-wrong-blocks = { $wrong ->
    [one] Of { $checked } 4K blocks, one is wrong.
   *[other] Of { $checked } 4K blocks, { $wrong } are wrong.
}
# $tail: how much.
claim-intact-tail = The last { $tail } came back intact: a small cache keeps the latest writes, so a copy looks complete at first.
claim-advice =
    .defect = Save what is on it, and try it in another reader or port before using it again.
    .fake = Save what is on it, return it, and do not trust files that were written when it was that full.
# $ended: how a step ended.
claim-unread = Not everything was read back.
    .ended = Not everything was read back: { $ended }.
    .defect = A drive, reader or cable that fails is defective, whatever it holds.
# $changed: how much.
claim-changed = { $changed } that an interrupted checkup wrote has changed since: another program may have written there. Start over with --set leftovers=remove, then --set proof=full.
# $untested: how much.
claim-untested =
    .device = { $untested } was not checked, because no more was requested.
    .files = { $untested } could not be checked: other files, the file system and a margin occupy it.
# $tested: how much.
claim-tested =
    .full = { $tested } was written, each block with a unique mark, before any was read back.
    .part = It holds at least { $tested }: no more was free, or requested. Make room for the rest.
# $places: how many, $written: on all of them.
# $miss: a claim-probability, $front: how much a cache may keep.
# $limbo, $wrap: each a claim-probability.
claim-sample =
    .places = 64K blocks were written at { $places } random places ({ $written } in all) before any was read back.
    .cleared = A drive that holds less than half of what it claims is missed with a probability { $miss }, whether it discards writes, wraps around, or both. One that holds more, or caches more than the last { $front } of writes, may pass: --set proof=full finds those.
    .doubtful = That is too little to clear it: a drive that holds less than half is missed with a probability { $limbo } if it discards writes, and { $wrap } if it wraps around.
    .make-room = Too little is free: free some space, or test the drive empty.
    .write-more = --set time={ $time } writes enough places, --set proof=full all of them.
    .write-all = --set proof=full writes all places.
# Behind "with a probability".
# $count: of how many.
# $share: in percent.
claim-probability =
    .below = below 1 in { $count }
    .one-in = of at most 1 in { $count }
    .share = of at most { $share }
