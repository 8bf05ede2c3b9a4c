/** How one question was answered. `lost`: it was sent, and what became of it is not known. */
export interface SourceAnswer {
  readonly kind: "answered" | "refused" | "lost";
  readonly text: string;
}

/** An open connection to a source that has proven who it is, for one question. */
export interface Way {
  readonly isOpen: () => boolean;
  /** Whether what it has proven is of this moment. */
  readonly isFresh: () => boolean;
  /** Sends the question within this very tick. Never rejects; `close` ends it. */
  readonly ask: (timeoutMs: number) => Promise<SourceAnswer>;
  readonly close: () => void;
}

/** What a way is opened with. */
export interface WayOptions {
  /** The plan as an approval binds it. */
  readonly wrapped: string;
  readonly token: string | undefined;
  readonly signal: AbortSignal;
  /** How old what a source has proven may be. */
  readonly freshMs: number;
  /** For all that comes before the question. */
  readonly withinMs: number;
}

export type OpenedWay =
  | { readonly ok: true; readonly way: Way }
  /** A clause behind the source's name. */
  | { readonly ok: false; readonly reason: string };
