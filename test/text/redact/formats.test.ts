import { expect, test } from "vitest";
import { findFormats, formats } from "../../../src/text/redact/formats.ts";

test.each(formats)(
  "SR-46 $name: its pattern has the whole of its example and no counter-example is taken",
  (format) => {
    expect(format.example).toMatch(new RegExp(`^(?:${format.pattern})$`));
    expect(findFormats(`x ${format.example} y`).map(({ start }) => start)).toEqual([2]);
    expect(findFormats(`x ${format.counterExample} y`)).toEqual([]);
  },
);

test("SR-46 no two formats bear one name", () => {
  expect(new Set(formats.map(({ name }) => name)).size).toBe(formats.length);
});
