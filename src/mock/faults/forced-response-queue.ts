import type { RawHeaders } from '../../core/http/message';
import type { JsonValue } from '../../core/json/json-value';
import { counted } from '../../core/text/printable';
import {
  type ActiveFault,
  activeWith,
  countsOf,
  type Fault,
  type FaultAction,
  type FaultCounts,
  isSpent,
} from './fault';

/** What an operation is to answer next; at least one of the first six has to be there. */
export interface RespondOptions {
  /**
   * From 200 to 599, and documented for the operation (by itself, by a range such as `4XX`, or by `default`) unless
   * `violates`. Left out where there is a body or an example: that of a success, or of the example.
   */
  readonly status?: number | undefined;
  /** Name of an example in the `examples` of that response. */
  readonly example?: string | undefined;
  /** What JSON can hold; it has to match the schema of the response, unless `violates`. */
  readonly body?: unknown;
  /** In place of those that the response would have under these names. */
  readonly headers?: Readonly<Record<string, string | number>> | undefined;
  /** Milliseconds that the response waits, at most 60 000; alone, the natural response comes late. */
  readonly delayMs?: number | undefined;
  /** One fault as `setFaults` takes it, without settings: `reset`, `truncate`; alone, it happens to the natural response. */
  readonly fault?: string | undefined;
  /** After so many responses it ends; without it, it lasts until it is removed. */
  readonly times?: number | undefined;
  /** The response may break the description on purpose. */
  readonly violates?: boolean | undefined;
  /** `*`: in every sandbox that forces nothing of its own on the operation; `times` then counts all of them together. */
  readonly sandbox?: '*' | undefined;
}

/** A response that was forced on an operation. `null` stands for what there is not. */
export interface ForcedResponse {
  /** `operationId`, else `GET /path`. */
  readonly operation: string;
  /** `default` for the main one, `*` for all that force nothing of their own on the operation. */
  readonly sandbox: string;
  /** `null` for the natural response. */
  readonly status: number | null;
  readonly example: string | null;
  readonly body: JsonValue | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly delayMs: number;
  /** As `setFaults` takes it: `reset`, `truncate`. */
  readonly fault: string | null;
  /** `null` until it is removed. */
  readonly timesLeft: number | null;
  /** Requests that it answered. */
  readonly happened: number;
  /** Breaks the description on purpose. */
  readonly isViolation: boolean;
  /** In words: `503 (example "down"), 2 more times`. */
  readonly text: string;
}

/** What comes in place of the operation, which then does nothing. */
export interface ForcedAnswer {
  readonly status: number;
  readonly example: string | undefined;
  /** With the keys of the documented `content` that it can be sent as; none leaves the media type to the body. */
  readonly body: { readonly value: JsonValue; readonly mediaTypes: readonly string[] } | undefined;
}

/** A fault of all parts that a forced response may have; they happen together, and are counted as one. */
export interface ResponseAction extends FaultAction {
  readonly kind: 'respond';
  /** As it was asked for, to be held against another description later. */
  readonly options: RespondOptions;
  /** `undefined` for the natural response. */
  readonly answer: ForcedAnswer | undefined;
  readonly headers: RawHeaders;
  readonly delayMs: number;
  readonly fault: Fault | undefined;
  readonly isViolation: boolean;
}

export type ResponseFault = Fault & { readonly action: ResponseAction; readonly operation: string };
export type ActiveResponse = ActiveFault & { readonly fault: ResponseFault };

export function isResponseAction(action: FaultAction): action is ResponseAction {
  return action.kind === 'respond';
}

/** The fault that stands for a forced response; its text is what the header of the response says. */
export function toResponseFault(operation: string, action: ResponseAction): ResponseFault {
  const { answer, headers, delayMs, fault, options } = action;
  const settings = [
    answer?.example === undefined ? '' : `;example=${answer.example.replace(/[%,;]/g, encodeURIComponent)}`,
    answer?.body === undefined ? '' : ';body',
    headers.length === 0 ? '' : ';headers',
    delayMs === 0 ? '' : `;delay=${delayMs}ms`,
    fault === undefined ? '' : `;fault=${fault.text}`,
  ];
  const text = `respond${answer === undefined ? '' : `:${answer.status}`}${settings.join('')}`;
  return { text, action, operation, method: undefined, path: undefined, forMs: undefined, times: options.times };
}

/** More of them for one operation are a loop that never ends. */
const MAX_WAITING = 100;

/**
 * The responses that are forced on operations in one sandbox. Of one operation those that are counted come first, in the
 * order in which they were set, then the one that lasts.
 */
export class ForcedResponses {
  /** As it is shown: `default`, an id, or `*`. */
  readonly sandbox: string;
  private readonly others: ForcedResponses | undefined;
  private readonly byOperation = new Map<string, readonly ActiveResponse[]>();

  /** @param others - asked where this one has none for an operation */
  constructor(sandbox: string, others?: ForcedResponses) {
    this.sandbox = sandbox;
    this.others = others;
  }

  /** Is there nothing that a request could meet here? */
  get isEmpty(): boolean {
    return this.byOperation.size === 0 && (this.others === undefined || this.others.isEmpty);
  }

