### Purposes, the sources of their limits, and why something was not judged.

## What drives are used for: nouns for the middle of a sentence.

purpose-os = operating system
purpose-db-light = light database
purpose-db-heavy = busy database
purpose-containers = containers
purpose-nas = file server
purpose-sensors = sensors
purpose-cameras = camera recorder
purpose-recording = real-time recording

## Where limits come from: a sentence of at most 76 columns below the figure and its limit.

limit-android =
    .sequential-read = Android's Compatibility Definition requires 15 MB/s for system storage.
    .sequential-write = Android's Compatibility Definition requires 5 MB/s for system storage.
    .random-read = Android's Compatibility Definition requires 3.5 MB/s in 4 KB blocks.
    .random-write = Android's Compatibility Definition requires 0.5 MB/s in 4 KB blocks.
limit-sd-a2 =
    .programs = SD class A2, for cards that programs run from.
    .data = SD class A2, for cards that hold the data of programs.
    .busy = SD class A2: at least as fast as a good card.
    .shared = SD class A2, which is meant for a single system.
limit-etcd =
    .usual = etcd typically needs 50 a second, which a hard disk can do.
    .loaded = etcd recommends 500 a second for heavily loaded clusters.
    .sync = etcd wants 99 % of its log syncs to take less than 10 ms.
    .mean = etcd wants syncs below 10 ms: at under 100 a second, the mean is above.
    .commit = etcd wants 99 % of commits below 25 ms; to go unnoticed, 99.9 %.
    .loaded-commit = etcd wants 99 % of commits below 25 ms; under load, 99.9 %.
    .pages = Below etcd's 50 durable writes a second, page writeback delays commits.
    .stall = etcd considers a member that stalls for 1 s lost.
limit-wait =
    .pause = A wait of more than 1 s breaks a train of thought (Nielsen 1993).
    .commit = Commits that take more than 1 s break a train of thought (Nielsen 1993).
    .immediate = Up to 0.1 s feels immediate (Nielsen 1993); 1 commit in 100 is noticed.
limit-ethernet =
    .whole = Gigabit Ethernet carries 118 MB/s: above that, the network is the limit.
    .half = Half of Gigabit Ethernet: anything slower doubles the time of a copy.
limit-os =
    .capacity = Raspberry Pi OS Lite asked for 4 GB until 2024 (nine tenths count).
    .desktop = Raspberry Pi OS with a desktop recommends 32 GB (nine tenths count).
    .updates = Updates make each file durable: at 10 a second, 1,000 files take 100 s.
    .life = One year at 1 GB of writes a day, our assumption.
    .long-life = Five years at 1 GB of writes a day, our assumption.
limit-db-light =
    .life = One year at 5 GB of writes a day, our assumption.
    .long-life = Five years at 5 GB of writes a day, our assumption.
limit-db-heavy =
    .life = One year at 50 GB of writes a day, our assumption.
    .long-life = Five years at 50 GB of writes a day, our assumption.
limit-containers =
    .capacity = Raspberry Pi OS Lite: 16 GB (nine tenths count), and images on top.
    .unpacking = SD's UHS Speed Class 3: a 1 GB image unpacks in half a minute.
    .orchestrator = etcd, which many orchestrators use, typically needs 50 a second.
    .download = Gigabit Ethernet: images are written as fast as they arrive.
    .life = One year at 10 GB of writes a day, our assumption.
    .long-life = Five years at 10 GB of writes a day, our assumption.
limit-nas =
    .capacity = A 128 GB phone or laptop should fit on it (nine tenths count).
    .household = A household's four 128 GB phones or laptops fit (nine tenths count).
    .life = One year at 10 GB of writes a day, our assumption.
    .long-life = Five years at 10 GB of writes a day, our assumption.
limit-sensors =
    .reading = One reading a second, each made durable before the next.
    .reading-blocks = One reading a second, for which ext4 was seen to write up to ten blocks.
    .reading-commit = One reading a second, committed by SQLite before the next.
    .readings = Ten readings a second, each made durable before the next.
    .readings-blocks = Ten readings a second, each up to ten blocks, as ext4 was seen to write.
    .due = At ten readings a second, the next one is due after 0.1 s.
    .life = One year at ten 4K blocks a second, 3.5 GB a day, our assumption.
    .long-life = Five years at ten 4K blocks a second, 3.5 GB a day, our assumption.
limit-cameras =
    .home = A home has up to four, and the smallest recorders are sold for four.
    .next-size = The next recorder size is eight, which leaves room beyond a home's four.
    .four = Four cameras at 8 Mbit/s write 4 MB/s, day and night.
    .eight = Eight cameras at 8 Mbit/s write 8 MB/s, day and night.
    .life = One year at 346 GB a day: four cameras at 8 Mbit/s, day and night.
    .long-life = Five years at 346 GB a day: four cameras at 8 Mbit/s, day and night.
limit-recording =
    .missed = A second of video that misses its deadline is lost.
    .buffer = A camera's buffer lasts 4 s, our assumption.
    .room = A stall of 1 s uses a quarter of a camera's buffer: room for ageing.
limit-real-capacity = Data written beyond a drive's real capacity is lost without an error.

## Why a figure was not set against its limit: phrases, as doubts are.

finding-vague = the 95 % interval is wider than the value itself; a longer run narrows it
finding-unsettled =
    .cameras = more were not tried, as the time or the amount to write ran out; --suite apps --set load=cameras allows more of both
    .easier = measured only under easier conditions, such as for a shorter time, where meeting the limit proves nothing; --suite article measures longer
    .harder = measured only under harder conditions, where missing the limit proves nothing; --suite quick measures it separately
finding-missing =
    .life = the drive does not report it
    .capacity = neither the drive nor a file system reports it
    .samples = too few samples above it; a longer run has more, and compare pools several
    .apps = not measured; run --suite apps
    .recording = not measured; run --suite apps --set load=recording (10 min)
    .sustained = not measured for a minute or more; --suite article does
    .quick = not measured; run --suite quick

## Why purposes have no verdict.

# $purposes: ids.
not-judged =
    .only-capacity = Only the capacity is judged here; --suite quick measures what purposes need.
    .only-capacity-and-life = Only capacity and rated life are judged here; --suite quick measures the rest.
    .quick = Purposes without a verdict need figures from --suite quick.
    .quick-and-apps = Purposes without a verdict need figures from --suite quick; for { $purposes }, run --suite apps (recording: with --set load=recording).
    .apps = Not judged here: { $purposes }. For a verdict, run --suite apps (recording: with --set load=recording).
    .doubt = Figures in doubt do not count for verdicts.
