// Copying and sharing a text, with whatever the browser allows.

/** Put a text in the clipboard. Over plain http from another computer there is no clipboard API: the old way then. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyOldWay(text);
  }
}

function copyOldWay(text: string): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "sr-only";
  field.setAttribute("readonly", "");
  const before = document.activeElement;
  // Inside an open dialog, since all else is inert.
  (document.querySelector("dialog[open]") ?? document.body).append(field);
  field.select();
  let done: boolean;
  try {
    done = document.execCommand("copy");
  } catch {
    done = false;
  }
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return done;
}

export function canShare(): boolean {
  return typeof navigator.share === "function";
}

/** Open the system's sheet for sharing a link. False if the person changed their mind or it cannot be. */
export async function shareLink(title: string, url: string): Promise<boolean> {
  try {
    await navigator.share({ title, url });
    return true;
  } catch {
    return false;
  }
}

/** So long a file may take to be begun with; some browsers fetch it only after the task of the click. */
const BEGUN_MS = 60_000;

/** Save a text as a file. */
export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), BEGUN_MS);
}
