import { isJsonNumber } from '../../core/json/exact-number';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value';
import { previewValue } from '../../core/json/value-preview';
import type { History, RunCheck } from './history';
import { isSuccessful } from './item';
import { type ObservedExchange, repeatedRequests, type RunCheckFinding } from '../run-check';
import { isSameValue, responseProperties, sentProperties } from './sent-values';

/** A PUT that is repeated changes nothing more. */
export const putIdempotent: RunCheck = {
  id: 'put-idempotent',
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
  const sent = new Set(sentProperties(history.api, second, second).map(({ property }) => property.name));
  return changedProperties(history, second, before, after).map((name): RunCheckFinding => {
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

/** Documented properties that are not the server's own. Of those that are no numbers, flags or lists only what was sent. */
function changedProperties({ api }: History, put: ObservedExchange, before: JsonObject, after: JsonObject): string[] {
  const sent = new Set(sentProperties(api, put, put).map(({ property }) => property.name));
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
