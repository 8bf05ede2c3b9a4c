import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { createMatcher } from "./paths.ts";
import { isObject } from "./shapes.ts";

interface Operation {
  readonly operationId: string;
  /** What does not fit GitHub's description of the operation; empty where all does. */
  readonly problems: (query: URLSearchParams, body: unknown) => readonly string[];
  /** What is wrong with an answer of ours; a status that GitHub does not describe is wrong too. */
  readonly answerProblems: (status: number, body: unknown) => readonly string[];
}

export interface OpenApi {
  readonly find: (method: string, path: string) => Operation | undefined;
  /** Problems of a webhook's payload against GitHub's schema; undefined where we have none for it. */
  readonly payloadProblems: (event: string, action: string | null, payload: unknown) => readonly string[] | undefined;
}

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly schema: unknown;
}
interface Described {
  readonly operationId: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly responses: Readonly<Record<string, { readonly content?: Content; readonly $ref?: string }>>;
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, { schema: unknown }>>;
  };
}
type Content = Readonly<Record<string, { readonly schema: unknown }>>;
interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly "x-webhooks": Readonly<Record<string, { readonly post: Described }>>;
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>>; readonly schemas: unknown };
}

/** Loads GitHub's OpenAPI (cut to the operations we use). Schemas are compiled when they are first needed. */
export function loadOpenApi(): OpenApi {
  const text = readFileSync(new URL("openapi.json", import.meta.url), "utf8");
  const api = JSON.parse(text) as Description;
  const bodies = createAjv({}, api);
  const queries = createAjv({ coerceTypes: "array" }, api);

  const operation = (described: Described): Operation => {
    const media = described.requestBody?.content["application/json"];
    const checkBody = lazily(() => (media ? bodies.compile(closed(toJsonSchema(media.schema))) : undefined));
    const checkQuery = lazily(() => queries.compile(querySchema(described, api)));
    return {
      operationId: described.operationId,
      problems(query, body) {
        const wrong = report(checkQuery(), groupQuery(query), "query");
        const check = checkBody();
        if (body === undefined) return described.requestBody?.required ? [...wrong, "a body is required"] : wrong;
        if (!check) return isObject(body) && Object.keys(body).length === 0 ? wrong : [...wrong, "takes no body"];
        return [...wrong, ...report(check, body, "body")];
      },
      answerProblems(status, body) {
        const response = described.responses[status];
        if (!response) return [`status ${status} is none of GitHub's`];
        const schema = response.content?.["application/json"]?.schema;
        return schema ? report(bodies.compile(toJsonSchema(schema) as object), body, "answer") : [];
      },
    };
  };

  const find = createMatcher(
    Object.entries(api.paths).flatMap(([pattern, methods]) =>
      Object.entries(methods).map(([method, described]) => ({
        method: method.toUpperCase(),
        pattern,
        value: operation(described),
      })),
    ),
  );
  const payloads = new Map<string, ValidateFunction>();
  return {
    find: (method, path) => find(method, path)?.value,
    payloadProblems(event, action, payload) {
      const name = [event, action].filter(Boolean).join("-").replaceAll("_", "-");
      const schema = api["x-webhooks"][name]?.post.requestBody?.content["application/json"]?.schema;
      if (!schema) return undefined;
      const check = payloads.get(name) ?? bodies.compile(toJsonSchema(schema) as object);
      payloads.set(name, check);
      return report(check, payload, "payload");
    },
  };
}

function createAjv(options: object, api: Description): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true, ...options });
  formats.default(ajv);
  ajv.addFormat("repo.nwo", /^[\w.-]+\/[\w.-]+$/);
  ajv.addSchema({ $id: "github", components: { schemas: toJsonSchema(api.components.schemas) } });
  return ajv;
}

/** OpenAPI 3.0 → JSON Schema 2020-12: `nullable` and where references lead. */
function toJsonSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toJsonSchema);
  if (!isObject(schema)) return schema;
  const { nullable, ...rest } = schema;
  const converted = Object.fromEntries(
    Object.entries(rest).map(([key, value]) =>
      key === "$ref" && typeof value === "string" ? [key, value.replace(/^#/, "github#")] : [key, toJsonSchema(value)],
    ),
  );
  return nullable === true ? { anyOf: [converted, { type: "null" }] } : converted;
}

/** GitHub ignores unknown fields in silence; here they are a mistake of ours. */
const closed = (schema: unknown): object => ({ ...(isObject(schema) ? schema : {}), unevaluatedProperties: false });

function querySchema(described: Described, api: Description): object {
  const parameters = (described.parameters ?? [])
    .map((p) => ("$ref" in p ? api.components.parameters[p.$ref.split("/").at(-1) ?? ""] : p))
    .filter((p) => p?.in === "query");
  return {
    type: "object",
    properties: Object.fromEntries(parameters.map((p) => [p?.name, toJsonSchema(p?.schema)])),
    required: parameters.filter((p) => p?.required).map((p) => p?.name),
    additionalProperties: false,
  };
}

const groupQuery = (query: URLSearchParams): object => Object.fromEntries(query);

function report(check: ValidateFunction, value: unknown, what: string): readonly string[] {
  if (check(value)) return [];
  return (check.errors ?? []).map((e) => {
    const extra = e.params.unevaluatedProperty ?? e.params.additionalProperty ?? e.params.allowedValues;
    return `${what}${e.instancePath} ${e.message}${extra === undefined ? "" : ` (${extra})`}`;
  });
}

function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
