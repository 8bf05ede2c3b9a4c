/** What was filled into a command, and what it still asks for, as a card says it. */

import type { NamedValue } from "../../base/action.ts";
import type { Markdown } from "./ink.ts";
import type { ActionView } from "./state.ts";

const sayers = { alert: "the alert", form: "the issue", person: "a person" } as const satisfies Record<
  NamedValue["source"],
  string
>;

/** `` `pod` = `cart-7f9` (the alert) · `ns` = `shop` (the issue) `` */
export const filledWords = (filled: readonly NamedValue[], { code }: Pick<Markdown, "code">): string =>
  filled.map(({ name, value, source }) => `${code(name)} = ${code(value)} (${sayers[source]})`).join(" · ");

/** `/fill 2 pod=… ns=…` */
export const fillUsage = ({
  number,
  spec,
}: Pick<ActionView, "number"> & { readonly spec: Pick<ActionView["spec"], "open"> }): string =>
  `/fill ${[number, ...(spec.open ?? []).map(({ name }) => `${name}=…`)].join(" ")}`;

/** What to type, and what each value can be. */
export function openWords(
  { number, spec }: Pick<ActionView, "number" | "spec">,
  { code }: Pick<Markdown, "code">,
): string {
  const kinds = (spec.open ?? []).map(
    ({ name, kind, why }) => `${code(name)} is ${kind}${why === undefined ? "" : ` (${why})`}`,
  );
  return `${code(fillUsage({ number, spec }))} · ${kinds.join("; ")}`;
}
