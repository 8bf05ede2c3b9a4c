#!/usr/bin/env node
import "../check-node.mjs";
import { resolve } from "node:path";
import { Command, Option } from "commander";
import own from "../package.json" with { type: "json" };
import { fileProblem, messageOf, OperatorError, type Problem } from "./base/errors.ts";
import { addressIn, numberIn, portOf } from "./cli/options.ts";
import { answerLines, readInput, textOfLine, throwUnlessUnread } from "./cli/terminal.ts";
import type { Ask } from "./features/operator/local.ts";

/** The command line (docs/operating.md); the only place that ends the process. */

for (const stream of [process.stdout, process.stderr]) stream.on("error", throwUnlessUnread);

const program = new Command("countersign")
  .description("An on-call bot for GitHub issues that runs nothing without a countersignature.")
  .version(own.version)
  .showHelpAfterError()
  // Typing mistakes exit with 2, like config mistakes.
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .enablePositionalOptions()
  .configureHelp({ showGlobalOptions: true });

const config = () =>
  new Option("--config <file>", "the operator's file (else COUNTERSIGN_CONFIG, else ./countersign.yml)");
const jsonl = () => new Option("--jsonl", "a JSON record a line on standard input, one a line on standard output");

/** The tools work without the operator's file. */
async function given(options: { config?: string }) {
  if (options.config === undefined) return undefined;
  return (await import("./config/load.ts")).loadConfig({ file: options.config });
}

const end = (ok: boolean): void => {
  process.exitCode = ok ? 0 : 1;
};

const role = () =>
  new Option("--role <roles>", "what this process does: web, agent, runner, by commas (default: all three)");

program
  .command("start")
  .description("runs the bot")
  .addOption(config())
  .addOption(role())
  .action(async (options) => {
    // An open bot, or a GitHub that does not answer, would hold the process.
    process.exit((await (await import("./cli/start.ts")).start(options)) ? 0 : 1);
  });

program
  .command("demo")
  .description("starts the playground: the real bot with an emulated GitHub, servers and a cluster")
  .option("--port <n>", "the page's port, or 0 for any that is free; else 3000, or the next that is free", portOf)
  .option("--once", "plays one incident in the terminal through to its end, and ends", false)
  .action(async (options) => end(await (await import("./cli/demo.ts")).demo(options)));

program
  .command("register")
  .description("creates the GitHub App and writes its credentials to files (mode 0600)")
  .option("--poll", "the bot asks GitHub, and needs no address: the App gets no webhook", false)
  .option("--patches", "the second App instead, which alone may write to repositories: for `patches`", false)
  .option(
    "--url <address>",
    "where GitHub reaches the bot otherwise, e.g. https://countersign.example.com",
    addressIn("--url"),
  )
  .option("--api <address>", "Enterprise Server: https://HOST/api/v3", addressIn("--api"), "https://api.github.com")
  .option("--organization <login>", "owner of the App; else your own account, which has no teams")
  .option("--name <name>", "the App's name; no other App on GitHub may have it")
  .option("--port <n>", "of the page on this machine; 0 for any that is free", portOf, 0)
  .option("--out <dir>", "where the files go", ".")
  .action(async (options) => void (await (await import("./cli/register.ts")).register(options, console.log)));

program
  .command("check")
  .description("checks everything an operator can get wrong; exit code 1 if it finds an error")
  .addOption(config())
  .addOption(role())
  .option("--repo <dir>", "a checked-out repository whose skills are checked too")
  .option("--only-repo", "the checked-out repository alone, without the operator's file: for its pull requests", false)
  .option("--incidents <file>", "closed incidents, as `export --incidents` writes them: which would go differently")
  .option("--base <dir>", "for --incidents: a checkout of the repository before the change")
  .option("--json", "the findings as a JSON array of place, message, remedy and severity", false)
  .option("--annotate", "for GitHub Actions: each finding at its line of the pull request", false)
  .option("--summary <file>", "adds the findings to it as a Markdown table: a job's GITHUB_STEP_SUMMARY")
  .action(async (options) => end(await (await import("./cli/check/check.ts")).reportCheck(options)));

