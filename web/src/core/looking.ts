// Looking again at what others change, while the page is looked at.

export const LOOK_EVERY_MS = 5000;

/** Look every few seconds and when the page comes back into view, never while it is hidden. Returns what ends that. */
export function lookAgain(look: () => void): () => void {
  const seen = (): void => {
    if (document.visibilityState === "visible") look();
  };
  const timer = setInterval(seen, LOOK_EVERY_MS);
  document.addEventListener("visibilitychange", seen);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", seen);
  };
}
