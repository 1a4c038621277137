// Chat: what is unread, what is too long.
import type { ChatLine, You } from "../protocol";

/** The longest line that the server takes. */
export const CHAT_LENGTH_MAX = 300;

export const PHRASES = [
  "hello",
  "good_luck",
  "well_played",
  "thanks",
  "sorry",
  "your_turn",
  "one_moment",
  "good_game",
  "bye",
] as const;

/** The lines of those whom one wants to hear. */
export function heard(chat: readonly ChatLine[], you: You | null): readonly ChatLine[] {
  const muted = you?.muted ?? [];
  return muted.length === 0 ? chat : chat.filter((line) => !muted.includes(line.member));
}

/** The version of the last line; what has a greater one is unread. */
export function lastVersion(chat: readonly ChatLine[]): number {
  return chat.at(-1)?.version ?? 0;
}

/** How many lines of others came after the version that was read last. */
export function unreadCount(chat: readonly ChatLine[], readVersion: number, you: You | null): number {
  return heard(chat, you).filter((line) => line.version > readVersion && line.member !== you?.member).length;
}

/** How many characters are left; below 0 the line is too long. Characters are code points, as the server counts. */
export function charactersLeft(text: string): number {
  return CHAT_LENGTH_MAX - [...text.trim()].length;
}
