import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createToasts } from "./toasts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("a message goes by itself, an error later", () => {
  const toasts = createToasts();
  toasts.say("Copied.");
  toasts.say("It cannot be.", "error");
  vi.advanceTimersByTime(5000);
  expect(toasts.get().map((line) => line.text)).toEqual(["It cannot be."]);
  vi.advanceTimersByTime(5000);
  expect(toasts.get()).toEqual([]);
});

it("a message takes the place of the last one, but not of an error, and no more than two stand there", () => {
  const toasts = createToasts();
  toasts.say("a");
  toasts.say("no", "error");
  for (const text of ["b", "b", "c"]) toasts.say(text);
  expect(toasts.get().map((line) => line.text)).toEqual(["no", "c"]);
  toasts.say("no", "error");
  toasts.say("never", "error");
  toasts.say("not at all", "error");
  expect(toasts.get().map((line) => line.text)).toEqual(["never", "not at all"]);
});

it("a message may be sent away", () => {
  const toasts = createToasts();
  toasts.say("a");
  toasts.dismiss(toasts.get()[0]?.key ?? -1);
  expect(toasts.get()).toEqual([]);
});

it("the place that was opened last shows what is said, and each message is read out in one of them", () => {
  const toasts = createToasts();
  const seen: Record<string, readonly string[]> = {};
  const open = (name: string, ground = false) => {
    const place = toasts.place(ground);
    const stop = place.subscribe((lines) => {
      seen[name] = lines.map((line) => (line.again ? `(${line.text})` : line.text));
    });
    return { said: place.said, close: () => (place.leave(), stop()) };
  };
  const dialog = open("dialog");
  const page = open("page", true);
  toasts.say("no", "error");
  expect(seen).toEqual({ dialog: ["no"], page: [] });
  dialog.said();
  toasts.say("b");
  const over = open("over");
  expect(seen).toEqual({ dialog: [], page: [], over: ["(no)", "b"] });
  over.said();
  over.close();
  expect(seen.dialog).toEqual(["no", "(b)"]);
  toasts.say("c");
  dialog.close();
  expect(seen.page).toEqual(["(no)", "c"]);
  page.said();
  expect(seen.page).toEqual(["(no)", "c"]);
});
