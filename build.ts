import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Plugin, rolldown } from "rolldown";
import { prepareEmptyStore } from "./demo/empty-store.ts";

/**
 * `npm run build`: bundles the program and the packages it loads into `dist/` (or the folder that is named), which `npm pack` packs. A file that a module
 * addresses by `import.meta.url` has the same path below `dist/` as in the tree: `src/ssh/job/job.sh` is `dist/src/ssh/job/job.sh`,
 * and a package's file is below `dist/packages/`. The build fails at an address that it cannot follow.
 */

const root = fileURLToPath(new URL(".", import.meta.url));
const dist = resolve(process.argv[2] ?? join(root, "dist"));

/** Optional to their packages, which go on without: native addons, and `node-liblzma`, which is LGPL. */
const absent = ["@mongodb-js/zstd", "cpu-features", "node-liblzma", "pg-native", /\.node$/];
/** Files that a package reads by a path it joins from pieces. */
const joinedPaths: Readonly<Record<string, readonly string[]>> = {
  "emulate/dist/api.js": ["fonts/geist-sans.woff2", "fonts/GeistPixel-Square.woff2", "fonts/favicon.ico"],
};

/** Folders of the packages that `dist/` has something of. */
const folders = new Set<string>();
const isOwn = (file: string): boolean => !file.includes("/node_modules/");

/** Where a file of the tree is in `dist/`, which has no folder `node_modules`: npm would leave it out. */
const placeOf = (file: string): string =>
  isOwn(file) ? relative(root, file) : file.replace(/^.*\/node_modules\//, "packages/");

function notePackage(file: string): void {
  const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? [];
  if (folder !== undefined) folders.add(folder);
}

function carry(file: string): string {
  notePackage(file);
  const place = placeOf(file);
  cpSync(file, join(dist, place), { recursive: true });
  return place;
}

const addresses: Plugin = {
  name: "addresses",
  transform(code, id) {
    const place = placeOf(id);
    for (const path of joinedPaths[place.replace("packages/", "")] ?? []) carry(join(dirname(id), path));
    if (!code.includes("import.meta.")) return null;
    const here = (to: string): string => `new URL(${JSON.stringify(`./${to}`)}, import.meta.chunk)`;
    const started = (file: string): string => {
      const fileName = `${placeOf(file).replace(/\.ts$/, "").replaceAll("/", ".")}.js`;
      this.emitFile({ type: "chunk", id: file, fileName });
      return here(fileName);
    };
    const resolved = (specifier: string): string => fileURLToPath(import.meta.resolve(specifier));
    const followed = code
      // A thread or a process that this very file, or another one, begins.
      .replace(/new URL\(\s*import\.meta\.url\s*\)/g, () => started(id))
      .replace(/new URL\(\s*"(\.[^"]+\.ts)",\s*import\.meta\.url,?\s*\)/g, (_, to: string) =>
        started(resolve(dirname(id), to)),
      )
      .replace(
        /new URL\(\s*"([^"]+)",\s*import\.meta\.resolve\("([^"]+)"\),?\s*\)/g,
        (_, to: string, specifier: string) => here(carry(resolve(dirname(resolved(specifier)), to))),
      )
      .replace(/import\.meta\.resolve\("([^"]+)"\)/g, (_, to: string) => `${here(carry(resolved(to)))}.href`)
      // A file or a folder; of a template literal, the folder with which it begins.
      .replace(/new URL\(\s*(["`])([^"`]+)\1,\s*import\.meta\.url,?\s*\)/g, (whole, _, to: string) => {
        const file = resolve(dirname(id), to.replace(/[^/]*\$\{.*/, ""));
        // The folder of the whole program is only an address.
        if (root.startsWith(file)) return whole;
        if (existsSync(file)) carry(file);
        else if (isOwn(id)) throw new Error(`${id}: there is no ${to}`);
        return whole;
      });
    const [unknown] = /import\.meta\.(?!url\b|chunk\b)\w+/.exec(followed) ?? [];
    if (isOwn(id) && unknown !== undefined) throw new Error(`${id}: the build cannot follow ${unknown}`);
    return followed
      .replaceAll("import.meta.url", `${here(place)}.href`)
      .replaceAll("import.meta.chunk", "import.meta.url");
  },
};

/** Writes which packages these are, and the texts under which each may be passed on. */
function writePackages(): void {
  const rule = "-".repeat(80);
  const packages = [...folders].sort().map((folder) => {
    const { name, version, licenses, ...own } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const license = own.license ?? licenses?.[0]?.type;
    if (license === undefined) throw new Error(`${name} does not say under which license it is`);
    const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice|third_party)/i.test(file));
    const texts = files.map((file) => readFileSync(join(folder, file), "utf8"));
    const id = `${name}@${version}`;
    return { listed: { id, license }, text: [rule, `${id}: ${license}`, rule, ...texts, ""].join("\n\n") };
  });
  const list = packages.map(({ listed }) => JSON.stringify(listed)).join(",\n");
  writeFileSync(join(dist, "packages.json"), `[\n${list}\n]\n`);
  writeFileSync(join(dist, "THIRD-PARTY-LICENSES.txt"), packages.map(({ text }) => text).join("\n"));
}

rmSync(dist, { recursive: true, force: true });
// The demo of the package must not make it at its first start.
await prepareEmptyStore();
const bundle = await rolldown({
  cwd: root,
  input: { main: "src/main.ts" },
  platform: "node",
  external: [...absent, /\/check-node\.mjs$/],
  // The packages that are CommonJS.
  transform: { define: { __dirname: "import.meta.dirname", __filename: "import.meta.filename" } },
  plugins: [addresses],
  checks: { eval: false },
});
const { output } = await bundle.write({ dir: dist, format: "esm" });
for (const part of output) if (part.type === "chunk") part.moduleIds.forEach(notePackage);
await bundle.close();
writePackages();
