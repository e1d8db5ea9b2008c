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
  /** Where another status came than was expected: those that were. */
  readonly statuses?: readonly number[] | undefined;
  /** Where the message or what was expected is not what tells this cause from others. */
  readonly identity?: FindingIdentity | undefined;
}

/**
 * What a fingerprint is made of in place of `message` and `expected`. It is never reworded: a baseline that accepts a
 * finding accepts it after the next release as well.
 */
export interface FindingIdentity {
  /** The part that breaks the rule: `The field /0/id`. A rule of a shared component is the same without it. */
  readonly subject?: string | undefined;
  /** The violated rule: `must be an integer`. */
  readonly rule?: string | undefined;
  /** `''` where what was expected tells no cause from another. */
  readonly expected?: string | undefined;
}

/** How a message ends that names both values: it is made again of what is shown of them. */
export function namedValues(expected: string | undefined, actual: string | undefined): string {
  return `: expected ${expected ?? ''}, got ${actual ?? ''}`;
}

/** What a check looks at, as reports show it: each is one column of what was and what was not looked at. */
export const CHECK_AREAS = ['status', 'schema', 'errors', 'auth', 'state', 'http'] as const;
export type CheckArea = (typeof CHECK_AREAS)[number];

/** What is known of a check, whatever it finds: how its findings are gathered into causes. */
export interface CheckDefinition {
  /** Stable; `docs/reference/checks.md` explains it (a test holds that). */
  readonly id: string;
  readonly area: CheckArea;
  /**
   * What a finding holds of: the service, whichever operation met it; one operation; the run, of whose steps it depends on
   * the timing which one shows it. Left out: the component of the description that it is about, else the operation, and
   * in a probe the service.
   */
  readonly scope?: 'service' | 'operation' | 'run';
  /** Of several findings about one place, the one with the highest priority speaks for all; 0 where left out. */
  readonly priority?: number;
  /** What it expects is another text in each response, and tells no cause from another. */
  readonly expectsVarying?: true;
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
