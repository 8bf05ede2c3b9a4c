import { pagerOf } from "../../alert/pagers.ts";
import { whyUnreachable } from "../../pager/tell.ts";
import type { ConfigLookKind } from "./look.ts";

/** Proves what can be proved without sending a pager an event: its key's form, at loading, and that its host answers. */
export const pagersLook: ConfigLookKind = {
  name: "pagers",
  roles: ["agent"],
  restsOn: ["alerts"],
  look: async ({ config }) => {
    const told = Object.entries(config.alerts.sources).flatMap(([name, { answer }]) =>
      answer ? [{ name, answer }] : [],
    );
    return Promise.all(
      told.map(async ({ name, answer: { pager, url, resolve } }) => {
        const { title, secret } = pagerOf(pager);
        const why = await whyUnreachable(url);
        const hears = resolve ? "approvals, `/ack` and `/close`" : "approvals and `/ack`";
        const said = `${title} hears of ${name}'s ${hears}; its ${secret.name} has the right form, and only an event would prove more`;
        const place = `alerts.sources.${name}.answer`;
        const remedy = "let this machine reach it, or its proxy";
        const problems = [{ place, message: `${new URL(url).host} does not answer: ${why}`, remedy }];
        return { name: "pagers", said, ...(why === undefined ? {} : { problems }) };
      }),
    );
  },
};
