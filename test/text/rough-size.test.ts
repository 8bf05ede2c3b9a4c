import { expect, it } from "vitest";
import { roughSize } from "../../src/text/output.ts";

it.each([
  [1, "under 1 kB"],
  [999, "under 1 kB"],
  [1_000, "about 1 kB"],
  [1_499, "about 1 kB"],
  [12_345_678, "about 12,346 kB"],
])("SR-49 %i bytes are told as %s", (bytes, told) => expect(roughSize(bytes)).toBe(told));
