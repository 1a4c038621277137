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

it("the same message twice is said once, and no more than three stand there", () => {
  const toasts = createToasts();
  for (const text of ["a", "b", "a", "c", "d"]) toasts.say(text);
  expect(toasts.get().map((line) => line.text)).toEqual(["a", "c", "d"]);
});

it("a message may be sent away", () => {
  const toasts = createToasts();
  toasts.say("a");
  toasts.dismiss(toasts.get()[0]?.key ?? -1);
  expect(toasts.get()).toEqual([]);
});
