// Requests to the HTTP API. A problem becomes an error with its code.
export class Problem extends Error {
  constructor(code, detail, reasons) {
    super(detail);
    this.code = code;
    this.reasons = reasons;
  }
}

export async function api(method, path, body) {
  const options = { method, headers: { Accept: "application/json" }, credentials: "same-origin" };
  if (body !== undefined) {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Problem("offline", "The server does not answer.", []);
  }
  if (response.status === 204) return null;
  const answer = await response.json().catch(() => null);
  if (response.ok) return answer;
  const problem = answer || { code: "fault", detail: `The server answered ${response.status}.`, reasons: [] };
  throw new Problem(problem.code, problem.detail, problem.reasons || []);
}

// Who I am, or null.
export async function me() {
  return (await api("GET", "/api/session")).person;
}

// Who I am; a guest of that name is made if I am nobody yet, and renamed if my name is another.
export async function beSomebody(name) {
  const person = await me();
  if (person === null) return (await api("POST", "/api/guests", { name })).person;
  if (name && person.name !== name) return api("PATCH", "/api/me", { name });
  return person;
}

export function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  for (const child of children) if (child !== null && child !== undefined) made.append(child);
  return made;
}

export function button(text, act, properties = {}) {
  const made = element("button", { type: "button", textContent: text, ...properties });
  made.addEventListener("click", act);
  return made;
}
