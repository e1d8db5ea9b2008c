import { type JsonObject, type JsonValue, valueAlong } from '../../core/json/json-value';
import { keyText } from '../../checks/run/observed-item';
import { getOrCreate } from '../../core/text/memoize';
import type { Operation } from '../../openapi/model/operation';
import type { Binding } from '../../resources/model/binding';
import { fillTemplate, type ResourceDescription } from '../../resources/model/resource';
import type { AnsweredRequest, AnswerPair, Side } from '../transport/reference';

/** What is known of a property of an item, because the run wrote it or because the mock did when the run wrote. */
export type Written =
  /** What was sent to each side last. */
  | { readonly kind: 'sent'; readonly target: JsonValue; readonly mock: JsonValue }
  /** The default that the description gives it. */
  | { readonly kind: 'default'; readonly isStated: boolean }
  /** What a request made of it that did not send it: `isStated` by a rule or an override. */
  | { readonly kind: 'effect'; readonly isStated: boolean }
  /** What a replacement left out as a rule or an override says, with what stood there at the target before. */
  | { readonly kind: 'cleared'; readonly before: JsonValue };

/** An item that is at both sides. */
export interface PairedItem {
  readonly resource: string;
  /** Its key at each side, as text. */
  readonly target: string;
  readonly mock: string;
  /** Did this run make it, at both sides? */
  readonly isOwn: boolean;
  readonly written: Map<string, Written>;
  /** Did a step of it go otherwise at the target? Then nothing that follows says anything more. */
  isDiverged: boolean;
  /** Was a property of it found to differ? Then what depends on its state follows from that. */
  isAltered: boolean;
  /** Was it removed at both sides? Then its key may come again. */
  isRemoved: boolean;
}

/** The name of an item in all collections: the path of its collection, and its key; a single record has none. */
export function nameOfItem(collection: string, key: string): string {
  return key === '' ? collection : `${collection}/${encodeURIComponent(key)}`;
}

/** The key that an item shows. */
export function shownKey({ key }: ResourceDescription, item: JsonValue | undefined): string | undefined {
  return keyText(valueAlong(item, key.propertyPath.length > 0 ? key.propertyPath : [key.name]));
}

/** A text at each side. */
export type Named = Readonly<Record<Side, string>>;

/** A thing that a request names by a value: in its path, or in a property of its body that refers to another one. */
export interface NamedItem {
  readonly target: string;
  readonly mock: string;
  /** `undefined` where nothing was paired under these values. */
  readonly pair: PairedItem | undefined;
}

/**
 * The one-to-one map of items between the target and the mock, of one contract. Items have other keys at each side; what is
 * known of each is in the pair.
 */
export class PairedItems {
  private readonly byName: Readonly<Record<Side, Map<string, PairedItem>>> = { target: new Map(), mock: new Map() };
  private readonly all: PairedItem[] = [];
  /** Names of the properties that the target has shown, by operation. */
  private readonly shown = new Map<Operation, Set<string>>();

  /**
   * Takes up that both sides show one item.
   *
   * @param names - {@link nameOfItem} at each side
   * @param keys - as text
   * @returns `undefined` where one of them is paired with another one already
   */
  pair(resource: string, names: Named, keys: Named, isOwn: boolean): PairedItem | undefined {
    const known = this.find(names);
    if (known?.isRemoved === false) return known;
    const others = [this.byName.target.get(names.target), this.byName.mock.get(names.mock)];
    if (others.some((pair) => pair?.isRemoved === false)) return undefined;
    const pair: PairedItem = {
      resource,
      ...keys,
      isOwn,
      written: new Map(),
      isDiverged: false,
      isAltered: false,
      isRemoved: false,
    };
    this.all.push(pair);
    this.byName.target.set(names.target, pair);
    this.byName.mock.set(names.mock, pair);
    return pair;
  }

  /** Takes up another name of an item, such as a value that a step captured from the response to its creation. */
  alias(pair: PairedItem, names: Named): void {
    if (this.byName.target.has(names.target) || this.byName.mock.has(names.mock)) return;
    this.byName.target.set(names.target, pair);
    this.byName.mock.set(names.mock, pair);
  }

