### Pictures: titles, axes, legends, and the sentences that screen readers say.

picture-over-time = Speed over time
picture-percentiles = Latency by percentile
picture-distribution = Distribution of latency
picture-latency-over-time = Latency over time
picture-bars = Figures of each test
    .bandwidth = Bandwidth: longer is better
    .iops = I/Os per second: longer is better
    .sync = fsync latency, p99: shorter is better
picture-sweep = Sweep
picture-course = Sustained writing

picture-axis-time = time
picture-axis-latency = latency
# $line: what the curve is of.
picture-axis-latency-of = { $line }: latency
picture-axis-share = share of I/Os (%)
picture-axis-faster = share of I/Os that are faster

picture-speed-windows = speed in each { $window }
picture-speed-windows-differ = speed in each { $shortest } to { $longest }
picture-speed-spread = { $line }: { $mean } on average, from { $low } to { $high }.
picture-latency-spread = { $line }: { $ios } I/Os from { $low } to { $high }, { $mean } on average.
picture-window-mean = { $line }: mean of each window
picture-window-slowest = { $line }: slowest I/O of each window
picture-slowest = { $line }: the slowest I/O took { $latency }.
picture-heat = the darker, the more I/Os
picture-too-few = Not drawn: { $line } ({ $ios } I/Os are too few).
picture-fall-off = falls off after { $written }, from { $before } to { $after }
picture-stalls =
    { $count ->
        [one] a stall: nothing completed for { $longest }
       *[other] { $count } stalls: nothing completed, for { $longest } at most
    }
picture-pauses =
    { $count ->
        [one] the program did not run for { $total }
       *[other] the program did not run { $count } times, for { $total } in all
    }
picture-heading-spoken = { $heading }.
picture-interval = The thin line is the 95 % interval, where one is known.
picture-withheld = withheld: not the drive's

# Why there is no picture. $known, $ids: ids of steps; $kind: as --kind takes it

plot-no-step = no measured step has the id '{ $id }'; use one of { $known }

plot-nothing =
    .sweep = it has no table of a sweep; cardiograph check --suite sweep makes one
    .series = nothing in it can be drawn as { $kind }: no measured step has a time series
    .percentiles = nothing in it can be drawn as { $kind }: no measured step has latencies of more than { $least } I/Os
    .latencies = nothing in it can be drawn as { $kind }: no measured step has latencies
    .figures = nothing in it can be drawn as { $kind }: no measured step has figures

plot-too-many-checkups = { $found } checkups are too many to tell apart in one picture: name at most { $most }

plot-too-many-steps = { $steps } steps are too many for one picture: name one with --step: { $ids }
