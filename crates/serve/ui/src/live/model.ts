// What a live view knows: the same rules as the terminal's (`src/live` of the program). It reads no clock and no page.

import { NS_PER_S } from "../units";

/** Silence from which a drive counts as stalled (`STALL_NS` of the core). */
export const STALL_NS = 500e6;
/** Mean length of I/Os from which their bandwidth is of interest (`LONG_IO_BYTES`). */
const LONG_IO_BYTES = 64 * 1024;
/** Samples kept: enough for two minutes at any pace of the events. */
const SAMPLES_MAX = 4096;
const AT_WORK = ["ramp", "running", "verifying"];

interface Done {
  ios: number;
  bytes: number;
}

/** `cardiograph_engine::Progress`. */
export interface Progress {
  elapsed_ns: number;
  interval_ns: number;
  read_bytes: number;
  write_bytes: number;
  ios: number;
  latency_p99_ns: number | null;
  total: { read: Done; write: Done; trim: Done; sync: Done };
  workers: { state: string }[];
  left_ns: number | null;
}

export interface AppProgress {
  elapsed_ns: number;
  interval_ns: number;
  operation: string | null;
  operations: number;
  bytes: number;
  written_bytes: number;
}

export type Activity =
  | "inquiring"
  | { trimming: { title: string } }
  | { making_room: { title: string } }
  | { saving: { title: string; saved: number; places: number } }
  | { restoring: { what: string; percent: number } }
  | { laying_out: string }
  | { jobs: { title: string; is_paced: boolean; progress: Progress } }
  | { app: { title: string; progress: AppProgress } };

export type TimeLeft = "unknown" | { at_most: number } | { about: number };

export interface Stage {
  title: string;
  number: number;
  count: number | null;
  elapsed_ns: number;
  left: TimeLeft;
  written_bytes: number;
}

export interface Subject {
  drive: { path: string; simulated: boolean };
  suite: string;
  write_bytes_max: number | null;
}

export interface Temperature {
  drive: string;
  now_c: number;
  warning_c: number | null;
}

/** A lasting loss of write speed in the step, as the server finds it (`cardiograph_core::falloff::FallOff`). */
export interface FallOff {
  after_bytes: number;
  before_bytes_per_s: number;
  after_bytes_per_s: number;
}

export interface Row {
  name: string;
  value: string;
  note: string | null;
}

export interface Sample {
  /** Since the step began. */
  end_ns: number;
  interval_ns: number;
  operations: number;
  bytes: number;
  written_bytes: number;
  latency_ns: number | null;
  /** Nothing completed, though the drive was asked for it. */
  isSilent: boolean;
}

export interface Stall {
  start_ns: number;
  end_ns: number;
}

/** Silent times among samples that last long enough. */
export function stalls(samples: Sample[]): Stall[] {
  const found: Stall[] = [];
  let open: Stall | undefined;
  for (const { end_ns, interval_ns, isSilent } of samples) {
    if (isSilent) {
      open ??= { start_ns: end_ns - interval_ns, end_ns };
      open.end_ns = end_ns;
      if (found.at(-1) !== open && open.end_ns - open.start_ns >= STALL_NS) found.push(open);
    } else {
      open = undefined;
    }
  }
  return found;
}

/** When a step had written that much, or null if that was before the first sample. */
export function writtenAt(samples: Sample[], bytes: number): number | null {
  const at = samples.findIndex((sample) => sample.written_bytes >= bytes);
  const sample = samples[at];
  return sample && (at > 0 || sample.end_ns === sample.interval_ns) ? sample.end_ns : null;
}

export class Model {
  subject: Subject | undefined;
  stage: Stage | undefined;
  activity: Activity | undefined;
  temperature: Temperature | undefined;
  fall: FallOff | undefined;
  warnings: string[] = [];
  notes: string[] = [];
  troubles: string[] = [];
  rows: Row[] = [];
  samples: Sample[] = [];
  /** What the rates count, as the API names units. */
  unit: "B/s" | "IOPS" | "/s" = "IOPS";
  /** When the step began, on the caller's clock. */
  private began_ns = 0;

