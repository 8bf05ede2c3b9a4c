// Sees to it that the program runs on the Node it is written for. Plain JavaScript, since an old Node cannot even read
// src/main.ts. `npm ci` brings that Node as a package, but npm 10 leaves it without a link in node_modules/.bin, and then the
// system's own Node starts the scripts: it hands over to the one that was brought, signals and exit code included.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 24 || (major === 24 && minor < 12)) {
  const file = process.platform === "win32" ? "node.exe" : "node";
  const brought = new URL(`./node_modules/node-${process.platform}-${process.arch}/bin/${file}`, import.meta.url);
  if (!existsSync(brought)) {
    const remedy = "Install Node 24 (`npm ci` brings it on Linux, Windows and Intel Macs).";
    console.error(`Countersign runs on Node 24.12 or newer; this is ${process.versions.node}. ${remedy}`);
    process.exit(2);
  }
  const child = spawn(fileURLToPath(brought), process.argv.slice(1), { stdio: "inherit" });
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  const [code, signal] = await new Promise((resolve) => child.once("exit", (...ending) => resolve(ending)));
  process.exit(code ?? (signal === "SIGINT" ? 130 : 143));
}
