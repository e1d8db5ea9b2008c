import type { CheckFinding } from '../../core/errors/finding';
import type { ApiModel } from '../../openapi/model/api-model';
import { isAfter, isSafe, isSuccess, type ObservedExchange } from '../observed-exchange';
import { History } from '../run/history';
import { createdItem, isSuccessful, type ObservedItem, returnsItem } from '../run/observed-item';
import { effectOf, isRepeatedCreation, showsContent, showsInList, textsOf, collectionPath } from './shown-things';

/** Something that another caller could do or see, although the service says that he may not. */
export interface CallerFinding {
  readonly exchange: ObservedExchange;
  /** Was the request rejected, and done all the same? Else what is wrong is that it was not rejected. */
  readonly isRejected: boolean;
  /** The read with which the thing was kept from the caller; `undefined` where there is none to disagree with. */
  readonly refusal?: ObservedExchange | undefined;
  readonly finding: CheckFinding;
}

/** With which a service keeps a thing from a caller (RFC 9110 §15.5.2, §15.5.4, §15.5.5). */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 404]);

/**
 * What the requests of other callers show. No description says who may do what, so that nothing is expected of one request
 * alone: what was refused must have changed nothing, and who may not read a thing must not change it, nor see it elsewhere.
 *
 * @param exchanges - those of one contract, in the order in which they were sent
 * @param callers - names of the other callers; a thing is that of the caller `valid`
 * @param mark - what texts of the run hold and no others
 */
export function otherCallerFindings(
  api: ApiModel,
  exchanges: readonly ObservedExchange[],
  callers: ReadonlySet<string>,
  mark: string,
): CallerFinding[] {
  const known = [...new Set(exchanges.map(({ auth }) => auth))].filter((auth) => callers.has(auth) && auth !== 'valid');
  const history = new History(exchanges, api);
  return known.flatMap((caller) => [
    ...unknownCaller(exchanges, caller),
    ...itemsOf(history, caller).flatMap((item) => new Access(history, item, caller, mark).findings()),
  ]);
}

/** Who is refused with 401 whatever he asks for has no key that is known: nothing is tried with it. */
function unknownCaller(exchanges: readonly ObservedExchange[], caller: string): CallerFinding[] {
  const own = exchanges.filter(({ auth, status }) => auth === caller && status !== undefined);
  const [first] = own;
  if (first === undefined || own.length < 2 || own.some(({ status }) => status !== 401)) return [];
  const finding = {
    severity: 'warning',
    at: '/response/status',
    message: `The key of "${caller}" was rejected with 401 everywhere, so that nothing is known of other callers`,
    expected: 'a key that the service knows',
    actual: '401',
    hint: 'Is it expired? A key that has to be rejected is given as --refused-identity.',
  } as const;
  return [{ exchange: first, isRejected: false, finding }];
}

/** Things that the run made or knows, and that the caller asked for and did not make himself. */
function itemsOf(history: History, caller: string): ObservedItem[] {
  const items = new Map<string, ObservedItem>();
  for (const exchange of history.exchanges) {
    const item = history.itemOf(exchange);
    if (item !== undefined && exchange.auth === caller) items.set(item.path, item);
  }
  return [...items.values()].filter((item) => {
    const all = history.exchangesOf(item);
    const creation = all.find((exchange) => createdItem(history.api, exchange) !== undefined);
    return creation?.auth !== caller && all.some((read) => isPlainRead(read, 'valid') && isSuccess(read));
  });
}

/** Is the whole thing asked for? */
function isPlainRead({ method, query, auth }: ObservedExchange, caller: string): boolean {
  return method === 'GET' && query === '' && auth === caller;
}

/** What one caller can do with one thing of the run. */
class Access {
  private readonly history: History;
  private readonly item: ObservedItem;
  private readonly caller: string;
  private readonly mark: string;
  private readonly all: readonly ObservedExchange[];

  constructor(history: History, item: ObservedItem, caller: string, mark: string) {
    this.history = history;
    this.item = item;
    this.caller = caller;
    this.mark = mark;
    this.all = history.exchangesOf(item);
  }

  findings(): CallerFinding[] {
    return this.history.exchanges
      .filter(({ auth }) => auth === this.caller)
      .flatMap((exchange) => this.wrongAt(exchange) ?? []);
  }

  private wrongAt(exchange: ObservedExchange): CallerFinding | undefined {
    const isWrite = !isSafe(exchange) && this.history.itemOf(exchange)?.path === this.item.path;
    const effect = isWrite && exchange.method !== 'POST' ? this.effectOf(exchange) : undefined;
    if (effect !== undefined && isRejection(exchange)) return this.rejectedAndDone(exchange, effect);
    const refusal = this.refusalAt(exchange);
    const reason = refusal && this.reasonOf(refusal);
    if (refusal === undefined || reason === 'key') return undefined;
    const told =
      effect === undefined ? this.shownBy(exchange) : `and ${exchange.method} ${pastOf(exchange)} all the same`;
    return told === undefined ? undefined : this.notRefused(exchange, { refusal, reason }, told, effect);
  }

