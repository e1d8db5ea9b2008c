import { joinPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonValue } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import { once } from '../../core/text/memoize';
import { isScalar } from '../../formats/contract/placeholders';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Schema } from '../../openapi/model/operation';
import { fieldOf, itemsOf, type LocatedObject } from '../../openapi/read/references';
import { EVERY_COMPOSITION, partsOf, type SchemaShape, shapeOf } from '../../openapi/view/schema-shape';

/** In what values stand: the requests or the responses of an operation, or one of its parameters. */
export interface Side {
  /** How names of units begin: `response`. */
  readonly title: string;
  /** Told apart from the others of the operation. */
  readonly key: string;
  /** What marks a property that is never there (OAS 3.0.3 §4.7.24). */
  readonly without?: Mark;
}

type Mark = 'readOnly' | 'writeOnly';

/** A property or a word below a schema. */
export interface ValueUnit {
  /** Tells it from all other ones of the description. */
  readonly id: number;
  /** JSON pointer into the description. */
  readonly pointer: string;
  /** The title of its root and the shortest way to it, with `*` for an index and `{name}` for a name of a map. */
  readonly at: string;
  /** Of a word. */
  readonly value?: JsonValue;
}

/** A schema, and how names of what is below it begin: `response 200 `. Those of one side differ in it. */
export interface Root {
  readonly schema: Schema;
  readonly title: string;
}

/** In place of the index of a list, and of the name in a map. */
const ITEM = '/*';
const ENTRY = '/{name}';

/** Does a path end in a place of a list or a map, which is no unit? */
export function isAnonymous(at: string): boolean {
  return at.endsWith(ITEM) || at.endsWith(ENTRY);
}

interface UnitNumbers {
  readonly properties: number;
  readonly words: number;
}

interface Word {
  readonly id: number;
  readonly pointer: string;
  readonly value: JsonValue;
}

interface Member {
  readonly id: number;
  readonly pointer: string;
  readonly place: Place;
}

/** What the schemas of one value say. */
interface Place {
  /** By name. */
  readonly members: ReadonlyMap<string, Member>;
  /** Of the items of a list, and of the properties that are not named. */
  readonly items: Place | undefined;
  readonly others: Place | undefined;
  /** By their text. */
  readonly words: ReadonlyMap<string, readonly Word[]>;
  readonly marks: ReadonlySet<Mark>;
  /** What it leads to, by the mark of the properties that are left out. */
  readonly links: Map<Mark | undefined, Links>;
  /** The last round in which it was counted. */
  round: number;
}

interface Links {
  readonly properties: readonly number[];
  readonly words: readonly number[];
  readonly next: readonly Place[];
}

/** Deeper a value is not looked at. */
const MOST_LEVELS = 64;

/**
 * The properties and words of schemas, and which of them a value has. Everything is worked out once for each schema of
 * the description, when it is first asked for; of values nothing is kept.
 */
export class SchemaUnits {
  private readonly api: ApiModel;
  private readonly places = new Map<SchemaShape, Place>();
  private readonly ids = new Map<string, number>();
  private readonly counts = new Map<string, UnitNumbers>();
  /** By id, the last round in which it was counted. */
  private readonly rounds: number[] = [];
  private round = 0;

  constructor(api: ApiModel) {
    this.api = api;
  }

  /** Every property and word below schemas, each once, however many ways lead to it: a recursive schema ends. */
  list(side: Side, roots: readonly Root[]): { readonly properties: ValueUnit[]; readonly words: ValueUnit[] } {
    const properties = new Map<number, ValueUnit>();
    const words = new Map<number, ValueUnit>();
    for (const { place, at } of this.walk(side, roots)) {
      for (const word of [...place.words.values()].flat()) if (!words.has(word.id)) words.set(word.id, { ...word, at });
      for (const [name, { id, pointer, place: inner }] of place.members) {
        if (!isLeftOut(side, inner) && !properties.has(id))
          properties.set(id, { id, pointer, at: joinPointer(at, name) });
      }
    }
    return { properties: [...properties.values()], words: [...words.values()] };
  }

  /** How many {@link list} has: of operations that nobody called no more is asked. */
  count(side: Side, roots: readonly Root[]): UnitNumbers {
    const key = [side.without ?? '', ...roots.map(({ schema }) => schema.pointer)].join(' ');
    let count = this.counts.get(key);
    if (count === undefined) this.counts.set(key, (count = this.countAnew(side, roots)));
    return count;
  }

