import type { Operation } from '../../openapi/model/operation';
import { type ActiveFault, activeWith, countsOf, type Fault, type FaultCounts, isSpent } from './fault';
import { parseFaults } from './fault-syntax';
import type { ForcedResponses } from './forced-response-queue';

export interface FaultFacts {
  readonly fault: string;
  /** `undefined` where it has no end of its own. */
  readonly endsAt?: string;
  readonly timesLeft?: number;
  readonly happened: number;
  readonly missed: number;
}

/** Different texts of headers that are counted at a time: `fail:2` must know its earlier requests. */
const MAX_HEADERS = 1000;

/** The faults of one sandbox, by where they come from. */
export class FaultScopes {
  /** Of the operations that answer something else. */
  readonly responses: ForcedResponses;
  private own: ActiveFault[] = [];
  /** Their counts are the sandbox's own, though the flags are for all. */
  private flags: ActiveFault[] | undefined;
  private readonly headers = new Map<string, readonly ActiveFault[]>();

  constructor(responses: ForcedResponses) {
    this.responses = responses;
  }

  /** @param faults - in place of those that were set before */
  set(faults: readonly Fault[], nowMs: number): void {
    this.own = faults.map((fault) => toSet(fault, nowMs));
  }

  /** What is set and counted here, forced responses aside, as JSON. */
  save(): FaultFactsOf {
    const facts = (each: ActiveFault): SavedFault => [each.fault.text, countsOf(each)];
    return {
      own: this.own.map(facts),
      flags: this.flags?.map(countsOf) ?? null,
      headers: [...this.headers].map(([key, faults]) => [key, faults.map(facts)]),
    };
  }

  /**
   * The other way round of {@link save}.
   *
   * @param flags - those of every sandbox
   */
  load({ own, flags, headers }: FaultFactsOf, ofAll: readonly Fault[]): void {
    this.own = own.flatMap(restored);
    this.flags = flags?.flatMap((counts, index) => {
      const fault = ofAll[index];
      return fault === undefined ? [] : [activeWith(fault, counts)];
    });
    this.headers.clear();
    for (const [key, faults] of headers) this.headers.set(key, faults.flatMap(restored));
  }

  /** All that were set for the sandbox, and all counts. */
  clear(): void {
    this.own = [];
    this.responses.clear();
    this.flags = undefined;
    this.headers.clear();
  }

  get isEmpty(): boolean {
    return this.own.length === 0 && this.responses.isEmpty;
  }

  list(nowMs: number): FaultFacts[] {
    this.dropEnded(nowMs);
    return this.own.map(({ fault, sinceMs, happened, missed }) => ({
      fault: fault.text,
      ...(fault.forMs === undefined ? {} : { endsAt: new Date(sinceMs + fault.forMs).toISOString() }),
      ...(fault.times === undefined ? {} : { timesLeft: fault.times - happened }),
      happened,
      missed,
    }));
  }

  /**
   * Those that may touch a request. Of one kind only those of the nearest scope: header, then sandbox, then flag. A forced
   * response comes behind the header, and before what else was set.
   */
  matching(
    inHeader: { readonly text: string; readonly faults: readonly Fault[] } | undefined,
    flags: readonly Fault[],
    operation: Operation,
    nowMs: number,
  ): ActiveFault[] {
    if (inHeader?.faults.length === 0) return [];
    this.dropEnded(nowMs);
    this.flags ??= flags.map((fault) => toSet(fault, nowMs));
    const forced = this.responses.next(operation.id);
    const scopes = [
      inHeader === undefined ? [] : this.ofHeader(inHeader, operation, nowMs),
      forced === undefined ? [] : [forced],
      this.own,
      this.flags,
    ];
    const found: ActiveFault[] = [];
    for (const scope of scopes) {
      const nearer = new Set(found.map(({ fault }) => fault.action.kind));
      for (const each of scope) {
        if (!nearer.has(each.fault.action.kind) && touches(each.fault, operation) && !isOver(each, nowMs))
          found.push(each);
      }
    }
    return found;
  }

  /** One text at one operation is one series of requests: a client that tries again sends the same. */
  private ofHeader(
    { text, faults }: { readonly text: string; readonly faults: readonly Fault[] },
    operation: Operation,
    nowMs: number,
  ): readonly ActiveFault[] {
    const key = `${operation.id}\n${text}`;
    const known = this.headers.get(key) ?? faults.map((fault) => toSet(fault, nowMs));
    this.headers.delete(key);
    this.headers.set(key, known);
    const [oldest] = this.headers.keys();
    if (this.headers.size > MAX_HEADERS && oldest !== undefined) this.headers.delete(oldest);
    return known;
  }

  private dropEnded(nowMs: number): void {
    if (this.own.some((each) => isOver(each, nowMs))) this.own = this.own.filter((each) => !isOver(each, nowMs));
  }
}

type SavedFault = readonly [text: string, counts: FaultCounts];

export interface FaultFactsOf {
  readonly own: readonly SavedFault[];
  readonly flags: readonly FaultCounts[] | null;
  readonly headers: readonly (readonly [key: string, faults: readonly SavedFault[]])[];
}

function restored([text, counts]: SavedFault): ActiveFault[] {
  const parsed = parseFaults(text);
  return parsed.kind === 'parsed' ? parsed.faults.map((fault) => activeWith(fault, counts)) : [];
}

function toSet(fault: Fault, sinceMs: number): ActiveFault {
  return { fault, sinceMs, seen: 0, happened: 0, missed: 0, passedAt: [] };
}

function isOver(each: ActiveFault, nowMs: number): boolean {
  const { fault, sinceMs } = each;
  return (fault.forMs !== undefined && nowMs - sinceMs >= fault.forMs) || isSpent(each);
}

function touches({ operation, method, path }: Fault, asked: Operation): boolean {
  return (
    (operation === undefined || operation === asked.id) &&
    (method === undefined || method === asked.method) &&
    (path === undefined || path === asked.path)
  );
}
