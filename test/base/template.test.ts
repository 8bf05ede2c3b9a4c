import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { loadTemplate, readTemplate } from "../../src/base/template.ts";

const comments = readdirSync(new URL("../../templates/comments/", import.meta.url)).map((name) => `comments/${name}`);
const placesOf = (name: string): readonly string[] => [
  ...new Set([...readTemplate(name).matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? "")),
];
const filled = (name: string, value: (place: string) => string): Record<string, string> =>
  Object.fromEntries(placesOf(name).map((place) => [place, value(place)]));

describe("a template", () => {
  it("INJ-1 that is missing fails at once and is named", () => {
    expect(() => loadTemplate("comments/none.md")).toThrow("templates/comments/none.md cannot be read");
    expect(readTemplate("instructions.md")).toMatch(/\S/);
  });

  it.each(comments)("DC-7 %s fills every place, once each value is given", (name) => {
    const template = loadTemplate(name);
    const drawn = template(filled(name, (place) => `<${place}>`));
    for (const place of placesOf(name)) expect(drawn).toContain(`<${place}>`);
    expect(drawn).not.toContain("{{");
  });

  it.each(comments)("DC-7 %s throws for a value that is missing or has no place", (name) => {
    const template = loadTemplate(name);
    const all = filled(name, () => "x");
    for (const place of placesOf(name)) {
      const { [place]: _left, ...rest } = all;
      expect(() => template(rest), place).toThrow(`wants a value for ${place}`);
    }
    expect(() => template({ ...all, plcae: "x" })).toThrow("has no place for plcae");
  });

  it("DC-7 paragraphs that come out empty leave no hole", () => {
    const name = "comments/card.md";
    const drawn = loadTemplate(name)(filled(name, (place) => (place === "status" || place === "how" ? place : "")));
    expect(drawn).toBe("status\n\nhow");
  });

  it("SR-31 a value that looks like a place, or like a pattern of a replacement, stays as it is", () => {
    const name = "comments/card.md";
    const drawn = loadTemplate(name)(filled(name, (place) => (place === "prose" ? "{{actions}} $& $1 $$" : "x")));
    expect(drawn).toContain("{{actions}} $& $1 $$");
  });
});
