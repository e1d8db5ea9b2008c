/** How often operations answered which status. Noting one costs a look into a map. */
export class AnswerCounts {
  /** By id of the operation, statuses and how often there were, by turns. */
  private readonly byOperation = new Map<string, number[]>();

  /** @param operation - `undefined` where none was found: nothing is noted */
  note(operation: string | undefined, status: number, times = 1): void {
    if (operation === undefined) return;
    const counts = this.byOperation.get(operation);
    if (counts === undefined) {
      this.byOperation.set(operation, [status, times]);
      return;
    }
    for (let index = 0; index < counts.length; index += 2) {
      if (counts[index] !== status) continue;
      counts[index + 1] = (counts[index + 1] ?? 0) + times;
      return;
    }
    counts.push(status, times);
  }

  add(other: AnswerCounts, sign: 1 | -1 = 1): void {
    for (const [operation, counts] of other.byOperation)
      for (let index = 0; index < counts.length; index += 2)
        this.note(operation, counts[index] ?? 0, sign * (counts[index + 1] ?? 0));
  }

  /** By status; one that never was is left out. */
  of(operation: string): Record<string, number> {
    const counts = this.byOperation.get(operation) ?? [];
    const byStatus: Record<string, number> = {};
    for (let index = 0; index < counts.length; index += 2)
      if ((counts[index + 1] ?? 0) > 0) byStatus[String(counts[index])] = counts[index + 1] ?? 0;
    return byStatus;
  }
}
