// A list whose newest line is at the end and in view, unless somebody has scrolled back to read.
import type { Attachment } from "svelte/attachments";

const NEAR_PX = 48;

/** `moved` is told whether the end is in view. */
export function stickToEnd(moved: (atEnd: boolean) => void = () => undefined): Attachment<HTMLElement> {
  return (element) => {
    let atEnd = true;
    const toEnd = (): void => {
      element.scrollTop = element.scrollHeight;
    };
    const scrolled = (): void => {
      const end = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX;
      if (end !== atEnd) moved(end);
      atEnd = end;
    };
    const changed = (): void => {
      if (atEnd) toEnd();
    };
    const lines = new MutationObserver(changed);
    lines.observe(element, { childList: true, subtree: true });
    const size = new ResizeObserver(changed);
    size.observe(element);
    element.addEventListener("scroll", scrolled, { passive: true });
    toEnd();
    return () => {
      lines.disconnect();
      size.disconnect();
      element.removeEventListener("scroll", scrolled);
    };
  };
}
