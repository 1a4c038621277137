import { describe, expect, it } from "vitest";
import { parseMarkdown, spansOf } from "./markdown";

describe("a rule page", () => {
  it("is headings with anchors, paragraphs and lists", () => {
    const blocks = parseMarkdown("# Rules\n\nOne line\nand more.\n\n## 4. Melds\n\n- A run. [003 §5]\n- A set.\n");
    expect(blocks).toEqual([
      { kind: "heading", level: 1, id: "", text: "Rules" },
      { kind: "paragraph", spans: [{ kind: "text", text: "One line and more." }] },
      { kind: "heading", level: 2, id: "s4", text: "4. Melds" },
      {
        kind: "list",
        items: [
          [
            { kind: "text", text: "A run." },
            { kind: "source", text: "003 §5" },
          ],
          [{ kind: "text", text: "A set." }],
        ],
      },
    ]);
  });

  it("has strong words and code, and never HTML", () => {
    expect(spansOf("Say **no** to `x` and <b>")).toEqual([
      { kind: "text", text: "Say " },
      { kind: "strong", text: "no" },
      { kind: "text", text: " to " },
      { kind: "code", text: "x" },
      { kind: "text", text: " and <b>" },
    ]);
  });

  it("may be empty", () => {
    expect(parseMarkdown("")).toEqual([]);
  });
});
