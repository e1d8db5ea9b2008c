import { isSafe } from '../../core/http/message';
import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from '../../core/json/json-value';
import { namePattern } from '../../resources/model/resource';
import type { Binding } from '../../resources/model/binding';
import type { Change } from '../../mock/state/state';
import { type Exchange, type GradedApi, isSuccess, type Mutant, sentJson, withSentJson, withTarget } from './mutant';

type Answer = (exchange: Exchange) => ReturnType<Exchange['send']>;

function mutant(kind: string, { operation }: Binding, words: string, answer: Answer): Mutant {
  return {
    id: `${kind} ${operation.id}`,
    words,
    pointer: operation.pointer,
    operations: new Set([operation.id]),
    defect: { kind: 'exchange', answer },
  };
}

function changing({ model }: GradedApi): Binding[] {
  return [...model.bindings.values()].filter(({ operation }) => !isSafe(operation.method));
}

/** Writes that are answered as done, and are not. */
export function* forgottenWrites(graded: GradedApi): Generator<Mutant> {
  for (const binding of changing(graded))
    yield mutant('forgotten', binding, 'it answers as if it were done, and nothing is stored', async (exchange) => {
      const response = await exchange.send(exchange.request);
      exchange.takeBack(exchange.changes());
      return response;
    });
}

/** Writes whose effects on other resources do not come about: stock, counts, what is removed with its owner. */
export function* forgottenEffects(graded: GradedApi): Generator<Mutant> {
  for (const binding of changing(graded)) {
    const isOwn = ({ collection }: Change): boolean => namePattern(binding.resource.path).test(collection);
    yield mutant('no-effect', binding, 'what it changes of other resources stays as it was', async (exchange) => {
      const response = await exchange.send(exchange.request);
      const all = exchange.changes();
      if (all.some(isOwn)) exchange.takeBack(all.filter((change) => !isOwn(change)));
      return response;
    });
  }
}

/** Changes of one thing that hit another as well. */
export function* strayWrites(graded: GradedApi): Generator<Mutant> {
  for (const binding of changing(graded).filter(({ keyParameter }) => keyParameter !== undefined))
    yield mutant('stray', binding, 'it does the same to another item as well', async (exchange) => {
      const { request, send } = exchange;
      const response = await send(request);
      const [change] = exchange.changes();
      if (!isSuccess(response) || change === undefined) return response;
      const key = String(change.key);
      const other = exchange.keysOf(change.collection).find((each) => each !== key);
      const target = other === undefined ? undefined : withKey(request.target, key, other);
      if (target !== undefined) await send(withTarget(request, target));
      return response;
    });
}

function withKey(target: string, key: string, other: string): string | undefined {
  const [path = '', ...query] = target.split('?');
  const segments = path.split('/');
  const at = segments.lastIndexOf(encodeURIComponent(key));
  if (at === -1) return undefined;
  segments[at] = encodeURIComponent(other);
  return [segments.join('/'), ...query].join('?');
}

/** PUT that keeps what was not sent (RFC 9110 §9.3.4 has it replaced). */
export function* mergingReplacements(graded: GradedApi): Generator<Mutant> {
  for (const binding of changing(graded).filter(({ behaviour }) => behaviour === 'replace' || behaviour === 'upsert'))
    yield mutant('merging', binding, 'what was not sent stays as it was', (exchange) =>
      again(exchange, (before, sent) => ({ ...pick(before, writableOf(binding)), ...sent })),
    );
}

/** PATCH that loses what was not sent (RFC 7396 has it stay). */
export function* forgettingChanges(graded: GradedApi): Generator<Mutant> {
  for (const binding of changing(graded).filter(({ behaviour }) => behaviour === 'update'))
    yield mutant('forgetting', binding, 'what was not sent is lost', (exchange) =>
      again(exchange, (before, sent) => {
        const optional = writableOf(binding).filter((name) => binding.resource.properties.get(name)?.required !== true);
        const lost = optional.filter((name) => Object.hasOwn(before, name) && !Object.hasOwn(sent, name));
        return { ...sent, ...Object.fromEntries(lost.map((name) => [name, null])) };
      }),
    );
}

function writableOf({ resource }: Binding): string[] {
  return [...resource.properties.values()].flatMap(({ name, readOnly }) =>
    readOnly || name === resource.key.name ? [] : [name],
  );
}

function pick(item: JsonObject, names: readonly string[]): Record<string, JsonValue> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = ownProperty(item, name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** Sends a change once more with a body that is made of what was there; where that is refused, as it was. */
async function again(
  exchange: Exchange,
  bodyOf: (before: JsonObject, sent: JsonObject) => JsonObject,
): ReturnType<Exchange['send']> {
  const { request, send } = exchange;
  const first = await send(request);
  const changes = exchange.changes();
  const before = changes[0]?.before;
  const sent = sentJson(request);
  if (!isSuccess(first) || before === undefined || !isJsonObject(sent)) return first;
  exchange.takeBack(changes);
  const second = await send(withSentJson(request, bodyOf(before, sent)));
  return isSuccess(second) ? second : send(request);
}
