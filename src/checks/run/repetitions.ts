import { type ObservedExchange, repeatedRequests, type RunCheckFinding, templateOf } from '../observed-exchange';
import { tagsOfActions, tagsOfChanges } from './changed-tags';
import type { History, RunCheck } from './history';
import { isSuccessful } from './observed-item';
import { ownForm } from '../matchers/own-forms';
import { isSameValue, responseProperties, sentProperties } from './sent-values';
import { headerValue } from '../../core/http/headers';
import { isJsonNumber } from '../../core/json/exact-number';
import { canonicalKey, equalJson, isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value';
import { previewValue } from '../../core/json/stringify-json';
import type { ApiModel } from '../../openapi/model/api-model';

/** The entity tag is another one exactly when the representation is: else clients keep what is old, or fetch for nothing. */
export const etagChanges: RunCheck = {
  id: 'etag-changes',
  area: 'state',
  source: 'RFC 9110 §8.8, §8.8.1, §8.8.3',
  run(history) {
    const { exchanges, api } = history;
    const groups = repeatedRequests(exchanges.filter(isTagged));
    const ofReads = groups.flatMap((reads) => firstDisagreement(api, reads) ?? []);
    return [...ofReads, ...tagsOfChanges(history), ...tagsOfActions(history)];
  },
};

function isTagged({ method, status, headers, body }: ObservedExchange): boolean {
  return method === 'GET' && status === 200 && body !== undefined && headerValue(headers, 'etag') !== undefined;
}

/** The first disagreement among reads of one thing: one that hides a change, else one that shows none as one. */
function firstDisagreement(api: ApiModel, reads: readonly ObservedExchange[]): RunCheckFinding | undefined {
  const byTag = new Map<string, ObservedExchange>();
  for (const read of reads) {
    const earlier = byTag.get(tagOf(read));
    if (earlier === undefined) byTag.set(tagOf(read), read);
    else if (hidesChange(earlier, read)) return etagFinding(api, read, earlier, true);
  }
  // Neighbours only: a tag may go on while the body goes back to what it was.
  const needless = reads.findIndex((read, index) => changesWithoutReason(reads[index - 1], read));
  const [earlier, read] = [reads[needless - 1], reads[needless]];
  return earlier === undefined || read === undefined ? undefined : etagFinding(api, read, earlier, false);
}

/** A weak tag says that two representations are as good as each other, not that they are equal. */
function hidesChange(earlier: ObservedExchange, read: ObservedExchange): boolean {
  return tagOf(earlier) === tagOf(read) && !tagOf(read).startsWith('W/') && !isSameBody(earlier, read);
}

function changesWithoutReason(earlier: ObservedExchange | undefined, read: ObservedExchange): boolean {
  return earlier !== undefined && tagOf(earlier) !== tagOf(read) && isSameBody(earlier, read);
}

function tagOf({ headers }: ObservedExchange): string {
  return headerValue(headers, 'etag') ?? '';
}

function isSameBody(one: ObservedExchange, other: ObservedExchange): boolean {
  return equalJson(one.body ?? null, other.body ?? null);
}

function etagFinding(
  api: ApiModel,
  read: ObservedExchange,
  earlier: ObservedExchange,
  isStale: boolean,
): RunCheckFinding {
  const what = isStale ? 'has another body under the same ETag' : 'has another ETag for the same body';
  return {
    exchange: read,
    earlier,
    // A tag may depend on more than the body, such as when it was written.
    severity: isStale ? 'error' : 'warning',
    at: '/response/headers/etag',
    message: `GET ${templateOf(api, read)} ${what}`,
    expected: isStale ? 'another tag than before' : tagOf(earlier),
    actual: tagOf(read),
  };
}

/** A PUT that is repeated changes nothing more. */
export const putIdempotent: RunCheck = {
  id: 'put-idempotent',
  area: 'state',
  source: 'RFC 9110 §9.2.2, §9.3.4; WFC 902, 905',
  run(history) {
    const { exchanges, api } = history;
    const groups = repeatedRequests(exchanges.filter((put) => put.method === 'PUT' && isSuccessful(api, put)));
    return groups.flatMap((group) =>
      group
        .slice(1)
        .flatMap((second, index) => compareRepeated(history, group[index], second))
        .slice(0, 1),
    );
  },
};

function compareRepeated(
  history: History,
  first: ObservedExchange | undefined,
  second: ObservedExchange,
): RunCheckFinding[] {
  const item = history.itemOf(second);
  if (first === undefined || item === undefined || history.writesBetween(item, first, second).length > 0) return [];
  const about = { exchange: second, earlier: first } as const;
  if (second.status === 201) {
    const message = `PUT ${item.template} created the same item a second time`;
    const identity = { rule: `PUT ${item.template} created the same thing a second time` };
    return [{ ...about, at: '/response/status', message, expected: '200 or 204', actual: '201', identity }];
  }
  const [before, after] = [first.body, second.body];
  if (!isJsonObject(before) || !isJsonObject(after)) return [];
  const sent = sentNames(history.api, second);
  // The time of the write, and what is counted, may be another one each time.
  const changed = changedProperties(history, second, before, after).filter((name) => {
    return ownForm(name, before[name] ?? null, after[name]) === undefined;
  });
  return changed.map((name): RunCheckFinding => {
    const told = `PUT ${item.template} has another effect the second time: the`;
    return {
      ...about,
      // What nobody sent may count how often it was written.
      severity: sent.has(name) ? 'error' : 'warning',
      at: `/response/body/${name}`,
      message: `${told} property "${name}" changed`,
      expected: previewValue(before[name]),
      actual: previewValue(after[name]),
      identity: { rule: `${told} member "${name}" changed` },
    };
  });
}

function sentNames(api: ApiModel, put: ObservedExchange): Set<string> {
  return new Set(sentProperties(api, put, put).flatMap(({ name, path }) => (path.length === 0 ? [name] : [])));
}

/** Documented properties that are not the server's own. Of those that are no numbers, flags or lists only what was sent. */
function changedProperties({ api }: History, put: ObservedExchange, before: JsonObject, after: JsonObject): string[] {
  const sent = sentNames(api, put);
  return [...(responseProperties(api, put)?.values() ?? [])]
    .filter(({ name, readOnly }) => !readOnly && (sent.has(name) || isComparedUnsent(before[name])))
    .filter(({ name, schema }) => !isUnchanged(before[name], after[name], sent.has(name), schema))
    .map(({ name }) => name);
}

function isComparedUnsent(value: JsonValue | undefined): boolean {
  return typeof value === 'boolean' || isJsonNumber(value) || Array.isArray(value);
}

function isUnchanged(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  isSent: boolean,
  schema: JsonObject,
): boolean {
  if (before === undefined || after === undefined) return before === after;
  if (!isSent && Array.isArray(before) && Array.isArray(after)) return before.length === after.length;
  return isSameValue(before, after, schema);
}

/** Two equal reads with no write of the run in between give the same. Others may write, so that it is a warning. */
export const readRepeatable: RunCheck = {
  id: 'read-repeatable',
  area: 'state',
  source: 'RFC 9110 §9.2.1, §9.3.1',
  run(history) {
    const { exchanges, api } = history;
    const groups = repeatedRequests(exchanges.filter(({ method, status }) => method === 'GET' && status === 200));
    return groups.flatMap((reads): RunCheckFinding[] => {
      const later = reads.find((read, index) => isChanged(history, reads[index - 1], read));
      const earlier = later === undefined ? undefined : reads[reads.indexOf(later) - 1];
      if (later === undefined || earlier === undefined) return [];
      const what = isReordered(earlier, later) ? 'the same items in another order' : 'another body';
      return [
        {
          exchange: later,
          earlier,
          severity: 'warning',
          at: '/response/body',
          message: `GET ${templateOf(api, later)} gave ${what} when it was repeated, and the run had written nothing`,
          expected: 'the same body',
          actual: what,
          hint: 'Or did somebody else write?',
        },
      ];
    });
  },
};

function isChanged(history: History, earlier: ObservedExchange | undefined, later: ObservedExchange): boolean {
  if (later.isPolled === true) return false;
  if (earlier?.body === undefined || later.body === undefined || equalJson(earlier.body, later.body)) return false;
  return history.anyWritesBetween(earlier, later).length === 0;
}

function isReordered({ body: before }: ObservedExchange, { body: after }: ObservedExchange): boolean {
  if (!Array.isArray(before) || !Array.isArray(after)) return false;
  const sorted = (items: typeof before): string =>
    items
      .map((item) => canonicalKey(item))
      .sort()
      .join();
  return sorted(before) === sorted(after);
}
