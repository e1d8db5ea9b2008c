import { isSchemaObject, type SchemaObject } from '../../schema/schema-object';
import { isRfc3339Date, parseRfc3339 } from '../../core/time/date-time';

export type Stability = 'experimental' | 'alpha' | 'beta' | 'stable';

/** How settled an operation is, from `deprecated` and the extensions that tools of the field use for the rest. */
export interface Lifecycle {
  readonly stability: Stability;
  readonly deprecated: boolean;
  /** Epoch milliseconds; `undefined` when the description does not say since when. */
  readonly deprecatedSince: number | undefined;
  /** Epoch milliseconds from which the operation may be gone (RFC 8594). */
  readonly sunset: number | undefined;
  /** URI template of the successor, relative to the server. */
  readonly replacedBy: string | undefined;
  /** May documentation offer to send the request? Says nothing about the operation itself. */
  readonly tryIt: boolean;
}

const STABILITY_KEYS = [
  'x-stability',
  'x-stability-level',
  'x-snyk-api-stability',
  'x-scalar-stability',
  'x-fern-availability',
] as const;
const SUNSET_KEYS = ['x-deprecated-sunset', 'x-sunset', 'x-sunset-date'] as const;
const SINCE_KEYS = ['x-deprecated-since', 'x-deprecated-at'] as const;
const HIDDEN_TRY_IT_KEYS = ['x-hideTryItPanel', 'x-hideReplay'] as const;
const OFFERED_TRY_IT_KEYS = ['x-explorer-enabled', 'x-zudoku-playground-enabled', 'x-fern-explorer'] as const;

const STABILITY_WORDS: Readonly<Record<string, Stability>> = {
  experimental: 'experimental',
  draft: 'experimental',
  wip: 'experimental',
  'in-development': 'experimental',
  alpha: 'alpha',
  beta: 'beta',
  'pre-release': 'beta',
  stable: 'stable',
  ga: 'stable',
  'generally-available': 'stable',
};

/** Reads the lifecycle of an Operation Object. The first spelling that is present wins. */
export function readLifecycle(operation: SchemaObject): Lifecycle {
  const microsoft = isSchemaObject(operation['x-ms-deprecation']) ? operation['x-ms-deprecation'] : {};
  return {
    stability: STABILITY_WORDS[firstText(operation, STABILITY_KEYS)?.toLowerCase() ?? ''] ?? 'stable',
    deprecated: operation['deprecated'] === true,
    deprecatedSince: parseDate(firstText(operation, SINCE_KEYS) ?? microsoft['date']),
    sunset: parseDate(firstText(operation, SUNSET_KEYS) ?? microsoft['removalDate']),
    replacedBy: firstText(operation, ['x-replaced-by']),
    tryIt:
      !HIDDEN_TRY_IT_KEYS.some((key) => operation[key] === true) &&
      !OFFERED_TRY_IT_KEYS.some((key) => operation[key] === false),
  };
}

/** Which keys give the two dates, for findings about them. */
export function lifecycleDateKeys(operation: SchemaObject): { since: string | undefined; sunset: string | undefined } {
  return {
    since: SINCE_KEYS.find((key) => operation[key] !== undefined),
    sunset: SUNSET_KEYS.find((key) => operation[key] !== undefined),
  };
}

/**
 * A date or date-time (RFC 3339 §5.6) of an extension as epoch milliseconds. A date alone means its first moment in UTC: the cautious
 * reading of a sunset.
 *
 * @returns `undefined` for anything else
 */
export function parseDate(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  return parseRfc3339(isRfc3339Date(value) ? `${value}T00:00:00Z` : value);
}

function firstText(operation: SchemaObject, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = operation[key];
    if (typeof value === 'string') return value;
  }
  return undefined;
}
