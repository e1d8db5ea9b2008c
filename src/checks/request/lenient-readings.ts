/** One way in which requests are read more kindly than the description or a standard has it. */
export interface Reading {
  /** What is taken, for docs and people. */
  readonly what: string;
  /** What it is a deviation from. */
  readonly standard: string;
}

/**
 * Every lenient reading of requests, by the code of its warning. All are refused with `--strict` and with
 * `Prefer: handling=strict` (RFC 7240 §4.4). docs/requests.md has the same table.
 */
export const LENIENT_READINGS = {
  not_acceptable: {
    what: 'An `Accept` that fits none of the documented types gets the nearest of them.',
    standard: 'RFC 9110 §15.5.7; §12.5.1 lets a server ignore it',
  },
} as const satisfies Readonly<Record<string, Reading>>;

export type LenientReading = keyof typeof LENIENT_READINGS;
