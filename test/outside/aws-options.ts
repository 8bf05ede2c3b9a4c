/**
 * Prints the parameters of AWS' own reads for `src/risk/knowledge/reads/aws.ts`, from botocore's API model (Debian's python3-botocore, unpacked):
 * `node test/outside/aws-options.ts FOLDER/botocore/data`. Not printed: those of operations that reveal a secret, and what makes it fetch a file.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

interface Model {
  readonly operations: Readonly<Record<string, { readonly input?: { readonly shape: string } }>>;
  readonly shapes: Readonly<
    Record<string, { readonly type: string; readonly members?: Readonly<Record<string, { readonly shape: string }>> }>
  >;
}

const reads =
  /^(Describe|List|Lookup|Search|Filter|BatchGet(?!Secret))|^Get(?!SecretValue|Parameter|PasswordData|Object|AuthorizationToken|LoginCredentials|SessionToken|FederationToken|Random|DataKey)/;
const left = new Set(["--template-url", "--with-decryption"]);
const kebab = (name: string): string =>
  name
    .replace(/(.)([A-Z][a-z]+)/g, "$1-$2")
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase();

const [folder = ""] = process.argv.slice(2);
const found = new Set<string>();
for (const service of readdirSync(folder, { withFileTypes: true })) {
  if (!service.isDirectory()) continue;
  const version = readdirSync(join(folder, service.name)).sort().at(-1) ?? "";
  const [plain, packed] = ["service-2.json", "service-2.json.gz"].map((name) =>
    join(folder, service.name, version, name),
  );
  const bytes = [plain, packed].find((file) => file !== undefined && existsSync(file));
  if (bytes === undefined) continue;
  const text = bytes.endsWith(".gz") ? gunzipSync(readFileSync(bytes)) : readFileSync(bytes);
  const { operations, shapes } = JSON.parse(text.toString()) as Model;
  for (const [name, { input }] of Object.entries(operations)) {
    if (!input || !reads.test(name)) continue;
    for (const [member, { shape }] of Object.entries(shapes[input.shape]?.members ?? {})) {
      const option = `--${kebab(member)}`;
      if (left.has(option)) continue;
      if (shapes[shape]?.type === "boolean") found.add(option).add(`--no-${option.slice(2)}`);
      else found.add(`${option}=`);
    }
  }
}
console.log([...found].sort().join(" "));
