#!/usr/bin/env node
// The installed program; the tree starts src/main.ts. Whatever Node this is, check-node.mjs goes on with one that can read the rest.
import "./check-node.mjs";

await import("./dist/main.js");