  /** Takes up which properties a response of an operation shows: another one that has them shows them, too. */
  noteShown(operation: Operation, item: JsonObject): void {
    const names = getOrCreate(this.shown, operation, () => new Set<string>());
    for (const name of Object.keys(item)) names.add(name);
  }

  /** Has the target shown the property in a response of the operation? */
  wasShown(operation: Operation, name: string): boolean {
    return this.shown.get(operation)?.has(name) === true;
  }

  /** What the target did to the items of a resource nobody knows any more. */
  loseResource(path: string): void {
    for (const pair of this.all) if (pair.resource === path) pair.isDiverged = true;
  }

  find({ target, mock }: Named): PairedItem | undefined {
    const pair = this.byName.mock.get(mock);
    return pair !== undefined && this.byName.target.get(target) === pair ? pair : undefined;
  }

  at(side: Side, name: string): PairedItem | undefined {
    return this.byName[side].get(name);
  }

  /**
   * The item of a resource that has a key at one side, in whichever collection, or had it last; `undefined` where several
   * have it.
   */
  byKey(resource: string, side: Side, key: string): PairedItem | undefined {
    const all = this.all.filter((pair) => pair.resource === resource && pair[side] === key && pair.isOwn);
    const [found, ...more] = all.filter(({ isRemoved }) => !isRemoved);
    return more.length > 0 ? undefined : (found ?? all.at(-1));
  }
}

/** The collection that a request is about, with the values of its path; `undefined` where these stand elsewhere. */
export function collectionOfRequest(
  { resource, scopeParameters, isAcross, outsidePath }: Binding,
  { path }: AnsweredRequest,
): string | undefined {
  if (isAcross || outsidePath.size > 0 || scopeParameters.length < resource.scope.length) return undefined;
  const values = scopeParameters.map((name) => path[name]);
  return values.every((value) => value !== undefined) ? fillTemplate(resource.path, values) : undefined;
}

/** The name of the item that a request is about: by the key in its path, or the single record. */
export function itemOfRequest(binding: Binding, request: AnsweredRequest): string | undefined {
  const collection = collectionOfRequest(binding, request);
  if (collection === undefined || binding.itemChoice !== undefined) return undefined;
  if (binding.resource.kind === 'singleton') return collection;
  const key = binding.keyParameter === undefined ? undefined : request.path[binding.keyParameter];
  return key === undefined ? undefined : nameOfItem(collection, key);
}

/** Everything that a request names: its item, what that lies below, and what its body refers to. */
export function namedItems(items: PairedItems, binding: Binding, { target, mock }: AnswerPair): NamedItem[] {
  const { resource, scopeParameters, keyParameter } = binding;
  const own = [itemOfRequest(binding, target), itemOfRequest(binding, mock)] as const;
  const parents = resource.scope.flatMap(({ parent }, index): NamedItem[] => {
    const name = scopeParameters[index] ?? '';
    const [there, here] = [target.path[name], mock.path[name]];
    if (there === undefined || here === undefined) return [];
    return [
      { target: there, mock: here, pair: parent === undefined ? undefined : sameByKey(items, parent, there, here) },
    ];
  });
  const itself: NamedItem[] =
    keyParameter === undefined
      ? []
      : [
          {
            target: target.path[keyParameter] ?? '',
            mock: mock.path[keyParameter] ?? '',
            pair:
              own[0] === undefined || own[1] === undefined ? undefined : items.find({ target: own[0], mock: own[1] }),
          },
        ];
  return [...parents, ...itself, ...referredItems(items, binding, { target, mock })];
}

/** What the properties of a body that hold keys of other resources name. */
function referredItems(items: PairedItems, { resource }: Binding, { target, mock }: AnswerPair): NamedItem[] {
  return resource.references.flatMap(({ property, to, form }): NamedItem[] => {
    if (form !== 'key') return [];
    const [there, here] = [target, mock].map(({ sent }) => keyText(valueAlong(sent, [property])));
    if (there === undefined || here === undefined) return [];
    return [{ target: there, mock: here, pair: sameByKey(items, to, there, here) }];
  });
}

function sameByKey(items: PairedItems, resource: string, target: string, mock: string): PairedItem | undefined {
  const pair = items.byKey(resource, 'mock', mock);
  return pair?.target === target ? pair : undefined;
}
