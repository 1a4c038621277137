// Coming to a table: as somebody, by a new table, or by the code of one.
import type { CreateForm, Invitation, TableOptions } from "../protocol";
import { api } from "./http";
import { t } from "./i18n";
import { people } from "./person";
import { router } from "./router";

/** Make what gives a name to who gave none: the same one every time, in the language of the moment. */
export function createNamer(random: () => number = Math.random): () => string {
  const number = 100 + Math.floor(random() * 900);
  return () => t("web.home.guest_name", { n: String(number) });
}

/** A name for someone who gave none; the same for as long as the page is open. */
export const madeUpName = createNamer();

/** Be somebody: under this name, or a made-up one where there is none. */
export async function beSomebody(name: string): Promise<void> {
  await people.ensure(name.trim() || people.get()?.name || madeUpName());
}

/** Begin a match against bots and go to it. */
export async function playNow(name: string, options: TableOptions): Promise<void> {
  await beSomebody(name);
  const made = await api<Invitation>("POST", "/api/play-now", { options });
  router.go(`/t/${made.code}`);
}

/** Make a table, sit down there and go to it. */
export async function makeTable(name: string, options: TableOptions): Promise<void> {
  await beSomebody(name);
  const form: CreateForm = { options, seat: 0 };
  const made = await api<Invitation>("POST", "/api/tables", form);
  router.go(`/t/${made.code}`);
}
