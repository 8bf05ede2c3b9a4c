import { isRecord } from "../../base/json.ts";

/** `parameters` is a JSON Schema object. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** With any status. */
export interface ErrorBody {
  readonly code: string;
  readonly message: string;
}

const keptBack: ReadonlySet<string | undefined> = new Set(["content_filter", "refusal", "safety"]);
/** Returns whether a provider kept its model's answer back. */
export const isKeptBack = (finish: string | undefined): boolean => keptBack.has(finish);

/** Reads `{error: {code, type, message}}` or `{error: "…"}`; undefined if there is none. */
export function readError(body: unknown): ErrorBody | undefined {
  if (!isRecord(body)) return undefined;
  const { error } = body;
  if (typeof error === "string") return { code: "", message: error };
  if (!isRecord(error)) return undefined;
  const code = [error.code, error.type].find((value) => typeof value === "string" && value !== "");
  return {
    code: typeof code === "string" ? code : "",
    message: typeof error.message === "string" ? error.message : "",
  };
}

/** Converts tools to Chat Completions. The system prompt describes each, so that a request says it once. */
export const wireTools = (tools: readonly ToolSpec[], { described = false }: { readonly described?: boolean } = {}) =>
  tools.map(({ name, description, parameters }) => ({
    type: "function" as const,
    function: { name, ...(described && { description }), parameters: { ...parameters } },
  }));
