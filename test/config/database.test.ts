import { join } from "node:path";
import { expect, it } from "vitest";
import { generatePrivateKey } from "../../emulator/wire/tokens.ts";
import { parseConfig } from "../../src/config/load.ts";
import { passwordsOf, withoutPassword } from "../../src/config/secrets.ts";
import { secretsOf } from "../../src/service/start.ts";
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
  ["the address", "postgres://countersign:pa%2Fss@db/countersign", {}, ["pa/ss"]],
  ["the address's query", "postgres://db/countersign?password=pa%2Fss", {}, ["pa/ss"]],
  ["an address of a socket", "postgres://me:pa%2Fss@/ours?host=/run/pg", {}, ["pa/ss"]],
  ["an address with a bare %", "postgres://me:50%off@db/ours", {}, ["50%off"]],
  ["PGPASSWORD", server, { PGPASSWORD: "of-env" }, ["of-env"]],
  ["PGPASSFILE", server, { PGPASSFILE: passFile }, passwordsOf(pgpass)],
  ["~/.pgpass", server, { HOME: folder }, ["at-home"]],
  ["nowhere, where the store is embedded", "file:./data", { PGPASSWORD: "of-env" }, []],
])("SR-47 the database's password is known to the redactor from %s", (from, url, env, held) => {
  file(".pgpass", "*:*:*:*:at-home\n");
  const parsed = read(url, env);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  expect(parsed.config.storePasswords).toEqual(held);
  expect(secretsOf(parsed.config)).toEqual(expect.arrayContaining([...held]));
  expect(parsed.config.warnings.flatMap(({ place }) => (place.startsWith("PG") ? [place] : []))).toEqual(
    from === "PGPASSWORD" ? [from] : [],
  );
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
