/** One disagreement between what was observed and what the description or the contract says. */
export interface Finding {
  /** Id of the check that spoke. */
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
}
