import { beforeAll, describe, expect, it } from "vitest";
import { createNamer } from "./going";
import { setLanguage } from "./i18n";

beforeAll(() => setLanguage("en"));

describe("a name for who gave none", () => {
  it("stays the same, and each namer has its own", () => {
    const [one, other] = [createNamer(() => 0), createNamer(() => 0.999)];
    expect(one()).toBe(one());
    expect(one()).toContain("100");
    expect(other()).toContain("999");
  });
});
