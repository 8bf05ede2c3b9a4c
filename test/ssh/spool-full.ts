import { createSpool } from "../../src/ssh/capture.ts";

/** Keeps 600 kB where a file may be half of that, and prints what it reads again; a program, since a limit is a process's own. */
const spool = createSpool(1_000_000);
for (let at = 0; at < 600_000; at += 50_000)
  spool.write(at, at, Buffer.alloc(50_000, String.fromCharCode(97 + at / 50_000)));
const into = Buffer.alloc(600_000);
spool.read(0, 0, into);
spool.close();
console.log(into.toString().replace(/(.)\1*/g, (run, letter) => `${letter}${run.length} `));
