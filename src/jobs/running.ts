/** The commands that this process is running, so that a slash command can cancel one by aborting its signal. */
export interface Running {
  readonly add: (actionId: string) => { readonly signal: AbortSignal; readonly release: () => void };
  /** Cancels a run, telling it by whom; false where it is not run here. */
  readonly cancel: (actionId: string, by: string) => boolean;
}

export function createRunning(): Running {
  const controllers = new Map<string, AbortController>();
  return {
    add: (actionId) => {
      const controller = new AbortController();
      controllers.set(actionId, controller);
      return { signal: controller.signal, release: () => controllers.delete(actionId) };
    },
    cancel: (actionId, by) => {
      const controller = controllers.get(actionId);
      controller?.abort(by);
      return controller !== undefined;
    },
  };
}
