/** What stands before the line of an output that speaks to the agent, where it is kept as the run's trouble. */
const mark = "speaks to the agent: ";

/** Marks such a line. */
export const markAddressed = (line: string): string => `${mark}${line}`;

/** The line itself; undefined where a run's trouble is another. */
export const addressedIn = (trouble: string | null | undefined): string | undefined =>
  trouble?.startsWith(mark) ? trouble.slice(mark.length) : undefined;
