// Requests to the server. A refusal is a `Problem` with a stable code and a text in the reader's language.
import { catalogueOf, language, t } from "./i18n";

export class Problem extends Error {
  override readonly name = "Problem";

  constructor(
    readonly code: string,
    readonly detail: string,
    readonly reasons: readonly string[] = [],
    readonly status = 0,
  ) {
    super(detail);
  }
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

function withLanguage(path: string): string {
  return `${path}${path.includes("?") ? "&" : "?"}language=${encodeURIComponent(catalogueOf(language.get()))}`;
}

async function problemOf(response: Response): Promise<Problem> {
  const body: unknown = await response.json().catch(() => null);
  const { code, detail, reasons } = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  return new Problem(
    typeof code === "string" ? code : `http_${response.status}`,
    typeof detail === "string" ? detail : t("web.problem.strange", { status: String(response.status) }),
    Array.isArray(reasons) ? reasons.filter((one): one is string => typeof one === "string") : [],
    response.status,
  );
}

/** Ask the server. Throws `Problem`: with the server's code, or `offline` where it cannot be reached. */
export async function api<T>(method: Method, path: string, body?: unknown): Promise<T> {
  const asked: RequestInit = { method, headers: { Accept: "application/json" }, credentials: "same-origin" };
  if (body !== undefined) {
    asked.headers = { ...asked.headers, "Content-Type": "application/json" };
    asked.body = JSON.stringify(body);
  }
  let response: Response;
  try {
    response = await fetch(withLanguage(path), asked);
  } catch {
    throw new Problem("offline", t("web.problem.offline"));
  }
  if (!response.ok) throw await problemOf(response);
  if (response.status === 204) return undefined as T;
  return (await response.json()) as T;
}

/** The reasons of a problem that its text does not tell already. */
export function furtherReasons(problem: Problem): readonly string[] {
  return problem.reasons.filter((reason) => !problem.detail.includes(reason));
}

/** What to show of anything that was thrown. */
export function problemText(error: unknown): string {
  if (error instanceof Problem) return [error.detail, ...furtherReasons(error)].join(" ");
  return t("web.problem.own");
}
