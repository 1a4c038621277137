import { describe, expect, it } from "vitest";
import { Latest } from "./latest";

describe("of several questions", () => {
  it("only the last one that was begun counts, in whatever order the answers come", () => {
    const latest = new Latest();
    const first = latest.begin();
    expect(first()).toBe(true);
    const second = latest.begin();
    expect([second(), first(), second()]).toEqual([true, false, true]);
  });

  it("one that only follows takes nobody's place", () => {
    const latest = new Latest();
    const asked = latest.begin();
    const follower = latest.follow();
    expect([asked(), follower()]).toEqual([true, true]);
    latest.begin();
    expect([asked(), follower()]).toEqual([false, false]);
  });

  it("none counts once something else took their place", () => {
    const latest = new Latest();
    const asked = latest.begin();
    latest.begin();
    expect(asked()).toBe(false);
  });
});
