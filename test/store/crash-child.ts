import { createInterface } from "node:readline";
import { openStore } from "../../src/store/database/open.ts";
import { createInbox } from "../../src/store/queue/arrival.ts";
import { serveDeliveries } from "./crash-serve.ts";

/**
 * A process to be killed: takes `guid line` from stdin into the inbox and answers each with the guid once it is
 * acknowledged; serves the deliveries, one audit row each.
 */
const store = await openStore(process.argv[2] ?? "");
const inbox = createInbox(store);
await serveDeliveries(store);

createInterface({ input: process.stdin }).on("line", (text) => {
  const [guid = "", line = ""] = text.split(" ");
  const arrival = { guid, line, event: "issues", action: null, semanticKey: null, payload: "{}" };
  inbox.receive(arrival).then(
    () => process.stdout.write(`${guid}\n`),
    (error: unknown) => process.stderr.write(`${error}\n`),
  );
});
process.stdout.write("ready\n");