  /** What is counted bears the number of the round: sets of all of it would take a hundred times as long. */
  private countAnew(side: Side, roots: readonly Root[]): UnitNumbers {
    const round = ++this.round;
    const waiting = roots.map(({ schema }) => this.place([schema]));
    let [properties, words] = [0, 0];
    for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
      if (place.round === round) continue;
      place.round = round;
      const links = linksOf(place, side);
      for (const id of links.properties) properties += this.isNew(id, round);
      for (const id of links.words) words += this.isNew(id, round);
      for (const next of links.next) if (next.round !== round) waiting.push(next);
    }
    return { properties, words };
  }

  /** 1 for what was not counted in this round, else 0. */
  private isNew(id: number, round: number): 0 | 1 {
    if (this.rounds[id] === round) return 0;
    this.rounds[id] = round;
    return 1;
  }

  /** The places below schemas, what is least deep first, each once. */
  private *walk(side: Side, roots: readonly Root[]): Generator<{ readonly place: Place; readonly at: string }> {
    const visited = new Set<Place>();
    const waiting = roots.map(({ schema, title }) => ({ place: this.place([schema]), at: title }));
    // An array gives what is added to it while it is walked.
    for (const next of waiting) {
      const { place, at } = next;
      if (visited.has(place)) continue;
      visited.add(place);
      yield next;
      for (const [name, { place: inner }] of place.members)
        if (!visited.has(inner) && !isLeftOut(side, inner)) waiting.push({ place: inner, at: joinPointer(at, name) });
      if (place.items !== undefined) waiting.push({ place: place.items, at: `${at}${ITEM}` });
      if (place.others !== undefined) waiting.push({ place: place.others, at: `${at}${ENTRY}` });
    }
  }

  /** Adds the ids of the units that a value has. */
  mark(schemas: readonly Schema[], value: JsonValue, seen: Set<number>): void {
    for (const schema of schemas) markAt(this.place([schema]), value, seen, MOST_LEVELS);
  }

  /** By what the schemas say together, so that a circle ends: what is below is looked up when it is first asked for. */
  private place(schemas: readonly LocatedObject[]): Place {
    const shape = shapeOf(this.api, schemas);
    let place = this.places.get(shape);
    if (place === undefined) this.places.set(shape, (place = this.read(shape, schemas)));
    return place;
  }

  private read(shape: SchemaShape, schemas: readonly LocatedObject[]): Place {
    const below = (list: readonly LocatedObject[]): Place | undefined =>
      list.length === 0 ? undefined : this.place(list);
    const members = once(
      () => new Map([...shape.properties].map(([name, list]) => [name, this.member(shape, name, list)])),
    );
    const items = once(() => below(shape.items));
    const others = once(() => below(shape.others));
    const whole = partsOf(this.api, schemas);
    const marks = (['readOnly', 'writeOnly'] as const).filter((mark) =>
      whole.some(({ value }) => value[mark] === true),
    );
    return {
      get members() {
        return members();
      },
      get items() {
        return items();
      },
      get others() {
        return others();
      },
      words: this.wordsOf(schemas),
      marks: new Set(marks),
      links: new Map(),
      round: 0,
    };
  }

  private member({ places }: SchemaShape, name: string, schemas: readonly LocatedObject[]): Member {
    const pointer = places.get(name) ?? '';
    return { id: this.idOf(pointer), pointer, place: this.place(schemas) };
  }

  private wordsOf(schemas: readonly LocatedObject[]): ReadonlyMap<string, readonly Word[]> {
    const words = new Map<string, Word[]>();
    for (const part of partsOf(this.api, schemas, EVERY_COMPOSITION)) {
      const constant = fieldOf(part, 'const');
      for (const { value, pointer } of [
        ...itemsOf(fieldOf(part, 'enum')),
        ...(constant === undefined ? [] : [constant]),
      ]) {
        // Null says that there is no value, and what has parts is no word.
        if (!isScalar(value)) continue;
        const text = scalarText(value);
        words.set(text, [...(words.get(text) ?? []), { id: this.idOf(pointer), pointer, value }]);
      }
    }
    return words;
  }

  private idOf(pointer: string): number {
    let id = this.ids.get(pointer);
    if (id === undefined) this.ids.set(pointer, (id = this.ids.size));
    return id;
  }
}

function markAt(place: Place | undefined, value: JsonValue, seen: Set<number>, levels: number): void {
  if (place === undefined || levels === 0) return;
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) markAt(place.items, item, seen, levels - 1);
  } else if (isJsonObject(value)) {
    for (const name of Object.keys(value)) {
      const member = place.members.get(name);
      if (member !== undefined) seen.add(member.id);
      markAt(member?.place ?? place.others, value[name] ?? null, seen, levels - 1);
    }
  } else markWord(place, value, seen);
}

function markWord({ words }: Place, value: JsonValue, seen: Set<number>): void {
  if (words.size > 0) for (const { id } of words.get(scalarText(value)) ?? []) seen.add(id);
}

function linksOf(place: Place, side: Side): Links {
  let links = place.links.get(side.without);
  if (links !== undefined) return links;
  const members = [...place.members.values()].filter((member) => !isLeftOut(side, member.place));
  const below = [...members.map((member) => member.place), place.items, place.others].filter(
    (each) => each !== undefined,
  );
  // Most values are scalars: what they have is counted with what they stand in.
  const leaves = below.filter(isLeaf);
  links = {
    properties: members.map(({ id }) => id),
    words: [place, ...leaves].flatMap(({ words }) => [...words.values()].flat().map(({ id }) => id)),
    next: below.filter((each) => !isLeaf(each)),
  };
  place.links.set(side.without, links);
  return links;
}

function isLeaf({ members, items, others }: Place): boolean {
  return members.size === 0 && items === undefined && others === undefined;
}

function isLeftOut({ without }: Side, { marks }: Place): boolean {
  return without !== undefined && marks.has(without);
}
