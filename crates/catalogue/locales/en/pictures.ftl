### Pictures: titles, axes, legends, and the sentences that screen readers say.

# $picture: what is drawn, $of: a test, or names of checkups.
picture-title = { $picture }: { $of }
picture-over-time = Bandwidth during the test
picture-percentiles = Latency percentiles
picture-distribution = Latency distribution
picture-latency-over-time = Latency over time
picture-dots = Results by test
picture-sweep = Sweep
picture-course = Sustained write

## Names of curves and bars.

# $name: of a checkup, $id: its number.
picture-name-with-id = { $name } ({ $id })
# $name: of a checkup or a test, $direction: read, write.
picture-line = { $name }, { $direction }
# $name: of a checkup, a test or a curve, $said: a phrase, or a figure.
picture-of = { $name }: { $said }
picture-fsync = fsync
picture-phrase-spoken = { $phrase }.

## Axes.

picture-axis = { $what } ({ $unit })
picture-axis-time = time
picture-axis-latency = latency
picture-latency =
    .heat = latency (darker: more I/Os)
    .points = latency (line: mean of each window, points: its slowest I/O)
picture-axis-written = data written
picture-axis-share = share of I/Os (%)
picture-axis-faster = share of I/Os that are faster (%)

## Legends and notes.

picture-speed-windows = bandwidth in windows of { $window }
picture-speed-windows-differ = bandwidth in windows of { $shortest } to { $longest }
picture-speed-spread = { $line }: mean { $mean }, from { $low } to { $high }.
picture-latency-spread = { $line }: { $ios } I/Os from { $low } to { $high }, mean { $mean }.
picture-latency-range = { $line }: latency from { $low } to { $high }.
picture-percentile = p{ $percent } { $latency }
# $percentiles: such as p50 and p99.
picture-percentiles-spoken = { $line }: { $percentiles }.
picture-too-few = No curve for { $line }: { $ios } I/Os are too few.
picture-own-scales = Each drive has its own scale.
picture-fall-off = drops from { $before } to { $after } after { $written }
picture-stalls =
    { $count ->
        [one] 1 stall of { $least } or more: no I/O completed for { $longest }
       *[other] { $count } stalls of { $least } or more: no I/O completed for up to { $longest }
    }
picture-pauses =
    { $count ->
        [one] program paused for { $total }
       *[other] program paused { $count } times, { $total } in all
    }
# After the name of a figure.
picture-measure =
    .higher = higher is better
    .lower = lower is better
    .log = log scale
picture-better = Higher is better; of latencies, lower.
picture-interval = Lines through points are 95 % confidence intervals, where known.
picture-limits = ≥ and ≤ mark what purposes ask.
picture-withheld = withheld
# $names: of checkups.
picture-lacking = Without such a figure: { $names }.

## Sweeps.

# $column: such as QD32, $value: a number without its unit, or a dash.
picture-sweep-cell = { $column } { $value }
# $row: such as "random read, 4K", $cells: its figures, $unit: their unit.
picture-sweep-row = { $row }: { $cells } ({ $unit }).

## Why there is no picture.

# $steps: the ids of the steps that there are.
plot-error =
    .no-step = no measured step is called '{ $id }'; { $hint }
    .no-sweep = nothing to draw: there is no sweep table; cardiograph check --suite sweep measures one
    .no-series = nothing to draw: no measured step has a time series
    .no-percentiles = nothing to draw: no measured step has latencies of more than { $ios } I/Os
    .no-latencies = nothing to draw: no measured step has latencies
    .no-figures = nothing to draw: no step has figures
    .too-many-reports = { $found } checkups are too many for one chart; name at most { $most }
    .too-low = the picture does not fit into { $width }x{ $height }: at this width it is { $needed } pixels high; leave out the height, or give one of { $needed }, or choose a --step
    .too-many-steps = { $found } steps are too many for one chart, which takes { $most }; name one with --step: { $steps }
    .sweep-is-whole = a sweep is drawn whole: remove --step, or choose another --kind
# $samples: a number
picture-uncertain = Dotted: fewer than { $samples } I/Os are slower, so the curve may end elsewhere in another run.
