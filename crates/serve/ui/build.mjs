// Builds dist/ (with --tests, the tests; with --check, compares dist/). The same sources give the same bytes.

import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const COMPRESSED_MAX = 60_000;

const target = ["es2022", "chrome111", "firefox114", "safari16.4"];

/** Licences of what is in the bundle, from the packages themselves. */
async function licences(inputs) {
  const names = inputs.map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]).filter(Boolean);
  const texts = [...new Set(names)].sort().map(async (name) => {
    const { version } = JSON.parse(await readFile(`node_modules/${name}/package.json`, "utf8"));
    const file = (await readdir(`node_modules/${name}`)).find((entry) => /^licen[cs]e/i.test(entry));
    return `${name} ${version}\n\n${(await readFile(`node_modules/${name}/${file}`, "utf8")).trim()}\n`;
  });
  return (await Promise.all(texts)).join("\n\n");
}

async function bundle() {
  const result = await build({
    entryPoints: { app: "src/main.ts" },
    bundle: true,
    minify: true,
    format: "iife",
    target,
    outdir: "dist",
    legalComments: "none",
    metafile: true,
    write: false,
  });
  const style = await build({
    entryPoints: { app: "src/app.css" },
    bundle: true,
    minify: true,
    target,
    outdir: "dist",
    metafile: true,
    write: false,
  });
  const inputs = [result, style].flatMap(({ metafile }) => Object.keys(metafile.inputs));
  const made = [...result.outputFiles, ...style.outputFiles].map(({ path, text }) => [path, text]);
  return [...made, ["dist/LICENSES.txt", await licences(inputs)]];
}

async function save() {
  await mkdir("dist", { recursive: true });
  for (const [path, text] of await bundle()) await writeFile(path, text);
}

/** Fails unless dist/ is what the sources give, and small enough for a first page. */
async function check() {
  let compressed = 0;
  for (const [path, text] of await bundle()) {
    if ((await readFile(path, "utf8").catch(() => "")) !== text) throw new Error(`${path} is out of date: npm run build`);
    if (!path.endsWith(".txt")) compressed += gzipSync(text, { level: 9 }).length;
  }
  if (compressed > COMPRESSED_MAX) throw new Error(`dist/ has ${compressed} bytes compressed, of ${COMPRESSED_MAX}`);
}

async function tests() {
  // Tests that were renamed would run, too.
  await rm("build", { recursive: true, force: true });
  const all = await readdir("test", { recursive: true });
  const files = all.filter((name) => /(\.(unit|browser|server)|pictures)\.ts$/.test(name));
  await build({
    entryPoints: files.map((name) => `test/${name}`),
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    outdir: "build/test",
    outExtension: { ".js": ".mjs" },
  });
}

const ways = { "--tests": tests, "--check": check };
await (ways[process.argv[2]] ?? save)();
