// Short messages at the edge of the page.
interface ToastLine {
  readonly key: number;
  readonly text: string;
  readonly kind: "info" | "error";
}

/** A message in one of the places where it is seen; `again`: it was read out in another already. */
export interface ShownLine extends ToastLine {
  readonly again: boolean;
}

/** Where messages are seen: the page, and each dialog over it, as what lies under a dialog can be neither seen well, nor
 * pressed, nor heard. The place that was opened last has them all. */
export interface ToastPlace {
  subscribe(run: (lines: readonly ShownLine[]) => void): () => void;
  /** What it shows now is read out here. */
  said(): void;
  leave(): void;
}

export interface Toasts {
  get(): readonly ToastLine[];
  subscribe(run: (lines: readonly ToastLine[]) => void): () => void;
  /** Say something; it goes by itself, an error later. It takes the place of what was said before, but of no error. */
  say(text: string, kind?: "info" | "error"): void;
  dismiss(key: number): void;
  /** Open a place; the `ground` lies under all others. */
  place(ground?: boolean): ToastPlace;
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
  let places: readonly ToastPlace[] = [];
  const moved = (next: readonly ToastPlace[]): void => {
    places = next;
    put(lines);
  };
  const tellers = new Map<number, ToastPlace>();
  const place = (ground = false): ToastPlace => {
    const shown = (): readonly ShownLine[] => {
      if (places.at(-1) !== here) return [];
      return lines.map((line) => ({ ...line, again: (tellers.get(line.key) ?? here) !== here }));
    };
    const here: ToastPlace = {
      subscribe(run) {
        const tell = (): void => run(shown());
        listeners.add(tell);
        tell();
        return () => listeners.delete(tell);
      },
      said() {
        for (const { key, again } of shown()) if (!again) tellers.set(key, here);
      },
      leave: () => moved(places.filter((one) => one !== here)),
    };
    moved(ground ? [here, ...places] : [...places, here]);
    return here;
  };
  const dismiss = (key: number): void => {
    tellers.delete(key);
    put(lines.filter((line) => line.key !== key));
  };
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
    place,
  };
}

/** The messages of this page. */
export const toasts = createToasts();
