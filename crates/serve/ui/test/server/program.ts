// The real program, with a store in a directory of its own. CARDIOGRAPH is its path.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";

const PROGRAM = resolve(process.env.CARDIOGRAPH ?? "../../../target/debug/cardiograph");
const PATIENCE_MS = 20_000;

/** A Report as JSON, of which tests change what they need. */
// biome-ignore lint/suspicious/noExplicitAny: its shape is in docs/report.schema.json.
export type Report = any;

/** A user's home, with a store. */
export class Bench {
  readonly directory = mkdtempSync(join(tmpdir(), "cardiograph pages "));
  private options = {
    cwd: this.directory,
    env: { PATH: process.env.PATH, HOME: this.directory, XDG_DATA_HOME: join(this.directory, "data"), LANG: "C", TZ: "UTC" },
    maxBuffer: 1 << 28,
  };

  /** An empty directory below it. */
  place(name: string): string {
    mkdirSync(join(this.directory, name));
    return join(this.directory, name);
  }

  /** Runs the program to its end; the answer is its output. Fails as the program does. */
  run(args: string[], input = ""): string {
    return execFileSync(PROGRAM, args, { ...this.options, input, encoding: "utf8", stdio: ["pipe", "pipe", "pipe"] });
  }

  /** The Reports in the store, the oldest first. */
  reports(): Report[] {
    return this.run(["store", "export", "-"])
      .trim()
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  }

  /** Their ids. */
  ids(): string[] {
    return JSON.parse(this.run(["history", "--json"])).map(({ id }: Report) => id);
  }

  /** Saves Reports that are not there, except those that are not valid. */
  save(reports: Report[]): void {
    const lines = reports.map((report) => `${JSON.stringify(report)}\n`).join("");
    try {
      this.run(["store", "import", "-"], lines);
    } catch (error) {
      // 2: some are not valid.
      if ((error as { status: number }).status !== 2) throw error;
    }
  }

  spawn(args: string[]): ChildProcess {
    return spawn(PROGRAM, args, { ...this.options, stdio: ["ignore", "pipe", "inherit"] });
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** `cardiograph serve`. */
export class Server {
  private addresses: string[] = [];
  private wake: () => void = () => {};

  private constructor(
    private process: ChildProcess,
    readonly bench: Bench,
    readonly base = "",
  ) {}

  /** Starts it on a free port, or that of an earlier one. */
  static async start(bench: Bench, { like, args = [] }: { like?: Server; args?: string[] } = {}): Promise<Server> {
    const listen = like ? new URL(like.base).host : "127.0.0.1:0";
    const process = bench.spawn(["serve", "--listen", listen, ...args]);
    const server = new Server(process, bench);
    createInterface({ input: process.stdout as NodeJS.ReadableStream }).on("line", (line) => {
      const [address] = /http:\S+token=\S+/.exec(line) ?? [];
      if (address) server.addresses.push(address);
      server.wake();
    });
    const first = await server.address();
    server.addresses.unshift(first);
    return Object.assign(server, { base: new URL(first).origin });
  }

  /** The printed address that signs the next browser in, once. */
  async address(): Promise<string> {
    const end_ms = Date.now() + PATIENCE_MS;
    while (this.addresses.length === 0) {
      if (Date.now() > end_ms || this.process.exitCode !== null) throw new Error("the server printed no address");
      await new Promise<void>((done) => {
        this.wake = done;
        setTimeout(done, 100);
      });
    }
    return this.addresses.shift() as string;
  }

  /** Ends it; SIGTERM lets it finish what it does. */
  async end(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const ended = new Promise((done) => this.process.once("exit", done));
    this.process.kill(signal);
    await ended;
  }
}
