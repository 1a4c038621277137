// The home page, and the way to a table.
import { api, beSomebody, element, me } from "./api.js";
import { showTable } from "./table.js";

const byId = (id) => document.getElementById(id);

export function say(text) {
  byId("message").textContent = text;
  byId("message").hidden = !text;
}

async function tryTo(work) {
  say("");
  try {
    await work();
  } catch (problem) {
    say([problem.message, ...(problem.reasons || []).filter((one) => one !== problem.message)].join(" "));
  }
}

function options() {
  const seconds = Number(byId("clock").value);
  const deals = byId("length").value;
  return {
    rules: byId("rules").value,
    players: Number(byId("players").value),
    bot_level: byId("level").value,
    public: byId("public").checked,
    clock: seconds ? { kind: "turn", turn_ms: seconds * 1000 } : { kind: "none" },
    ...(deals ? { deal_count: Number(deals), target_points: 0 } : {}),
  };
}

async function go(path, body) {
  const person = await beSomebody(byId("name").value);
  showPerson(person);
  const made = await api("POST", path, body);
  history.pushState(null, "", `/t/${made.code}`);
  await route();
}

function showPerson(person) {
  byId("who").textContent = person ? person.name : "";
  if (person) byId("name").value = person.name;
  byId("account-state").textContent = person
    ? person.login ? `Signed in as ${person.login}.` : `You play as the guest ${person.name}; an account keeps your seats and matches on other devices.`
    : "You are nobody yet.";
  for (const id of ["logout", "logout-all", "delete"]) byId(id).disabled = !person;
}

function tableLine(one) {
  const names = one.seats.map((seat) => (seat.kind === "empty" ? "free" : seat.kind === "bot" ? "bot" : seat.name)).join(", ");
  const text = `${one.rules_title}, ${one.phase}: ${names}`;
  return element("li", {}, element("span", { textContent: text }), element("a", { href: `/t/${one.code}`, textContent: one.code }));
}

async function fill(list, path, empty) {
  const { tables } = await api("GET", path);
  byId(list).replaceChildren(...(tables.length ? tables.map(tableLine) : [element("li", { textContent: empty })]));
}

async function showHome() {
  byId("home").hidden = false;
  byId("table").hidden = true;
  document.title = "Buraco";
  const person = await me();
  showPerson(person);
  await fill("lobby", "/api/tables", "no open tables");
  if (person) await fill("mine", "/api/me/tables", "none");
  else byId("mine").replaceChildren(element("li", { textContent: "none" }));
}

async function route() {
  const found = /^\/t\/([A-Za-z0-9_-]{1,40})$/.exec(location.pathname);
  if (!found) {
    showTable(null);
    await showHome();
    return;
  }
  const person = await me();
  showPerson(person);
  if (person) {
    byId("home").hidden = true;
    byId("table").hidden = false;
    await showTable(found[1], say);
    return;
  }
  await showHome();
  byId("code").value = found[1];
  say("Choose a name, then go to the table.");
  byId("name").focus();
}

function onSubmit(id, work) {
  byId(id).addEventListener("submit", (event) => {
    event.preventDefault();
    tryTo(() => work(event.submitter));
  });
}

async function account(which) {
  const login = byId("login").value;
  const password = byId("password").value;
  if (which === "login") await api("POST", "/api/accounts/login", { login, password });
  else {
    if (which === "register") await beSomebody(login);
    const body = which === "register" ? { login, password } : { login, password, code: byId("recovery").value };
    const made = await api("POST", which === "register" ? "/api/accounts" : "/api/accounts/recover", body);
    say(`Recovery code, shown only now; keep it: ${made.recovery_code}`);
  }
  byId("password").value = "";
  await showHome();
}

async function start() {
  const [sets, bots] = await Promise.all([api("GET", "/api/rule-sets"), api("GET", "/api/bots")]);
  byId("rules").append(...sets.rule_sets.map((one) => new Option(one.title, one.name)));
  const offerPlayers = () => {
    const counts = [...sets.rule_sets.find((one) => one.name === byId("rules").value).players].sort().reverse();
    byId("players").replaceChildren(...counts.map((count) => new Option(count, count)));
  };
  byId("rules").addEventListener("change", offerPlayers);
  offerPlayers();
  byId("level").append(...bots.levels.map((one) => new Option(one.name, one.name)));
  byId("level").selectedIndex = bots.levels.length - 1;
  onSubmit("play", () => go("/api/play-now", { options: options() }));
  byId("create").addEventListener("click", () => byId("play").reportValidity() && tryTo(() => go("/api/tables", { options: options() })));
  onSubmit("join", async () => {
    if (!(await me()) && !byId("name").reportValidity()) return;
    showPerson(await beSomebody(byId("name").value));
    history.pushState(null, "", `/t/${byId("code").value.trim()}`);
    await route();
  });
  onSubmit("account", (submitter) => account(submitter.value));
  const leave = (path, method, question) => () =>
    (!question || confirm(question)) && tryTo(async () => { await api(method, path); await showHome(); });
  byId("logout").addEventListener("click", leave("/api/me/logout", "POST", "A guest who logs out cannot come back. Log out?"));
  byId("logout-all").addEventListener("click", leave("/api/me/logout-everywhere", "POST"));
  byId("delete").addEventListener("click", leave("/api/me", "DELETE", "Delete everything that the server keeps about you?"));
  window.addEventListener("popstate", () => tryTo(route));
  await route();
}

tryTo(start);
