import { failure } from "./failure.ts";

export interface PageArguments {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
}

const cursorOf = (index: number) => Buffer.from(`cursor:v2:${index}`).toString("base64");
const indexOf = (cursor: string) => Number(Buffer.from(cursor, "base64").toString().split(":").at(-1));

/** A page of `items` with GitHub's rules: `first` or `last` must be given, and is at most 100. */
export function connection<T, E extends object>(
  items: readonly T[],
  page: PageArguments,
  { name, node, edge }: { readonly name: string; readonly node: (item: T) => unknown; readonly edge?: (item: T) => E },
) {
  const { first, last, after, before } = page;
  const size = first ?? last;
  if (size === null || size === undefined) {
    throw failure(
      "MISSING_PAGINATION_BOUNDARIES",
      `You must provide a \`first\` or \`last\` value to properly paginate the \`${name}\` connection.`,
    );
  }
  if (size > 100 || size < 1) {
    throw failure(
      "EXCESSIVE_PAGINATION",
      `Requesting ${size} records on the \`${name}\` connection exceeds the limit of 100 records.`,
    );
  }
  const from = after ? indexOf(after) + 1 : 0;
  const to = before ? indexOf(before) : items.length;
  const start = first === null || first === undefined ? Math.max(from, to - size) : from;
  const end = first === null || first === undefined ? to : Math.min(to, from + size);
  const shown = items.slice(start, end);
  return {
    totalCount: items.length,
    nodes: shown.map(node),
    edges: shown.map((item, n) => ({ cursor: cursorOf(start + n), node: node(item), ...edge?.(item) })),
    pageInfo: {
      hasNextPage: end < items.length,
      hasPreviousPage: start > 0,
      startCursor: shown.length > 0 ? cursorOf(start) : null,
      endCursor: shown.length > 0 ? cursorOf(end - 1) : null,
    },
  };
}
