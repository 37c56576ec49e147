//! Simulated drive models whose results can be computed by hand.

/// A drive without randomness, so that results are exact: a 4 KiB read takes 100 µs, a write 200 µs, a flush
/// 500 µs after a write and 10 µs otherwise; eight requests at a time.
pub const PLAIN: &str = "
name = 'plain'
title = 'A drive without any chance'
kind = 'ssd'
capacity_bytes = 4_294_967_296
channels = 8

[bus]
command_ns = 10_000
transfer_len_bytes_max = 1_048_576

[read]
bytes_per_s = 1_000_000_000_000
sequential_ns = 89_996
pages = [{ share = 1.0, mean_ns = 89_996, deviation_ns = 0 }]

[write]
bytes_per_s = 1_000_000_000_000
partial_below_bytes = 1_073_741_824
partial = [{ share = 1.0, mean_ns = 189_996, deviation_ns = 0 }]
full = [{ share = 1.0, mean_ns = 189_996, deviation_ns = 0 }]
after_flush_ns = 0

[mapping]
unit_bytes = 512
open_units = 1
copy_bytes_per_s = 1_000_000_000

[flush]
journal_ios = 2
journal_bytes = 8_192
paths = [{ share = 1.0, mean_ns = 490_000, deviation_ns = 0 }]

[variation]
run_to_run = 0.0
drift = 0.0
drift_time_ns = 1_000_000_000
";
