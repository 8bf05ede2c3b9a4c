// Says clearly that this Node is too old. Plain JavaScript, since an old Node cannot even read src/main.ts.
import { existsSync } from "node:fs";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 24 || (major === 24 && minor < 12)) {
  const brought = new URL(`./node_modules/node-${process.platform}-${process.arch}/`, import.meta.url);
  // npm 10 removes the link together with those of the packages for other platforms; npm 11 keeps it.
  const remedy = existsSync(brought)
    ? "`npm ci` brought one, but npm 10 left it without a link: run `npm rebuild` once, or update npm to 11."
    : "Install Node 24 (`npm ci` brings it on Linux, Windows and Intel Macs).";
  console.error(`Countersign runs on Node 24.12 or newer; this is ${process.versions.node}. ${remedy}`);
  process.exit(2);
}
