// Short messages at the edge of the page.
interface ToastLine {
  readonly key: number;
  readonly text: string;
  readonly kind: "info" | "error";
}

export interface Toasts {
  get(): readonly ToastLine[];
  subscribe(run: (lines: readonly ToastLine[]) => void): () => void;
  /** Say something; it goes by itself, an error later. It takes the place of what was said before, but of no error. */
  say(text: string, kind?: "info" | "error"): void;
  dismiss(key: number): void;
}

const STAYS_MS = { info: 4000, error: 9000 };

export function createToasts(): Toasts {
  let lines: readonly ToastLine[] = [];
  let last = 0;
  const listeners = new Set<(lines: readonly ToastLine[]) => void>();
  const put = (next: readonly ToastLine[]): void => {
    lines = next;
    for (const run of listeners) run(lines);
  };
  const dismiss = (key: number): void => put(lines.filter((line) => line.key !== key));
  return {
    get: () => lines,
    subscribe(run) {
      listeners.add(run);
      run(lines);
      return () => listeners.delete(run);
    },
    say(text, kind = "info") {
      last += 1;
      const key = last;
      const errors = lines.filter((line) => line.kind === "error" && line.text !== text);
      put([...errors, { key, text, kind }].slice(-2));
      setTimeout(() => dismiss(key), STAYS_MS[kind]);
    },
    dismiss,
  };
}

/** The messages of this page. */
export const toasts = createToasts();
