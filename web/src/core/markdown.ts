// The little Markdown that rule pages are written in, as blocks to be drawn; never as HTML.

export type Span =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "source"; readonly text: string }
  | { readonly kind: "strong"; readonly text: string }
  | { readonly kind: "code"; readonly text: string };

export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly id: string; readonly text: string }
  | { readonly kind: "paragraph"; readonly spans: readonly Span[] }
  | { readonly kind: "list"; readonly items: readonly (readonly Span[])[] };

/** Split a line into text, **strong**, `code`, and the source in brackets at its end. */
export function spansOf(line: string): Span[] {
  const cited = /^(.*?)\s*\[([^\]]+)\]$/s.exec(line);
  const body = cited?.[1] ?? line;
  const spans: Span[] = body
    .split(/(\*\*[^*]+\*\*|`[^`]+`)/)
    .filter((part) => part !== "")
    .map((part) =>
      part.startsWith("**")
        ? { kind: "strong", text: part.slice(2, -2) }
        : part.startsWith("`")
          ? { kind: "code", text: part.slice(1, -1) }
          : { kind: "text", text: part },
    );
  if (cited?.[2] !== undefined) spans.push({ kind: "source", text: cited[2] });
  return spans;
}

/** The anchor of a heading: the number that it begins with ("4. Melds" is "s4"), else none. */
function anchor(text: string): string {
  const number = /^(\d+)\./.exec(text)?.[1];
  return number === undefined ? "" : `s${number}`;
}

export function parseMarkdown(source: string): Block[] {
  const blocks: Block[] = [];
  let items: Span[][] = [];
  let lines: string[] = [];
  const flush = (): void => {
    if (items.length > 0) blocks.push({ kind: "list", items });
    if (lines.length > 0) blocks.push({ kind: "paragraph", spans: spansOf(lines.join(" ")) });
    items = [];
    lines = [];
  };
  for (const line of source.split("\n")) {
    const heading = /^(#{1,4}) (.*)$/.exec(line);
    if (heading?.[1] !== undefined && heading[2] !== undefined) {
      flush();
      blocks.push({ kind: "heading", level: heading[1].length, id: anchor(heading[2]), text: heading[2] });
    } else if (line.startsWith("- ")) {
      if (lines.length > 0) flush();
      items.push(spansOf(line.slice(2)));
    } else if (line.trim() === "") flush();
    else lines.push(line.trim());
  }
  flush();
  return blocks;
}
