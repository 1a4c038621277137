// One question to the server at a time: what is on its way, and what the last refusal said.
import { t } from "../core/i18n";
import type { Ack, Refused, RulePlace } from "../protocol";
import type { Reply } from "./types";

export class Asking {
  /** The name of what is on its way, empty for nothing. */
  busy = $state("");
  /** Why the last one was refused, empty if it was not. */
  text = $state("");
  citation = $state("");
  rule = $state.raw<RulePlace | null>(null);

  /** Wait for a reply; null if it was refused. */
  async run(name: string, asked: () => Promise<Reply>): Promise<Ack | null> {
    if (this.busy !== "") return null;
    this.busy = name;
    this.clear();
    try {
      const reply = await asked();
      if (reply.type === "ack") return reply;
      this.refused(reply);
      return null;
    } catch {
      this.text = t("web.problem.own");
      return null;
    } finally {
      this.busy = "";
    }
  }

  /** Say why something cannot be done. */
  refused({ text, citation, rule }: Pick<Refused, "text" | "citation" | "rule">): void {
    this.text = text;
    this.citation = citation;
    this.rule = rule;
  }

  clear(): void {
    this.text = "";
    this.citation = "";
    this.rule = null;
  }
}
