import { join } from "node:path";
import { expect, it } from "vitest";
import { generatePrivateKey } from "../../emulator/wire/tokens.ts";
import { passwordsOf, withoutPassword } from "../../src/config/database.ts";
import { parseConfig } from "../../src/config/load.ts";
import { secretsOf } from "../../src/service/parts.ts";
import { useFolder, writerIn } from "../harness/use-started.ts";

const folder = useFolder();
const file = writerIn(folder);
const github = {
  app_id: 7,
  private_key_file: file("app.pem", generatePrivateKey()),
  webhook_secret_file: file("hook.secret", "0123456789abcdef0123456789abcdef"),
};
const read = (url: string, env: Readonly<Record<string, string>>) =>
  parseConfig(JSON.stringify({ github, store: { url } }), join(folder, "countersign.yml"), env);

const pgpass = "# ours\n*:*:*:countersign:of\\:the\\\\file\ndb:5432:countersign:other:another one\nno password\n";
const passFile = file("pgpass", pgpass);
const server = "postgres://countersign@db/countersign";

it("reads a password file as PostgreSQL does", () => {
  expect(passwordsOf(pgpass)).toEqual(["of:the\\file", "another one"]);
});

it.each([
  { from: "the address", url: "postgres://countersign:pa%2Fss@db/countersign", env: {}, held: ["pa/ss"], warned: [] },
  {
    from: "the address's query",
    url: "postgres://db/countersign?password=pa%2Fss",
    env: {},
    held: ["pa/ss"],
    warned: [],
  },
  {
    from: "an address of a socket",
    url: "postgres://me:pa%2Fss@/ours?host=/run/pg",
    env: {},
    held: ["pa/ss"],
    warned: [],
  },
  { from: "an address with a bare %", url: "postgres://me:50%off@db/ours", env: {}, held: ["50%off"], warned: [] },
  { from: "PGPASSWORD", url: server, env: { PGPASSWORD: "of-env" }, held: ["of-env"], warned: ["PGPASSWORD"] },
  { from: "PGPASSFILE", url: server, env: { PGPASSFILE: passFile }, held: passwordsOf(pgpass), warned: [] },
  { from: "~/.pgpass", url: server, env: { HOME: folder }, held: ["at-home"], warned: [] },
  {
    from: "nowhere, where the store is embedded",
    url: "file:./data",
    env: { PGPASSWORD: "of-env" },
    held: [],
    warned: [],
  },
])("SR-47 the database's password is known to the redactor from $from", ({ url, env, held, warned }) => {
  file(".pgpass", "*:*:*:*:at-home\n");
  const parsed = read(url, env);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  expect(parsed.config.storePasswords).toEqual(held);
  expect(secretsOf(parsed.config)).toEqual(expect.arrayContaining([...held]));
  expect(parsed.config.warnings.flatMap(({ place }) => (place.startsWith("PG") ? [place] : []))).toEqual(warned);
});

it.each([
  ["file:./data", "file:./data"],
  ["postgres://nobody@127.0.0.1:1/x", "postgres://nobody@127.0.0.1:1/x"],
  ["postgres://me:one:two@db/ours", "postgres://me@db/ours"],
  ["postgres://me:one@two@db/ours", "postgres://me@db/ours"],
  ["postgres://me@db/ours?sslmode=require&password=one", "postgres://me@db/ours?sslmode=require"],
  ["postgres://me:one@/ours?host=/run/pg", "postgres://me@/ours?host=/run/pg"],
  ["postgres://me:one@[nowhere/ours", "an address that cannot be read"],
])("SR-47 of %s no password is shown", (url, shown) => expect(withoutPassword(url)).toBe(shown));

it("SR-56 a password file that others can read is refused, as PostgreSQL's own programs ignore it", () => {
  const open = file("open", pgpass, 0o644);
  expect(read(server, { PGPASSFILE: open })).toMatchObject({
    ok: false,
    problems: [{ message: expect.stringContaining("others can read it"), remedy: `chmod 600 ${open}` }],
  });
});
