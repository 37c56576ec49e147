### Comparisons of groups of checkups.

comparison-heading =
    .test = Test
    .figure = Figure
    .difference = Difference
    .ratio = ratio
    .picture = Each test on its own scale
    .marked = { $mark } { $group }
    .stability = Stability
    .purposes = What they are good for
    .facts = Other differences

comparison-no-tests = No test in common: nothing was measured in the same or a similar way.

# $command: a command line
comparison-more = All figures: { $command }

## Groups

comparison-group =
    .runs =
        { $runs ->
            [one] 1 run
           *[other] { $runs } runs
        }
    .others = others
    .value = { $group }: { $value }
    .unknown = { $group }: unknown

# $currency: as the user noted it.
comparison-price =
    .whole = { $amount } { $currency }
    .per-gb = { $amount } { $currency } per GB

comparison-fact =
    .host = host
    .board = board
    .cpu = CPU
    .cpus = CPUs
    .memory = memory
    .kernel = kernel
    .arch = architecture
    .os = operating system
    .governor = CPU governor
    .program = program
    .suite = suite
    .model = model
    .serial = serial number
    .firmware = firmware
    .scheduler = I/O scheduler
    .write-cache = write cache
    .bus = bus
    .link = link
    .raid-level = RAID level
    .raid-write-policy = RAID write policy
    .raid-read-ahead = RAID read-ahead
    .drives = drives
    .capacity = capacity
    .layers = layers
    .file-system = file system
    .mount-options = mount options
    .file-system-block = file system block
    .file-system-geometry = file system geometry

## The answer. $group, $other: groups; $size: how much.

comparison-answer =
    .faster =
        { $group } is faster in { $tests } of { $all } tests, from { $least } ({ $least_test }) to { $most } ({ $most_test }).
    .faster-once =
        { $group } is faster in 1 of { $all ->
            [one] 1 test
           *[other] { $all } tests
        }: { $size } ({ $test }).
    .similar =
        { $all ->
            [one] They are similar in the one test.
           *[other] They are similar in { $tests } of { $all } tests.
        }
    .unclear =
        { $all ->
            [one] No clear difference in the one test.
           *[other] No clear difference in { $tests } of { $all } tests.
        }
    .controller = { $group } writes into its controller's cache ({ $policy }): what it gains in writes is the cache's, not the drives'.
    .contrast = In short: { $fast } is fast, { $steady } is predictable at writing in large blocks.
    .steadier =
        { $runs ->
            [one] { $group } is steadier ({ $test }): { $low } to { $high }, { $other } { $other_low } to { $other_high }.
           *[other] { $group } is steadier ({ $test }): on average of its runs { $low } to { $high }, { $other } { $other_low } to { $other_high }.
        }
    .fastest =
        { $groups ->
            [one] { $group } is fastest
           *[other] { $group } are about equally fast, and fastest
        } in { $all ->
            [one] the one test.
           *[other] { $tests } of { $all } tests.
        }
    .as-fast = About as fast in { $tests }: { $group }.

## Figures

comparison-of-direction = { $test }: { $direction }
# $figure: such as "Bandwidth"
comparison-of-figure = { $test }, { $figure }

# $ratio: to the base's value, perhaps in parentheses and with a note.
comparison-value =
    .ratio = { $value } { $ratio }
    .best = * { $value }
    .marked = { $mark } { $ratio }
    .reach = ±{ $share }
    .between = { $low } to { $high }

# $group: the better one, or the one with more.
comparison-remark =
    .faster = { $group } { $size } faster
    .lower = { $group } { $size } lower
    .smaller = { $group } { $size } lower
    .shorter = { $group } { $size } shorter
    .longer = { $group } { $size } longer
    .higher = { $group } { $size } higher
    .more = { $group } { $size } more
    .similar = similar
    .no-difference = no difference
    .unclear = no clear difference, { $low } to { $high }
    .unknown = no clear difference: too little was measured
    .together = no clear difference once all are judged together
    .leaning = no clear difference, { $low } to { $high }; as measured, { $remark }
    .equal = equal
    .zero = one is 0
    .windows = unequal or unknown windows
    .withheld = withheld
    .informational = ({ $remark })
    .noted = { $remark } [{ $note }]

comparison-per-price =
    .one = { $figure } per { $currency }
    .many = { $figure } per { $amount } { $currency }

# $latency: of what; $below, $above, $group: groups; $from, $to: percentiles.
comparison-crossing =
    .first = Lower { $latency }: { $below } up to p{ $from }, { $above } from p{ $to }.
    .again = { $group } again from p{ $to }.

# $differences: such as "queue depth (a 2, b 1)".
comparison-differs =
    .method = Measured differently, so not judged: { $differences }.
    .scale = Measured at different scales: { $differences }.
    .tests = This applies to: { $tests }.

comparison-unpaired = Only { $group } has: { $tests }.

# Why tests with one title are not compared. $one, $other: groups; $differences: such as "queue depth (a 2, b 1)".
comparison-apart = { $one } and { $other } both have "{ $test }", but these are not compared: { $why }.
    .unknown = how one was measured is unknown
    .pattern = one reads and the other writes, or one is random and the other sequential
    .no-figure = they have no figure in common
    .differences = measured too differently: { $differences }
comparison-apart-fitted = These amounts are fitted to each drive: unequal ones are not compared.

## Notes

comparison-note =
    .doubt = Not judged: { $doubts }.
    .scales = Lines have their own scales (logarithmic beyond 4x).
    .intervals = ━ 95 % interval.
    .limits = ┊ limit.
    .durations = The tests ran for different times, and extremes grow with time: neither is better.
    .best = * Best in its row, or similar to the best.
    .ratios = Ratios after values are relative to { $base }.
    .informational = Parentheses: informational only.
    .several-drives = { $group } contains runs of { $models } different drives: its figures are their means.
    .several-prices = { $group } has no single price: its runs give { $prices }.
    .some-currencies = Prices in { $currencies } are not converted: figures per price are for { $currency } only.
    .currencies = Prices in { $currencies } are not converted: there are no figures per price.
    .judged-together = { $count } differences are judged together (Holm, 5 %): comparisons of equal drives report a difference in 1 of 20 cases.

comparison-basis =
    .between-runs = { $runs } runs each: differences are judged by the spread between runs.
    .runs = { $least } to { $most }
    .one-side =
        { $groups ->
            [2] One side has a single run, which is assumed to vary like those of the other.
           *[other] A single run is assumed to vary like those of the drive it is compared with.
        }
    .within-run = One run each: differences between runs are unknown.
    .known = Within each run the rate is known to ±{ $best } to ±{ $worst }.
    .assumed = Judgements assume that runs of one drive differ by { $rate } ({ $tail } for p99 and beyond).

## What became worse since a baseline. $figure: such as "read IOPS"; $base: the baseline.

comparison-worse =
    .lower = { $test }: { $figure } { $size } lower than in { $base }
    .higher = { $test }: { $figure } { $size } higher than in { $base }
    .of-group = { $group }: { $change }
    .uncertain = may be chance: { $change }
    .nothing-judged = Nothing could be judged against { $base }.
    .none =
        { $figures ->
            [one] The one figure compared is not known to be { $limit } worse than in { $base }
           *[other] None of { $figures } figures is known to be { $limit } worse than in { $base }
        }{ $undecided ->
            [0] .
           *[other] ; { $undecided } could not be decided.
        }
comparison-missing =
    .test = not measured again: { $test }
    .test-of-group = not measured in { $group }: { $test }
    .differently = measured differently in { $group }, so not judged: { $test }
    .end = { $run }: { $state }
