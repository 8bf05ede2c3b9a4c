import type { Alert } from "../../alert/alert.ts";
import { redactText } from "../../text/bare.ts";
import type { Redact } from "../../text/redact.ts";

const longest = { title: 200, name: 100, label: 1_000, annotation: 4_000, url: 1_000, rest: 8_000 } as const;

type Texts = Readonly<Record<string, string>>;

/** An alert without its secrets and on one line where lines mean something; cut only then, since half a secret has no shape to know it by. */
export function bareAlert(redact: Redact, alert: Alert): Alert {
  const text = (given: string, most: number): string => cut(oneLine(redactText(redact, given)), most);
  const texts = (given: Texts, most: number): Record<string, string> =>
    Object.fromEntries(
      Object.entries(given).map(([name, value]) => [
        text(name, longest.name),
        text(bareValue(redact, name, value), most),
      ]),
    );
  return {
    ...alert,
    title: text(alert.title, longest.title),
    severity: alert.severity === null ? null : text(alert.severity, longest.name),
    labels: texts(alert.labels, longest.label),
    annotations: texts(alert.annotations, longest.annotation),
    alerts: alert.alerts.map((one) => ({
      ...one,
      labels: texts(one.labels, longest.label),
      annotations: texts(one.annotations, longest.annotation),
    })),
    links: alert.links.filter(({ url }) => url.length <= longest.url && isBareUrl(redact, url)),
    rest: Object.keys(alert.rest).length === 0 ? {} : restOf(redact, alert),
  };
}

/** Whether nothing in an address is a secret, however often it was encoded; one that cannot be decoded is not vouched for. */
function isBareUrl(redact: Redact, url: string): boolean {
  let read = url;
  for (let round = 0; round < 4; round++) {
    if (redactText(redact, read) !== read) return false;
    const decoded = decodedOf(read);
    if (decoded === read) return true;
    if (decoded === undefined) return false;
    read = decoded;
  }
  return false;
}

function decodedOf(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The labels that can be filled into a command: of these a part is worse than nothing. */
export function valuesIn(redact: Redact, { labels }: Pick<Alert, "labels">): Record<string, string> {
  const whole = ([name, value]: [string, string]): boolean =>
    /^[A-Za-z][\w.:/-]{0,99}$/.test(name) && value.length <= longest.label && bareValue(redact, name, value) === value;
  return Object.fromEntries(Object.entries(labels).filter(whole));
}

/** A value as its name has it read: a `password` is a secret whatever it looks like. */
function bareValue(redact: Redact, name: string, value: string): string {
  const bare = redactText(redact, `${name}=${value}`);
  return bare.startsWith(`${name}=`) ? bare.slice(name.length + 1) : redactText(redact, value);
}

const restOf = (redact: Redact, { rest }: Alert): Alert["rest"] => ({
  text: cut(redactText(redact, JSON.stringify(rest, null, 2)), longest.rest),
});

const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, " ⏎ ").trim();

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).toWellFormed()} …` : text;