  /** What a write did, as who made the thing sees it before and after; `undefined` where that is nothing, or unknown. */
  private effectOf(write: ObservedExchange): string | undefined {
    const reads = this.all.filter((read) => isPlainRead(read, 'valid'));
    const before = reads.findLast((read) => isAfter(write, read));
    const after = reads.find((read) => isAfter(read, write));
    if (before === undefined || after === undefined || !returnsItem(this.history.api, before)) return undefined;
    const others = this.history.anyWritesBetween(before, after).filter((other) => other !== write);
    return others.length > 0 ? undefined : effectOf(this.history.api, { write, before, after, mark: this.mark });
  }

  /** The read with which the caller was refused the thing just before, or this one, with nothing done in between. */
  private refusalAt(exchange: ObservedExchange): ObservedExchange | undefined {
    const reads = this.all.filter((read) => isPlainRead(read, this.caller));
    const before = reads.includes(exchange) ? exchange : reads.findLast((read) => isAfter(exchange, read));
    const after = reads.find((read) => isAfter(read, exchange));
    if (before === undefined || !REFUSALS.has(before.status ?? 0)) return undefined;
    if (before !== exchange && this.history.anyWritesBetween(before, exchange).length > 0) return undefined;
    // Who is let in later may have been let in then: what was written may be seen only some time later.
    return after !== undefined && isSuccess(after) ? undefined : before;
  }

  /** How a response shows the thing to who may not read it. */
  private shownBy(exchange: ObservedExchange): string | undefined {
    const { history, item } = this;
    if (showsInList(history.api, exchange, item)) return 'and the list shows it to him';
    if (this.isReplay(exchange)) return 'and got it by sending its creation once more';
    const read = this.all.findLast((each) => isPlainRead(each, 'valid') && isSuccess(each) && isAfter(exchange, each));
    if (read === undefined) return undefined;
    const sent = history.exchanges.filter(({ auth, sentAt }) => auth === this.caller && sentAt <= exchange.sentAt);
    const secret = textsOf(read.body).filter(
      (text) => text.includes(this.mark) && text !== item.key && !sent.some((each) => isSent(each, text)),
    );
    return showsContent(exchange, secret) ? `and the response to ${exchange.method} shows what is in it` : undefined;
  }

  private isReplay(exchange: ObservedExchange): boolean {
    const creation = this.all.find((each) => each.auth === 'valid' && each.method === 'POST');
    return creation !== undefined && isRepeatedCreation(this.history.api, creation, exchange);
  }

  private rejectedAndDone(exchange: ObservedExchange, effect: string): CallerFinding {
    const told = `The ${exchange.method} of another caller was rejected`;
    return {
      exchange,
      isRejected: true,
      finding: {
        severity: 'error',
        at: '/response/status',
        message: `${told} with ${exchange.status ?? 0}, and done all the same`,
        identity: { rule: `${told} and done all the same` },
        expected: 'what it was before',
        actual: effect,
        hint: 'Judge whether the caller may do it before anything is changed.',
      },
    };
  }

  private notRefused(
    exchange: ObservedExchange,
    { refusal, reason }: { readonly refusal: ObservedExchange; readonly reason: RefusalReason | undefined },
    told: string,
    effect: string | undefined,
  ): CallerFinding {
    const severity = reason === 'thing' ? 'error' : 'warning';
    const may =
      'A key that may write and not read, or list and not read, is a reason for it; nothing was seen that excludes that.';
    return {
      exchange,
      isRejected: false,
      refusal,
      finding: {
        severity,
        at: '/response/status',
        message: `Another caller may not read ${this.item.template}, ${told}`,
        expected: `as with GET: ${refusal.status ?? 0}`,
        actual: `${this.caller}: GET ${refusal.status ?? 0}, ${exchange.method} ${exchange.status ?? 0}${effect === undefined ? '' : `: ${effect}`}`,
        hint: severity === 'error' ? 'Judge whose the thing is wherever it is used.' : may,
      },
    };
  }

  /**
   * Why the caller may not read the thing. It is not his if he read another one with the same operation; his key may not read
   * any if what he made himself is kept from him as well. Where neither was seen, 404 says to who may list that there is no such
   * thing for him.
   */
  private reasonOf(refusal: ObservedExchange): RefusalReason {
    const { history, caller, item } = this;
    const others = history.exchanges.filter(
      ({ auth, operation, path, method }) =>
        auth === caller && method === 'GET' && operation === refusal.operation && path !== item.path,
    );
    if (others.some((read) => isSuccessful(history.api, read))) return 'thing';
    const own = new Set(
      history.exchanges.flatMap((each) => (each.auth === caller ? (createdItem(history.api, each)?.path ?? []) : [])),
    );
    if (others.some(({ path, status = 0 }) => own.has(path) && REFUSALS.has(status))) return 'key';
    const collection = collectionPath(item);
    const mayList = history.exchanges.some(
      (each) =>
        each.auth === caller && each.method === 'GET' && each.path.replace(/\/$/, '') === collection && isSuccess(each),
    );
    return mayList && refusal.status === 404 ? 'thing' : 'unknown';
  }
}

/** That this thing is not his, that his key may not read any, or nobody knows. */
type RefusalReason = 'thing' | 'key' | 'unknown';

function isRejection({ status = 0 }: ObservedExchange): boolean {
  return status >= 400 && status < 500 && status !== 408;
}

function pastOf({ method }: ObservedExchange): string {
  return method === 'DELETE' ? 'removed it' : 'changed it';
}

function isSent({ path, query, requestText }: ObservedExchange, text: string): boolean {
  return [requestText, decoded(path), decoded(query)].some((part) => part.includes(text));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