program
  .command("explain [command...]")
  .description("a command → its risk and why")
  // `explain rm -r x`: options after the first word are the command's; after a quoted line they are ours.
  .passThroughOptions()
  .addOption(jsonl())
  .addOption(config())
  .action(async (words: string[], options) => {
    const { explainAnswer: explain } = await import("./cli/answers.ts");
    const [line = "", ...more] = words;
    const own = new Command().addOption(jsonl()).addOption(config()).allowUnknownOption().allowExcessArguments();
    const isWhole = /\s/.test(line) || /^--(?:config|jsonl)(?:=|$)/.test(more[0] ?? "");
    const behind = isWhole ? own.parse(more, { from: "user" }) : undefined;
    const answer = explain(await given({ ...options, ...behind?.opts() }));
    if (options.jsonl || behind?.opts().jsonl) return answerLines(answer);
    const command = words.length > 0 ? [line, ...(behind?.args ?? more)].join(" ") : await readInput();
    console.log(JSON.stringify(answer({ command }), null, 2));
  });

program
  .command("redact")
  .description("standard input → standard output, redacted")
  .addOption(jsonl())
  .action(async (options) => {
    const { redactAnswer: redactText } = await import("./cli/answers.ts");
    const redact = redactText();
    if (options.jsonl) return answerLines((record) => redact(textOfLine(record, "text")));
    const redacted = redact(await readInput());
    if ("error" in redacted) throw new Error(redacted.error);
    process.stdout.write(redacted.text);
  });

const made = { reply: "how the bot would read it", comment: "the slash command in it, or null" };
for (const name of ["reply", "comment"] as const)
  program
    .command(name)
    .description(`a ${name} → ${made[name]}`)
    .addOption(jsonl())
    .addOption(config())
    .action(async (options) => {
      const answer = (await import("./cli/answers.ts"))[name](await given(options));
      if (options.jsonl) return answerLines(answer);
      const text = await readInput();
      console.log(JSON.stringify(answer({ text, body: text }), null, 2));
    });

program
  .command("suggest")
  .description("an incident → the runbooks that fit, without a model")
  .requiredOption("--skills <dir>", "the folder with the skills, e.g. .github/skills")
  .addOption(jsonl())
  .action(async (options) => {
    const { suggest } = await import("./cli/answers.ts");
    const { loadSkills } = await import("./cli/skills.ts");
    const { skills, problems } = loadSkills(options.skills);
    for (const { place, message } of problems) console.error(`skipped ${place}: ${message}`);
    const answer = suggest(skills);
    if (options.jsonl) return answerLines(answer);
    const [title = "", ...body] = (await readInput()).split("\n");
    console.log(JSON.stringify(answer({ title, body: body.join("\n") }), null, 2));
  });

program
  .command("prompt")
  .description("an issue → the system prompt and the tools as the model gets them, with sources and hashes")
  .requiredOption("--repo <dir>", "a checked-out repository")
  .requiredOption("--issue <file>", "a .json with title, body and labels, or a text whose first line is the title")
  .option("--json", "as one JSON object", false)
  .addOption(config())
  .action(async ({ repo: folder, issue, json, ...options }) => {
    const { assemblePrompt, describePrompt } = await import("./cli/prompt.ts");
    const prompt = await assemblePrompt({ repo: folder, issue, config: await given(options) });
    console.log(json ? JSON.stringify(prompt) : describePrompt(prompt));
  });

const repo = () => new Option("--repo <owner/name>", "this repository alone, not the whole bot");
const under = (group: Command, name: string, description: string): Command =>
  group.command(name).description(description).addOption(config());

under(program, "halt", "the kill switch: from now on nothing is approved or run, also while the bot runs")
  .option("--kill", "also ends the commands that run", false)
  .addOption(repo())
  .action(async (options) => console.log(await (await import("./cli/halt.ts")).halt(options)));
under(program, "resume", "lifts a halt; earlier approvals must be given again")
  .addOption(repo())
  .action(async (options) => console.log(await (await import("./cli/halt.ts")).liftHalt(options)));

const ask = async (options: { config?: string }, question: Ask): Promise<void> =>
  (await import("./cli/local.ts")).printAnswer(options, question);
under(
  program,
  "alive",
  "exit code 0 if the bot answers on the port its config names: a container's health check",
).action(async (options) => end(await (await import("./cli/alive.ts")).isAlive(options)));

under(program, "alert", "an alert on standard input → the bot, as if its source had sent it (docs/alerts.md)")
  .argument("<source>", "its name in `alerts.sources`")
  .action(async (source: string, options) =>
    ask(options, (await import("./cli/local.ts")).alertAsk(options, source, await readInput())),
  );

const signer = program
  .command("signer")
  .description("signs each countersigned command for sshd, as a process of its own (docs/signer.md)")
  .enablePositionalOptions();
