/** One disagreement between what was observed and what the description or the contract says. */
export interface Finding {
  /** Id of the check that reports it. */
  readonly check: string;
  readonly severity: 'error' | 'warning' | 'info';
  /** Where in the exchange: `/response/status`, `/response/body/name`. */
  readonly at: string;
  /** One sentence for people. */
  readonly message: string;
  readonly expected?: string | undefined;
  readonly actual?: string | undefined;
  /** JSON pointer into the description, to the part that was disagreed with. */
  readonly spec?: string | undefined;
  readonly hint?: string | undefined;
  /** Only in the last finding of a check that stops listing: how many more there are, at least. */
  readonly omitted?: number | undefined;
}

/** A finding as a check returns it: the registry adds the id of the check, and `error` where no severity is given. */
export type CheckFinding = Omit<Finding, 'check' | 'severity'> & Partial<Pick<Finding, 'check' | 'severity'>>;

/**
 * Lists the first findings and counts the rest in one more.
 *
 * @param isAtLeast - whether there may be more than `items`
 */
export function limitFindings<T, F extends CheckFinding>(
  items: readonly T[],
  limit: number,
  toFinding: (item: T) => F,
  isAtLeast = false,
): F[] {
  const findings = items.slice(0, limit).map(toFinding);
  const omitted = items.length - findings.length;
  const last = findings.at(-1);
  if (omitted === 0 || last === undefined) return findings;
  const message = `… and ${isAtLeast ? 'at least ' : ''}${omitted} more of these`;
  return [...findings, { ...last, message, omitted, expected: undefined, actual: undefined }];
}
