import { join } from "node:path";
import { expect, it } from "vitest";
import { surveyConfig } from "../../src/config/load.ts";
import { connectionsTo } from "../../src/service/start.ts";
import { useFolder, writerIn } from "../harness/use-started.ts";
import { ca, standIn, success } from "../sources/stand-in.ts";

const folder = useFolder();
const write = writerIn(folder);

it("SR-47 a source's token that is replaced while the bot runs is known to the redactor before it is sent", async () => {
  const { url, asked } = await standIn(success("vector", []));
  write("ca.pem", ca);
  write("token", "the-first\n");
  write(
    "countersign.yml",
    `sources: { prom: { kind: prometheus, url: '${url}', token_file: token, ca_file: ca.pem } }`,
  );
  // What is missing of GitHub is no part of this.
  const survey = surveyConfig({ file: join(folder, "countersign.yml"), env: {} });
  const config = survey.ok ? survey.config : survey.rest?.config;
  const server = config?.servers.get("prom");
  if (!config || !server) throw new Error("no source in the inventory");
  const learned: string[] = [];
  const sentWith = (): readonly (string | undefined)[] => asked.map(({ authorization }) => authorization);
  const connections = connectionsTo(config, { learn: (secrets) => void learned.push(...secrets), kubectl: undefined });
  for (const token of ["the-first", "the-second"]) {
    write("token", `${token}\n`);
    const order = { server, wrapped: '{"call":"query","query":"up"}' };
    const reservation = await connections.reserve(order, new AbortController().signal);
    expect(learned.at(-1)).toBe(token);
    await reservation.send(Date.now(), {});
    expect(sentWith().at(-1)).toBe(`Bearer ${token}`);
  }
  await connections.close();
});
