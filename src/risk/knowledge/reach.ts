export type { Reach } from "../program.ts";
