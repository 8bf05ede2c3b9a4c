import { parseDuration } from "../../base/duration.ts";
import { defaultSpanMs, fetchIncidentChanges } from "../../features/changes/read-changes.ts";
import { answer } from "../../features/thread/answer.ts";
import { isAway } from "../../github/outcome.ts";
import { renderChanges } from "../../github/render/changes.ts";
import type { Call, Handler } from "../command.ts";

const longestMs = 7 * 86_400_000;

/** Lists changes before the incident, live from GitHub, without a model. */
export const changes: Handler = async (call) => {
  const { body, found } = await readServiceChanges(call);
  await call.commit((tx, incident) => answer(tx, call, incident, { outcome: found ? "done" : "mistake", body }));
};

async function readServiceChanges({
  deps,
  slash,
  incident,
}: Call): Promise<{ readonly body: string; readonly found: boolean }> {
  const known = Object.keys(deps.config.context.services);
  const names = known.map(deps.markdown.code).join(", ");
  if (known.length === 0) return { found: false, body: "No services are set up here (`context.services`)." };
  const times = slash.words.flatMap((word) => parseDuration(word.toLowerCase()) ?? []);
  const named = slash.words.filter((word) => parseDuration(word.toLowerCase()) === undefined);
  const [spanMs = defaultSpanMs, another] = times;
  const strange = named.find((word) => !known.includes(word));
  if (strange !== undefined || another !== undefined || spanMs <= 0 || spanMs > longestMs)
    return {
      found: false,
      body: `Write \`/changes 2h\`, at most 7d, with a service or without. Services here: ${names}.`,
    };
  try {
    const seen = await fetchIncidentChanges(deps, incident, spanMs, named.length > 0 ? named : undefined);
    if (seen.services.length > 0) return { found: true, body: renderChanges(seen, deps.markdown) };
    return {
      found: false,
      body: `This issue names no service that I know. Name one: \`/changes ${known[0]}\`. Services here: ${names}.`,
    };
  } catch (error) {
    if (!isAway(error)) throw error;
    return { found: false, body: "GitHub does not answer at the moment. To try again: `/changes`." };
  }
}
