import { load } from "../../../risk/peers/peer.ts";

interface Core {
  readonly lintSource: (input: {
    readonly source: { readonly filePath: string; readonly content: string; readonly contentType: "text" };
    readonly options: {
      readonly config: { readonly rules: readonly { readonly id: string; readonly rule: unknown }[] };
    };
  }) => Promise<{ readonly messages: readonly { readonly range: readonly [number, number] }[] }>;
}
interface Preset {
  readonly creator: unknown;
}

/** secretlint with its recommended rules; nothing where it is not installed. */
export async function loadSecretlint(): Promise<((text: string) => Promise<string>) | undefined> {
  const core = await load<Core>("@secretlint/core@13.0.7", "module/index.js");
  const preset = await load<Preset>("@secretlint/secretlint-rule-preset-recommend@13.0.7", "module/index.js");
  if (!core || !preset) return undefined;
  const rules = [{ id: "@secretlint/secretlint-rule-preset-recommend", rule: preset.creator }];
  return async (text) => {
    const source = { filePath: "output.txt", content: text, contentType: "text" } as const;
    const { messages } = await core.lintSource({ source, options: { config: { rules } } });
    const ranges = messages.map(({ range }) => range).toSorted((a, b) => b[0] - a[0]);
    return ranges.reduce((out, [from, to]) => `${out.slice(0, from)}[REDACTED]${out.slice(to)}`, text);
  };
}
