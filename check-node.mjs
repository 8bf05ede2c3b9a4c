// Sees to it that the program runs on the Node it is written for, ends with whoever started it, and saves what can be saved of a
// start's time and memory. Plain JavaScript, because an old Node cannot read the rest, and because Node would load its TypeScript
// compiler (25 MB) for a file that is read before there is a cache. npm installs that Node as a package without a link in
// node_modules/.bin, so the system's own Node starts the program: it hands over to the installed one, with flags, signals and exit code.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import module from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { isMainThread } from "node:worker_threads";

const { env } = process;
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (isMainThread) endWithStarter();

if (major < 24 || (major === 24 && minor < 12)) {
  const installed = installedNode();
  if (installed === undefined) {
    const remedy = "Install Node 24 (npm installs it with Countersign on Linux, Windows and Intel Macs).";
    console.error(`Countersign runs on Node 24.12 or newer; this is ${process.versions.node}. ${remedy}`);
    process.exit(2);
  }
  const args = [...process.execArgv, ...process.argv.slice(1)];
  const child = spawn(installed, args, { stdio: "inherit", env: { ...env, COUNTERSIGN_STARTER: String(process.pid) } });
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"])
    process.on(signal, () => {
      // Ctrl-C reaches both from the terminal, and a second one would cut the drain short.
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    });
  const [code, signal] = await new Promise((resolve) => child.once("exit", (...ending) => resolve(ending)));
  process.exit(code ?? (signal === "SIGINT" ? 130 : 143));
}

// Most of a start is compiling: what one has compiled serves the next. It stands with the program, so that who may write there
// is who may change the program; where nobody may, nothing is kept.
module.enableCompileCache(fileURLToPath(new URL("./node_modules/.cache/compiled", import.meta.url)));
// V8 would compile again, better, what is used most of the embedded PostgreSQL while the bot starts: for a moment that took
// 600 MB, and a core for two seconds, and makes a statement a fifth faster.
for (const flag of ["--no-wasm-tier-up", "--no-wasm-dynamic-tiering"]) setFlagsFromString(flag);

/** The Node of an optional package: beside Countersign if it is installed, below it in a clone. */
function installedNode() {
  const name = `node-${process.platform}-${process.arch}`;
  try {
    const manifest = module.createRequire(import.meta.url).resolve(`${name}/package.json`);
    return join(dirname(manifest), "bin", process.platform === "win32" ? "node.exe" : "node");
  } catch {
    return undefined;
  }
}

/**
 * Asks this process to stop, as SIGTERM does, once `npm start`, `npm run demo`, `npx` or the Node that handed over has ended, also
 * by SIGKILL. A bot that a supervisor or a shell started goes on without it: that is how a daemon begins.
 */
function endWithStarter() {
  const starter = process.ppid;
  const isHandedOver = env.COUNTERSIGN_STARTER === String(starter);
  if (!isHandedOver && !/^(start|demo|npx)$/.test(env.npm_lifecycle_event ?? "")) return;
  // Debian's sh stays between npm and what it starts, and outlives it.
  const shell = isHandedOver ? undefined : parentOfShell(starter);
  const timer = setInterval(() => {
    if (process.ppid === starter && (shell === undefined || parentOfShell(starter) === shell)) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, 500);
  timer.unref();
}

/** The parent of a process that is the shell npm runs a script in; nothing for npm itself, and without /proc. */
function parentOfShell(pid) {
  try {
    const isShell = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")[1] === "-c";
    return isShell ? /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] : undefined;
  } catch {
    return undefined;
  }
}
