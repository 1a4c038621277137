// The record that a page is about: of a match that the server keeps, or of a file.
import { problemText } from "../core/http";
import { fetchRecord, keepRecord } from "./record-source";

export class Opened {
  text = $state("");
  failure = $state("");

  /** An empty table means a file. */
  constructor(
    readonly table: string,
    readonly match: string,
  ) {
    if (table !== "") void this.load();
  }

  readonly load = async (): Promise<void> => {
    this.failure = "";
    try {
      this.text = await fetchRecord(this.table, this.match);
    } catch (error) {
      this.failure = problemText(error);
    }
  };

  readonly take = (text: string): void => {
    keepRecord(text);
    this.text = text;
  };
}
