import { keyText } from '../../checks/run/observed-item';
import type { JsonValue } from '../../core/json/json-value';
import { BEHAVIOURS, type Binding } from '../../resources/model/binding';
import { itemIn } from './compare-items';
import { collectionOfRequest, nameOfItem, type PairedItem, type PairedItems, shownKey } from './paired-items';
import type { AnsweredRequest, AnswerPair, AnswerReason, ItemChange, Side } from '../transport/reference';

/** What a creation made: the pair, or that the key at the target is that of another pair already. */
export type MadeItem =
  | { readonly kind: 'paired'; readonly pair: PairedItem }
  | { readonly kind: 'taken'; readonly target: string };

/** Values that a step captured at each side, by name. */
type CapturedValues = Readonly<Record<Side, ReadonlyMap<string, JsonValue>>>;

/**
 * Pairs what a request made at both sides. At the mock its changes tell what that is; at the target the key in the
 * response, in the path or as the client chose it, or the captured value whose counterpart is the key at the mock.
 *
 * @returns `undefined` where the mock made nothing, or no response tells which it is
 */
export function madeItem(
  items: PairedItems,
  binding: Binding,
  { answers, reason }: { readonly answers: AnswerPair; readonly reason: AnswerReason },
  captured: CapturedValues,
): MadeItem | undefined {
  const added = addedItem(binding, reason);
  const collection = collectionOfRequest(binding, answers.target);
  if (added === undefined || collection === undefined) return undefined;
  const { resource, key } = added;
  const counterpart = counterpartOf(key, captured);
  const target = madeKey(binding, answers, key) ?? counterpart;
  if (target === undefined) return undefined;
  const names = { target: nameOfItem(collection, target), mock: nameOfItem(added.collection, key) };
  const pair = items.pair(resource.path, names, { target, mock: key }, true);
  if (pair === undefined) return { kind: 'taken', target };
  for (const [name, value] of captured.target) {
    const [there, here] = [keyText(value), keyText(captured.mock.get(name))];
    if (there === undefined || here === undefined) continue;
    items.alias(pair, { target: nameOfItem(collection, there), mock: nameOfItem(added.collection, here) });
  }
  return { kind: 'paired', pair };
}

/** The one item of its own resource that a creation added at the mock. */
function addedItem({ behaviour, resource }: Binding, { changes }: AnswerReason): ItemChange | undefined {
  if (BEHAVIOURS[behaviour].creates !== true) return undefined;
  const added = changes.filter(
    ({ before, after, ...change }) =>
      before === undefined && after !== undefined && change.resource.path === resource.path,
  );
  return added.length === 1 ? added[0] : undefined;
}

/** The key at the target, read from where the mock shows its own. */
function madeKey(binding: Binding, { target, mock }: AnswerPair, mockKey: string): string | undefined {
  const readings: ((answer: AnsweredRequest) => string | undefined)[] = [
    ({ path }) => (binding.keyParameter === undefined ? undefined : path[binding.keyParameter]),
    ({ body }) => shownIn(binding, 'response', body),
    ({ sent }) => (binding.resource.key.isClientChosen ? shownIn(binding, 'request', sent) : undefined),
  ];
  for (const read of readings) if (read(mock) === mockKey) return read(target);
  return undefined;
}

function shownIn(binding: Binding, place: 'request' | 'response', body: JsonValue | undefined): string | undefined {
  const shape = binding[place];
  const item = shape?.form === 'item' ? itemIn(body, shape.path) : undefined;
  return item === undefined ? undefined : shownKey(binding.resource, item);
}

function counterpartOf(key: string, { target, mock }: CapturedValues): string | undefined {
  const [name] = [...mock].find(([, value]) => keyText(value) === key) ?? [];
  return name === undefined ? undefined : keyText(target.get(name));
}
