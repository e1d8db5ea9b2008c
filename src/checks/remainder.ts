/**
 * Where a check stops listing: the message of its last finding, which counts those that are not shown.
 *
 * @param isAtLeast - whether there may be more than were counted
 */
export function remainderMessage(count: number, isAtLeast = false): string {
  return `… and ${isAtLeast ? 'at least ' : ''}${count} more of these`;
}

/** Does a finding only count others that the same check found in the same answer? */
export function isRemainder({ message }: { readonly message: string }): boolean {
  return /^… and (?:at least )?\d+ more of these$/.test(message);
}
