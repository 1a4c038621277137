import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { saveFile } from "./share";

describe("a file that is saved", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it("is there for a browser that fetches it only later, and not for ever", () => {
    const gone = vi.fn();
    Object.assign(URL, { createObjectURL: () => "blob:one", revokeObjectURL: gone });
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
    saveFile("one.txt", "text/plain", "one");
    vi.advanceTimersByTime(1000);
    expect(gone).not.toHaveBeenCalled();
    vi.runAllTimers();
    expect(gone).toHaveBeenCalledExactlyOnceWith("blob:one");
  });
});
