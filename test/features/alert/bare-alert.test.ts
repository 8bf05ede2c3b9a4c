import { expect, it } from "vitest";
import { bareAlert } from "../../../src/features/alert/take-alert.ts";
import { createRedactor } from "../../../src/text/redact.ts";

const redact = createRedactor();
const alert = {
  pagerKey: null,
  key: "k",
  digest: "d",
  state: "firing" as const,
  title: "t",
  severity: null,
  startedAt: null,
  at: null,
  messageId: null,
  labels: {},
  annotations: {},
  alerts: [],
  firing: 1,
  total: 1,
  rest: {},
};

const secret = '{password="hunter2-Blue!42"}';
it.each([
  ["as it is", secret],
  ["encoded", encodeURIComponent(secret)],
  ["encoded twice", encodeURIComponent(encodeURIComponent(secret))],
  ["encoded five times", [1, 2, 3, 4, 5].reduce((text) => encodeURIComponent(text), secret)],
  ["beside what cannot be decoded", `${encodeURIComponent(secret)}%zz`],
])("SR-45 a link that holds a secret %s is left out", (_, written) => {
  const links = [
    { words: "Silence", url: `http://am.example.com/#/silences/new?filter=${written}` },
    { words: "Source", url: "http://prom.example.com/graph?g0.expr=spool+%3E+0.9" },
  ];
  expect(bareAlert(redact, { ...alert, links }).links.map(({ words }) => words)).toEqual(["Source"]);
});
