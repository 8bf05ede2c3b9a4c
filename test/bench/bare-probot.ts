import { run } from "probot";

/** The peer of `cold-start`: Probot as its own documentation starts it, by environment variables, with an App that does nothing. */
await run((app) => void app.on("issue_comment.created", async () => {}));