under(signer, "start", "runs the signer, by a file of its own").action(async (options) =>
  (await import("./cli/signer.ts")).runSigner(options),
);
under(signer, "setup", "prints what a server's sshd needs to take the signer's certificates, and nothing else")
  .argument("<server>", "its name in the signer's file")
  .action(async (server: string, options) =>
    console.log((await import("./cli/signer.ts")).signerSetup(options, server)),
  );
under(program, "keys", "approvers' passkeys: `add <login> <GitHub id>`, `list` or `revoke <fingerprint>`")
  .arguments("<what> [words...]")
  .action(async (what: string, words: string[], options) =>
    ask(options, (await import("./cli/local.ts")).keysAsk(options, what, words)),
  );
under(program, "mcp", "lets another agent propose commands over standard input and output (docs/agents.md)")
  .requiredOption("--as <name>", "its name in `policy.proposers.mcp`")
  .action(async (options) => (await import("./cli/mcp.ts")).serveMcp(options));
under(program, "export", "the closed incidents of a repository, redacted, for `check --incidents`")
  .requiredOption("--incidents", "exports incidents; there is nothing else to export yet")
  .requiredOption("--repo <owner/name>", "of this repository")
  .option("--since <time>", "those opened from this time on, e.g. 2026-03-01")
  .action(async (options) => (await import("./cli/export.ts")).exportIncidents(options));

const store = program.command("store").description("saves or moves everything the bot knows");
under(store, "export", "writes the whole store to one file, which `import` reads into either kind of database")
  .argument("<file>", "a path where nothing is yet", (path: string) => resolve(path))
  .action((to: string, options) => ask(options, { ask: "export", to }));
under(store, "import", "reads such a file into the empty store that the config names")
  .argument("<file>")
  .action(async (file: string, options) =>
    console.log(await (await import("./cli/local.ts")).storeImport(options, file)),
  );
under(store, "backup", "saves the store, also while the bot runs: an embedded one as a folder, a server's as `export`")
  .argument("<to>", "a path where nothing is yet", (path: string) => resolve(path))
  .action((to: string, options) => ask(options, { ask: "backup", to }));

const incident = program.command("incident").description("what the store knows, also while GitHub is down");
under(incident, "list", "all incidents, oldest first, with what is open in them").action((options) =>
  ask(options, { ask: "list" }),
);
under(incident, "show", "an incident's actions: command, state, how it ended")
  .argument("<number>", "the issue's", numberIn("<number>"))
  .addOption(repo())
  .action((number: number, options) => ask(options, { ask: "show", number, repo: options.repo }));
under(incident, "output", "the whole output of an action's runs, as it is kept")
  .argument("<number>", "the issue's", numberIn("<number>"))
  .argument("<action>", "the action's number", numberIn("<action>"))
  .addOption(repo())
  .action((number: number, action: number, { repo: of, ...options }) =>
    ask(options, { ask: "output", number, action, repo: of }),
  );

const audit = program.command("audit").description("the audit log");
under(audit, "verify", "checks that nobody changed it")
  .option("--passkeys", "also the signature behind each approval by passkey", false)
  .action(async (options) => end(await (await import("./cli/audit.ts")).auditVerify(options)));
under(audit, "export", "prints its rows, one a line")
  .addOption(new Option("--format <form>", "the format").choices(["jsonl", "cef", "ocsf"]).default("jsonl"))
  .addOption(repo())
  .option("--incident <number>", "this issue alone", numberIn("--incident"))
  .option("--since <time>", "from this time on, e.g. 2026-03-01 or 2026-03-01T14:00:00Z")
  .option("--until <time>", "before this time")
  .action(async (options) => (await import("./cli/audit.ts")).auditExport(options));

program.hook("preAction", async (_, command) => {
  // These call GitHub or the model.
  if (/^(start|demo|register|check)$/.test(command.name())) (await import("./cli/proxy.ts")).honourProxy();
});

/** Prints a line for each problem; returns the exit code. */
function tellError(error: unknown): 1 | 2 {
  const problem = fileProblem(error);
  if (error instanceof OperatorError) for (const one of error.problems) tell(one);
  else if (problem?.place) tell(problem);
  else console.error(`countersign: ${messageOf(error)}`);
  return error instanceof OperatorError ? 2 : 1;
}

const tell = ({ place, message, remedy }: Problem): void =>
  console.error(`✗ ${place}: ${message}${remedy ? ` — ${remedy}` : ""}`);

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = tellError(error);
  // Otherwise the process stays, and no supervisor restarts it.
  setTimeout(() => {
    console.error("countersign: something did not let itself be closed; ended all the same");
    process.exit();
  }, 10_000).unref();
}
