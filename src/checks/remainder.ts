/** Where a check stops listing: the message of its last finding, which counts those that are not shown. */
export function remainderMessage(count: number): string {
  return `… and ${count} more of these`;
}

/** Does a finding only count others that the same check found in the same answer? */
export function isRemainder({ message }: { readonly message: string }): boolean {
  return /^… and \d+ more of these$/.test(message);
}