  /** Takes in an event at a time of the caller's clock. */
  take(type: string, data: unknown, now_ns: number): void {
    if (type === "subject") this.subject = data as Subject;
    else if (type === "stage") this.begin(data as Stage, now_ns);
    else if (type === "doing") this.measure(data as Activity);
    else if (type === "fall_off") this.fall = data as FallOff;
    else if (type === "temperature") this.heat(data as Temperature);
    else if (type === "step") this.rows.push(...(data as { rows: Row[] }).rows);
    else if (type === "warning") addOnce(this.warnings, data as string);
    else if (type === "note") addOnce(this.notes, data as string);
    else if (type === "trouble") addOnce(this.troubles, data as string);
  }

  private begin(stage: Stage, now_ns: number): void {
    this.stage = stage;
    this.began_ns = now_ns;
    this.activity = undefined;
    this.fall = undefined;
    this.samples = [];
  }

  /** The hottest drive is shown. */
  private heat(temperature: Temperature): void {
    const old = this.temperature;
    if (!old || old.drive === temperature.drive || old.now_c <= temperature.now_c) this.temperature = temperature;
  }

  private measure(activity: Activity): void {
    this.activity = activity;
    if (typeof activity !== "object") return;
    if ("jobs" in activity) {
      const { progress, is_paced } = activity.jobs;
      const all = Object.values(progress.total);
      const ios = all.reduce((sum, done) => sum + done.ios, 0);
      const bytes = all.reduce((sum, done) => sum + done.bytes, 0);
      this.unit = bytes >= LONG_IO_BYTES * Math.max(ios, 1) ? "B/s" : "IOPS";
      this.push(progress, {
        operations: progress.ios,
        bytes: progress.read_bytes + progress.write_bytes,
        written_bytes: progress.total.write.bytes,
        latency_ns: progress.latency_p99_ns,
        isSilent: progress.ios === 0 && !is_paced && progress.workers.some(({ state }) => AT_WORK.includes(state)),
      });
    } else if ("app" in activity) {
      const { progress } = activity.app;
      this.unit = "/s";
      this.push(progress, {
        operations: progress.operations,
        bytes: progress.bytes,
        written_bytes: progress.written_bytes,
        latency_ns: null,
        // Cameras wait for the next second of video.
        isSilent: progress.operations === 0 && progress.operation !== null && progress.operation !== "second",
      });
    }
  }

  private push(
    { elapsed_ns, interval_ns }: { elapsed_ns: number; interval_ns: number },
    rest: Omit<Sample, "end_ns" | "interval_ns">,
  ): void {
    // Jobs that run in turn begin at zero again.
    if (elapsed_ns < this.inStep_ns()) this.samples = [];
    this.samples.push({ end_ns: elapsed_ns, interval_ns, ...rest });
    if (this.samples.length > SAMPLES_MAX) this.samples.shift();
  }

  /** The rate of a sample, in bytes or operations per second. */
  rate(sample: Sample): number {
    return ((this.unit === "B/s" ? sample.bytes : sample.operations) * NS_PER_S) / Math.max(sample.interval_ns, 1);
  }

  /** How long the step's jobs run. */
  private inStep_ns(): number {
    return this.samples.at(-1)?.end_ns ?? 0;
  }

  /** Time since the checkup began. Simulated time passes in moments. */
  elapsed_ns(now_ns: number): number {
    // Who opens the page within a step learns of its beginning late.
    const seen_ns = this.subject?.drive.simulated ? 0 : now_ns - this.began_ns;
    return (this.stage?.elapsed_ns ?? 0) + Math.max(seen_ns, this.inStep_ns());
  }

  left(): TimeLeft {
    const left = this.stage?.left ?? "unknown";
    const rest = (ns: number) => Math.max(0, ns - this.inStep_ns());
    if (left === "unknown") {
      const jobs = typeof this.activity === "object" && "jobs" in this.activity ? this.activity.jobs : undefined;
      const left_ns = this.stage?.count === 1 ? jobs?.progress.left_ns : null;
      return left_ns == null ? "unknown" : { about: left_ns };
    }
    return "at_most" in left ? { at_most: rest(left.at_most) } : { about: rest(left.about) };
  }

  written_bytes(): number {
    return (this.stage?.written_bytes ?? 0) + (this.samples.at(-1)?.written_bytes ?? 0);
  }
}

function addOnce(list: string[], text: string): void {
  if (!list.includes(text)) list.push(text);
}
