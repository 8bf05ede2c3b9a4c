// Sees to it that the program runs on the Node it is written for, and saves what can be saved of a start's time and memory. Plain
// JavaScript, since an old Node cannot even read src/main.ts, and since Node would load its TypeScript compiler (25 MB) for a file
// that is read before there is a cache. `npm ci` brings that Node as a package, but npm 10 leaves it without a link in
// node_modules/.bin, and then the system's own Node starts the scripts: it hands over to the one that was brought, flags, signals
// and exit code included.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import module from "node:module";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 24 || (major === 24 && minor < 12)) {
  const file = process.platform === "win32" ? "node.exe" : "node";
  const brought = new URL(`./node_modules/node-${process.platform}-${process.arch}/bin/${file}`, import.meta.url);
  if (!existsSync(brought)) {
    const remedy = "Install Node 24 (`npm ci` brings it on Linux, Windows and Intel Macs).";
    console.error(`Countersign runs on Node 24.12 or newer; this is ${process.versions.node}. ${remedy}`);
    process.exit(2);
  }
  const args = [...process.execArgv, ...process.argv.slice(1)];
  const child = spawn(fileURLToPath(brought), args, { stdio: "inherit" });
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  const [code, signal] = await new Promise((resolve) => child.once("exit", (...ending) => resolve(ending)));
  process.exit(code ?? (signal === "SIGINT" ? 130 : 143));
}

// Most of a start is compiling: what one has compiled serves the next. It stands with the program, so that who may write there
// is who may change the program; where nobody may, nothing is kept.
module.enableCompileCache(fileURLToPath(new URL("./node_modules/.cache/compiled", import.meta.url)));
// V8 would compile again, better, what is used most of the embedded PostgreSQL while the bot starts: for a moment that took
// 600 MB, and a core for two seconds, and makes a statement a fifth faster.
for (const flag of ["--no-wasm-tier-up", "--no-wasm-dynamic-tiering"]) setFlagsFromString(flag);