  /** @returns `undefined` where so many wait already that it was not taken */
  add(fault: ResponseFault, nowMs: number): ActiveResponse | undefined {
    const added: ActiveResponse = { fault, sinceMs: nowMs, seen: 0, happened: 0, missed: 0, passedAt: [] };
    const known = this.alive(fault.operation);
    const waiting = known.filter((each) => each.fault.times !== undefined);
    if (waiting.length >= MAX_WAITING) return undefined;
    const lasting = known.filter((each) => each.fault.times === undefined);
    const all = fault.times === undefined ? [...waiting, added] : [...waiting, added, ...lasting];
    this.byOperation.set(fault.operation, all);
    return added;
  }

  /** What an operation answers next; `undefined` for what it answers by itself. */
  next(operation: string): ActiveResponse | undefined {
    if (this.byOperation.size === 0) return this.others?.next(operation);
    const [first] = this.alive(operation);
    return first ?? this.others?.next(operation);
  }

  remove(response: ActiveResponse): void {
    this.keep(
      response.fault.operation,
      this.alive(response.fault.operation).filter((each) => each !== response),
    );
  }

  /** @param operation - id of the only one that is meant */
  clear(operation?: string): void {
    if (operation === undefined) this.byOperation.clear();
    else this.byOperation.delete(operation);
  }

  list(): ActiveResponse[] {
    return [...this.byOperation.keys()].flatMap((operation) => this.alive(operation));
  }

  /** Everything that is forced here, as JSON. */
  save(): SavedResponse[] {
    return this.list().map((active) => [active.fault.operation, active.fault.action.options, countsOf(active)]);
  }

  /**
   * The other way round of {@link save}.
   *
   * @param read - what is forced, held against the description; `undefined` for what that does not allow
   */
  load(
    saved: readonly SavedResponse[],
    read: (operation: string, options: RespondOptions) => ResponseFault | undefined,
  ): void {
    this.byOperation.clear();
    for (const [operation, options, counts] of saved) {
      const fault = read(operation, options);
      if (fault === undefined) continue;
      const known = this.byOperation.get(fault.operation) ?? [];
      this.byOperation.set(fault.operation, [...known, activeWith(fault, counts)]);
    }
  }

  /** Holds each against another description. @param read - `undefined` for one that is to go */
  refit(read: (response: ActiveResponse) => ResponseFault | undefined): void {
    for (const operation of [...this.byOperation.keys()]) {
      const kept = this.alive(operation).flatMap((each) => {
        const fault = read(each);
        return fault === undefined ? [] : [Object.assign(each, { fault })];
      });
      this.keep(operation, kept);
    }
  }

  private alive(operation: string): readonly ActiveResponse[] {
    const known = this.byOperation.get(operation) ?? [];
    if (!known.some(isSpent)) return known;
    return this.keep(
      operation,
      known.filter((each) => !isSpent(each)),
    );
  }

  private keep(operation: string, responses: readonly ActiveResponse[]): readonly ActiveResponse[] {
    if (responses.length === 0) this.byOperation.delete(operation);
    else this.byOperation.set(operation, responses);
    return responses;
  }
}

export type SavedResponse = readonly [operation: string, options: RespondOptions, counts: FaultCounts];

export function timesLeft({ fault: { times }, happened }: ActiveResponse): number | null {
  return times === undefined ? null : Math.max(0, times - happened);
}

/** A forced response as it is shown. @param sandbox - see {@link ForcedResponse.sandbox} */
export function showResponse(active: ActiveResponse, sandbox: string): ForcedResponse {
  const { fault, happened } = active;
  const { answer, headers, delayMs, fault: trouble, isViolation } = fault.action;
  return {
    operation: fault.operation,
    sandbox,
    status: answer?.status ?? null,
    example: answer?.example ?? null,
    body: answer?.body?.value ?? null,
    headers: Object.fromEntries(
      headers.flatMap((name, index) => (index % 2 === 0 ? [[name, headers[index + 1] ?? '']] : [])),
    ),
    delayMs,
    fault: trouble?.text ?? null,
    timesLeft: timesLeft(active),
    happened,
    isViolation,
    text: responseText(active),
  };
}

/** A forced response in words. */
export function responseText(active: ActiveResponse): string {
  const { headers, delayMs, fault } = active.fault.action;
  const names = headers.filter((_, index) => index % 2 === 0);
  const left = timesLeft(active);
  return [
    answerText(active.fault.action),
    names.length === 0 ? '' : `with ${names.join(' and ')}`,
    delayMs === 0 ? '' : `${delayMs} ms later`,
    fault === undefined ? '' : `with the fault ${fault.text}`,
    left === null ? 'until it is removed' : counted(left, 'more time'),
  ]
    .filter((part) => part !== '')
    .join(', ');
}

function answerText({ answer, isViolation }: ResponseAction): string {
  const notes = [
    answer?.example === undefined ? '' : `example "${answer.example}"`,
    answer?.body === undefined ? '' : 'a body of its own',
    isViolation ? 'breaks the description' : '',
  ].filter((note) => note !== '');
  const text = answer === undefined ? 'the natural response' : String(answer.status);
  return notes.length === 0 ? text : `${text} (${notes.join(', ')})`;
}
