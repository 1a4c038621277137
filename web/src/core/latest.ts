// Answers may come in another order than they were asked for: only the one that was asked for last counts.
export class Latest {
  private count = 0;

  /** Begin to ask, or to do without; what is returned says whether nothing else was begun since. */
  begin(): () => boolean {
    this.count += 1;
    return this.follow();
  }

  /** Say later whether anything was begun since. */
  follow(): () => boolean {
    const own = this.count;
    return () => own === this.count;
  }
}
