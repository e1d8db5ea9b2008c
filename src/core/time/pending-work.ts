/** Work that has begun and has not ended yet, for whoever has to wait for its end. */
export class PendingWork {
  private readonly pending = new Set<Promise<unknown>>();

  /** Counts `work` as pending until it settles. Returns `work`. */
  track<Result>(work: Promise<Result>): Promise<Result> {
    this.pending.add(work);
    const remove = (): void => {
      this.pending.delete(work);
    };
    work.then(remove, remove);
    return work;
  }

  /** Resolves when nothing is pending, including work that begins meanwhile. Never rejects. */
  async idle(): Promise<void> {
    while (this.pending.size > 0) await Promise.allSettled(this.pending);
  }
}
