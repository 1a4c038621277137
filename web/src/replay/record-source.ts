// Where a record comes from: kept by the server, or a file that somebody has. The last file stays while the tab does.
import { Problem } from "../core/http";
import { catalogueOf, language, t } from "../core/i18n";

const KEPT = "buraco.record";

/** The record of a finished match that the server keeps. Throws `Problem`. */
export async function fetchRecord(table: string, match: string): Promise<string> {
  const path = `/api/tables/${encodeURIComponent(table)}/records/${encodeURIComponent(match)}`;
  let response: Response;
  try {
    response = await fetch(`${path}?language=${encodeURIComponent(catalogueOf(language.get()))}`);
  } catch {
    throw new Problem("offline", t("web.problem.offline"));
  }
  const text = await response.text();
  if (response.ok) return text;
  let detail = "";
  try {
    detail = (JSON.parse(text) as { readonly detail?: string }).detail ?? "";
  } catch {
    // No problem of ours: what stands between says nothing to people.
  }
  throw new Problem("no_record", detail || t("web.problem.strange", { status: String(response.status) }));
}

function storage(): Storage | undefined {
  try {
    return globalThis.sessionStorage;
  } catch {
    return undefined;
  }
}

export function keptRecord(): string {
  return storage()?.getItem(KEPT) ?? "";
}

export function keepRecord(text: string): void {
  try {
    storage()?.setItem(KEPT, text);
  } catch {
    // Too long for this browser: the page goes on without it.
  }
}

export function forgetRecord(): void {
  storage()?.removeItem(KEPT);
}
