import { describe, expect, it, test } from "vitest";
import { words } from "../../../src/risk/engine/options.ts";
import { createEvaluator } from "../../../src/risk/evaluate.ts";
import { builtInRules } from "../../../src/risk/table.ts";

const evaluate = createEvaluator();
const seen = (command: string) => evaluate(command, { os: "linux", shell: "bash" });

describe("PA-7 a look that loads the project's code is medium, and says which", () => {
  it.each([
    ["make -n deploy", "$(shell"],
    ["make --dry-run", "$(shell"],
    ["gmake -C /srv/app -n", "$(shell"],
    ["alembic current", "imports the application"],
    ["celery -A shop status", "imports the application"],
    ["airflow dags list", "DAG files"],
    ["wp plugin list", "starts the application"],
    ["drush status", "starts the application"],
    ["gunicorn --check-config shop:app", "imports the application"],
    ["bundle list", "Gemfile"],
    ["composer show", "plugins"],
    ["yarn why lodash", ".yarnrc"],
    ["cargo tree --locked", ".cargo/config.toml"],
    ["terraform plan -lock=false", "data sources"],
    ["puppet agent --test --noop", "no rehearsal"],
    ["chef-client --why-run", "guards"],
    ["vagrant status", "Vagrantfile"],
    ["pip install --dry-run requests", "no wheel"],
    ["flyway info", "callbacks"],
  ])("%s", (command, why) => {
    const { risk, findings } = seen(command);
    expect(risk).toBe("medium");
    expect(findings.map(({ text }) => text).join("\n")).toMatch(/ runs code of the project: /);
    expect(findings.map(({ text }) => text).join("\n")).toContain(why);
  });

  it.each([
    "make --version",
    "make -v",
    "alembic --help",
    "celery --version",
    "composer show --no-plugins",
    "yarn application -list",
    "terraform validate",
    "airflow dags list-runs -d etl",
    "pip install --dry-run --only-binary=:all: requests",
    "vagrant global-status",
  ])("%s loads nothing of it", (command) => expect(seen(command).risk).toBe("low"));
});

test("PA-7 no word, option or rehearsal makes a call low whose record says that it loads the project's code", () => {
  const always = builtInRules.flatMap(({ names, rows = [] }) =>
    rows.flatMap((row) =>
      row.is === "project" && row.words === undefined && row.if === undefined ? words(row.names ?? names) : [],
    ),
  );
  const tails = ["", "list", "status", "info", "show x", "-n", "--dry-run", "--check", "-v", "status --dry-run=client"];
  const excepted = /^(yarn|poetry|composer|cdk|eas|terragrunt) |^(make|gmake) -v$/;
  const calls = always.flatMap((name) => tails.map((tail) => `${name} ${tail}`)).filter((one) => !excepted.test(one));
  expect(calls.length).toBeGreaterThan(200);
  expect(calls.filter((call) => seen(call).risk === "low")).toEqual([]);
});
