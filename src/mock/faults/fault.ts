import { createHash } from 'node:crypto';
import { ConfigError } from '../../core/errors/standin-error';
import { similarName } from '../../core/text/similar-name';
import type { ApiModel } from '../../openapi/model/api-model';

export interface FaultAction {
  /** Name of the {@link FaultKind} in the registry. */
  readonly kind: string;
}

/** One fault: what goes wrong, for which requests, and for how long. */
export interface Fault {
  /** As it was written. */
  readonly text: string;
  readonly action: FaultAction;
  /** `operationId` of the only operation that it touches. */
  readonly operation: string | undefined;
  readonly method: string | undefined;
  /** Path template, as in the description. */
  readonly path: string | undefined;
  /** It ends so long after it was set. */
  readonly forMs: number | undefined;
  /** It ends when it happened so often. */
  readonly times: number | undefined;
}

export const MAX_DELAY_MS = 60_000;

/** Numbers that look like chance and are the same for the same seed, on every machine. */
export class RandomStream {
  private readonly seed: string;
  private count = 0;

  constructor(seed: string) {
    this.seed = seed;
  }

  /** From 0 up to, but without, 1. */
  next(): number {
    this.count += 1;
    return createHash('sha256').update(`${this.seed}\n${this.count}`).digest().readUIntBE(0, 6) / 2 ** 48;
  }

  reset(): void {
    this.count = 0;
  }

  /** How many were drawn. */
  get position(): number {
    return this.count;
  }

  moveTo(position: number): void {
    this.count = position;
  }
}

/** Which faults a mock has from the start, and whether there may be any. */
export interface FaultOptions {
  readonly isOff: boolean;
  /** Of every sandbox. */
  readonly flags: readonly Fault[];
}

type Filter = 'operation' | 'method' | 'path';

/** A longer list would bury what was wrong. */
const MAX_LISTED = 10;

/**
 * Do faults name operations, methods and paths that the description has? One that does not touches nothing, for ever,
 * and who set it would think that his client had passed.
 *
 * @returns what is wrong with the first that does not; `undefined` when all do
 */
export function unknownFilter(faults: readonly Fault[], api: ApiModel): string | undefined {
  for (const fault of faults) {
    for (const filter of ['operation', 'method', 'path'] as const) {
      const value = fault[filter];
      if (value === undefined) continue;
      const known = [...new Set(api.operations.map((operation) => valueOf(operation, filter)))];
      if (!known.includes(value)) return `${fault.text}: ${unknown(filter, value, known)}`;
    }
  }
  return undefined;
}

/** @throws ConfigError `CONFIG_INVALID` that names the first one which {@link unknownFilter} finds */
export function demandKnownFilters(faults: readonly Fault[], api: ApiModel): void {
  const message = unknownFilter(faults, api);
  if (message === undefined) return;
  throw new ConfigError('CONFIG_INVALID', `The fault ${message}`, {
    hint: 'A fault names an operationId, a method, or a path template of the description.',
  });
}

function valueOf(operation: ApiModel['operations'][number], filter: Filter): string {
  return filter === 'operation' ? operation.id : operation[filter];
}

function unknown(filter: Filter, value: string, known: readonly string[]): string {
  const near = similarName(value, known);
  const more = known.length > MAX_LISTED ? ` and ${known.length - MAX_LISTED} more` : '';
  const help =
    near === undefined ? `there are ${known.slice(0, MAX_LISTED).join(', ')}${more}` : `did you mean ${near}?`;
  return `the description has no ${filter} "${value.slice(0, 80)}"; ${help}`;
}

/** A fault that was set, and what became of it so far. */
export interface ActiveFault {
  readonly fault: Fault;
  /** Epoch milliseconds of the clock of its sandbox. */
  readonly sinceMs: number;
  /** Requests that it could have touched. */
  seen: number;
  /** Requests in which it happened. */
  happened: number;
  /** Responses in which there was nothing to be broken. */
  missed: number;
  /** When each of the latest requests was let through, for a rate. */
  readonly passedAt: number[];
}

/** What became of a fault so far, as JSON. */
export type FaultCounts = readonly [
  sinceMs: number,
  seen: number,
  happened: number,
  missed: number,
  passedAt: readonly number[],
];

export function countsOf({ sinceMs, seen, happened, missed, passedAt }: ActiveFault): FaultCounts {
  return [sinceMs, seen, happened, missed, [...passedAt]];
}

/** The other way round of {@link countsOf}. */
export function activeWith<Of extends Fault>(fault: Of, counts: FaultCounts): ActiveFault & { readonly fault: Of } {
  const [sinceMs, seen, happened, missed, passedAt] = counts;
  return { fault, sinceMs, seen, happened, missed, passedAt: [...passedAt] };
}

/** Did it happen as often as it may? */
export function isSpent({ fault: { times }, happened }: ActiveFault): boolean {
  return times !== undefined && happened >= times;
}
