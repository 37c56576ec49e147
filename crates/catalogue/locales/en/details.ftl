### All figures of each step, and the outline before the first one: labels, values and short sentences.

details-heading = Steps
# $title: the step's, $id: its id.
details-step = { $title } [{ $id }]
details-prepares = preparation, not measured
details-figures = All figures
details-commands = Equivalent fio command:
details-pictures = Charts of single steps: cardiograph plot --kind over-time --step ID.
details-label =
    .reads = Reads
    .writes = Writes
    .trims = Trims
    .syncs = Syncs
    .withheld = Withheld
    .doubtful = In doubt
    .known = Known
    .short = Short I/Os
    .bandwidth = Bandwidth
    .rate = Rate
    .windows = Windows
    .predictability = Predictability
    .cpu = CPU per I/O
    .stall = Longest stall
    .fall-off = Fall-off
    .method = Method
    .bounds = Ends after
    .sized = Size
    .paused = Paused
    .counted = Kernel counted
    .engine = Engine
    .clock = Clock
    .precision = Precision
    .note = Note
    .pause = Longest pause
    .late = Too late
    .library = Library
# $ios: how many, $bytes: together, $time: how long they took.
details-moved = { $ios } I/Os, { $bytes } in { $time }
# $windows: how many, $window: their length.
details-windows = { $windows } of { $window }: { $low } to { $high }, mean { $mean }, deviation { $deviation }
details-predictability = p99.99 is { $times } p50
# $user, $system: times.
details-cpu = { $user } in the program, { $system } in the kernel
# $written: before it fell, $before, $after: speeds, $p: the probability that chance looks like this.
details-fall-off = after { $written }, from { $before } to { $after }, p ≤ { $p }
# $time, $written: whichever comes first.
details-bounds = { $time } or { $written } written
    .written = { $written } written
details-latency = Latency
details-samples = samples
latency-kind =
    .submission = submission
    .completion = completion
    .total = total

# What is known of figures.
known-reached = reached the drive
    .not = did not reach the drive
known-durable = durable
    .not = not durable
known-steady = steady
    .not = not steady
known-throttled = throttled
    .not = not throttled
known-link = limited by the link
    .not = not limited by the link
known-processors = limited by the processors here
    .not = not limited by the processors here
known-nothing = nothing

# What the kernel counted.
kernel-reads = { $ios } reads ({ $bytes })
kernel-writes = { $ios } writes ({ $bytes })
kernel-flushes = { $flushes ->
    [one] 1 flush
   *[other] { $flushes } flushes
}

clock =
    .tsc = time stamp counter
    .cntvct = generic timer
    .virtual = virtual time
    .resolution = resolution { $time }
    .cost = { $time } per reading
    .drift = drift { $ppm } ppm

# All figures of another program.
imported-column =
    .figure = Figure
    .value = value
    .interval = 95 % interval
    .count = values

health-change-heading = What the drives counted meanwhile
# $before, $after: degrees; $count, $times: how many more.
health-change =
    .temperature = { $before } °C before, { $after } °C after
    .hot = { $minutes } min above the limits
    .throttled = { $times ->
        [one] throttled once
       *[other] throttled { $times } times
    }
    .written = { $bytes } written
    .unreadable = { $count ->
        [one] 1 unreadable sector
       *[other] { $count } unreadable sectors
    }
    .replaced = { $count ->
        [one] 1 sector replaced
       *[other] { $count } sectors replaced
    }
    .pending = { $count ->
        [one] 1 sector pending
       *[other] { $count } sectors pending
    }
    .link = { $count ->
        [one] 1 transfer damaged by the link
       *[other] { $count } transfers damaged by the link
    }
    .cuts = { $count ->
        [one] 1 power loss
       *[other] { $count } power losses
    }
    .none = no new errors

## Applications.

operation =
    .commit = commit
    .file = file
    .line = line
    .photo = photo
    .second = second of video
operations =
    .commits = { $count ->
        [one] 1 commit
       *[other] { $count } commits
    }
    .files = { $count ->
        [one] 1 file
       *[other] { $count } files
    }
    .lines = { $count ->
        [one] 1 line
       *[other] { $count } lines
    }
    .photos = { $count ->
        [one] 1 photo
       *[other] { $count } photos
    }
    .seconds = { $count ->
        [one] 1 second
       *[other] { $count } seconds
    }
operation-rate =
    .commits = { $rate } commits/s
    .files = { $rate } files/s
    .lines = { $rate } lines/s
    .photos = { $rate } photos/s
# $bytes: of the user's, without journals and the like.
operation-moved = { $bytes } of user data in { $time }

## A step in one line.

step-line =
    .prepared = in { $time }
    .done = done
    .interrupted = interrupted
    .failed = failed
    .hung = the drive stopped responding
    .no-io = no I/O completed
    .no-rate = no rate reported
    .nothing = nothing was done
    .withheld = withheld: { $why }
    .latest = latest { $time }
    .late = too late
    .behind = { $share } of what was due
    .pause = pause { $time }
step-line-why =
    .contradicted = only { $share } reached the drive
    .paused = the program was paused { $time }
    .above-link = faster than the link to the drive

## The outline before the first step.

header-label =
    .label = Label
    .tags = Tags
    .drive = Drive
    .card = Card
    .layers = Through
    .file-system = File system
    .machine = Machine
    .engines = Engines
    .clock = Clock
    .suite = Suite
    .time = Takes
    .writes = Writes
header-layer = { $kind } { $name }
# $engine: used, $wanted: asked for, $why: a phrase.
header-engine = { $engine } instead of { $wanted } ({ $why })
# $kind: such as ext4.
header-mount =
    .at = { $kind } at { $place }
    .free = { $free } free of { $size }
header-card =
    .marks = marked { $marks }
    .maker-id = maker ID { $id }
    .made = made { $month }
    .used = { $low } to { $high } of rated life used
    .worn-out = beyond its rated life
# $time: as 1:05.
header-time =
    .at-most = at most { $time } if the drive responds
    .virtual = at most { $time } of virtual time
    .unbounded = as long as the drive needs
# $most: at most so much.
header-writes =
    .nothing = nothing
    .simulated = nothing: the drive is simulated
    .test-files = at most { $most }, in files that are removed afterwards
    .device = at most { $most }, over the contents of the device
    .restored = at most { $most }, over contents of the device that are restored
    .named = at most { $most }, in files that stay
    .unbounded = as much as the time allows, in files that stay
