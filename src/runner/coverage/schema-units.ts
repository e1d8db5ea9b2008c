import { joinPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonValue } from '../../core/json/json-value';
import { previewValue, scalarText } from '../../core/json/stringify-json';
import { isScalar } from '../../formats/contract/placeholders';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Schema } from '../../openapi/model/operation';
import { fieldOf, itemsOf, type LocatedObject } from '../../openapi/read/references';
import { EVERY_COMPOSITION, partsOf, type SchemaShape, shapeOf } from '../../openapi/view/schema-shape';

/** Something that a description has and a run may see: one of what a coverage counts. */
export interface Unit {
  /** Tells it from the other units of its operation. */
  readonly key: string;
  /** JSON pointer into the description. */
  readonly pointer: string;
  readonly name: string;
}

/** In what values stand: the requests or the responses of an operation, or one of its parameters. */
export interface Side {
  /** How names of units begin: `response`. */
  readonly title: string;
  /** Told apart from the others of the operation. */
  readonly key: string;
  /** What marks a property that is never there (OAS 3.0.3 §4.7.24). */
  readonly without?: 'readOnly' | 'writeOnly';
  /** Are its properties units, beside its words? */
  readonly hasProperties: boolean;
}

/** What the schemas of one value say, and its words: by their text, where the schemas list them. */
interface Place {
  readonly shape: SchemaShape;
  readonly words: ReadonlyMap<string, readonly { readonly pointer: string; readonly value: JsonValue }[]>;
  /** Properties with this mark are never in a request, or never in a response. */
  readonly isReadOnly: boolean;
  readonly isWriteOnly: boolean;
}

/** Deeper a value is not looked at. */
const MOST_LEVELS = 64;

/**
 * The properties and words of schemas, and which of them a value has. Everything is worked out once for each schema of
 * the description, when it is first asked for; of values nothing is kept.
 */
export class SchemaUnits {
  private readonly api: ApiModel;
  private readonly known = new WeakMap<readonly LocatedObject[], Place>();
  private readonly byShape = new Map<SchemaShape, Place>();
  private readonly lists = new WeakMap<Schema, readonly LocatedObject[]>();

  constructor(api: ApiModel) {
    this.api = api;
  }

  /** Every property and word below schemas, each once, however many ways lead to it: a recursive schema ends. */
  list(side: Side, schemas: readonly Schema[]): { readonly properties: Unit[]; readonly words: Unit[] } {
    const properties = new Map<string, Unit>();
    const words = new Map<string, Unit>();
    const visited = new Set<Place>();
    const waiting = schemas.map((schema) => ({ place: this.place(this.listOf(schema)), at: '' }));
    // An array gives what is added to it while it is walked: what is least deep comes first.
    for (const { place, at } of waiting) {
      if (visited.has(place)) continue;
      visited.add(place);
      for (const { pointer, value } of [...place.words.values()].flat()) {
        const key = `${side.key} ${pointer}`;
        const name = `${titleOf(side, at)}: ${previewValue(value)}`;
        if (!words.has(key)) words.set(key, { key, pointer, name });
      }
      const { shape } = place;
      for (const [name, below] of shape.properties) {
        const inner = this.place(below);
        if (isLeftOut(side, inner)) continue;
        const path = joinPointer(at, name);
        const unit = this.propertyUnit(side, shape, name, path);
        if (side.hasProperties && !properties.has(unit.key)) properties.set(unit.key, unit);
        waiting.push({ place: inner, at: path });
      }
      for (const below of [shape.items, shape.others])
        if (below.length > 0) waiting.push({ place: this.place(below), at: `${at}/*` });
    }
    return { properties: [...properties.values()], words: [...words.values()] };
  }

  /** Adds the keys of the units that a value has. */
  mark(side: Side, schemas: readonly Schema[], value: JsonValue, seen: Set<string>): void {
    for (const schema of schemas) this.markAt(side, this.listOf(schema), value, seen, MOST_LEVELS);
  }

  private markAt(
    side: Side,
    schemas: readonly LocatedObject[],
    value: JsonValue,
    seen: Set<string>,
    levels: number,
  ): void {
    if (schemas.length === 0 || levels === 0) return;
    const place = this.place(schemas);
    if (Array.isArray(value)) {
      for (const item of value as readonly JsonValue[]) this.markAt(side, place.shape.items, item, seen, levels - 1);
    } else if (isJsonObject(value)) this.markObject(side, place.shape, value, seen, levels);
    else if (place.words.size > 0)
      for (const { pointer } of place.words.get(scalarText(value)) ?? []) seen.add(`${side.key} ${pointer}`);
  }

  private markObject(
    side: Side,
    { properties, places, others }: SchemaShape,
    value: Readonly<Record<string, JsonValue>>,
    seen: Set<string>,
    levels: number,
  ): void {
    for (const name of Object.keys(value)) {
      const below = properties.get(name);
      if (below !== undefined && side.hasProperties) seen.add(`${side.key} ${places.get(name) ?? ''}`);
      this.markAt(side, below ?? others, value[name] ?? null, seen, levels - 1);
    }
  }

  private propertyUnit(side: Side, { places }: SchemaShape, name: string, path: string): Unit {
    const pointer = places.get(name) ?? '';
    return { key: `${side.key} ${pointer}`, pointer, name: titleOf(side, path) };
  }

  private listOf(schema: Schema): readonly LocatedObject[] {
    let list = this.lists.get(schema);
    if (list === undefined) this.lists.set(schema, (list = [schema]));
    return list;
  }

  private place(schemas: readonly LocatedObject[]): Place {
    let place = this.known.get(schemas);
    if (place !== undefined) return place;
    const shape = shapeOf(this.api, schemas);
    place = this.byShape.get(shape) ?? this.read(shape, schemas);
    this.byShape.set(shape, place);
    this.known.set(schemas, place);
    return place;
  }

  private read(shape: SchemaShape, schemas: readonly LocatedObject[]): Place {
    const words = new Map<string, { readonly pointer: string; readonly value: JsonValue }[]>();
    for (const part of partsOf(this.api, schemas, EVERY_COMPOSITION)) {
      const constant = fieldOf(part, 'const');
      for (const word of [...itemsOf(fieldOf(part, 'enum')), ...(constant === undefined ? [] : [constant])]) {
        // Null says that there is no value, and what has parts is no word.
        if (!isScalar(word.value)) continue;
        const text = scalarText(word.value);
        words.set(text, [...(words.get(text) ?? []), word]);
      }
    }
    const whole = partsOf(this.api, schemas);
    const isMarked = (mark: 'readOnly' | 'writeOnly'): boolean => whole.some(({ value }) => value[mark] === true);
    return { shape, words, isReadOnly: isMarked('readOnly'), isWriteOnly: isMarked('writeOnly') };
  }
}

function isLeftOut({ without }: Side, { isReadOnly, isWriteOnly }: Place): boolean {
  return (without === 'readOnly' && isReadOnly) || (without === 'writeOnly' && isWriteOnly);
}

function titleOf({ title }: Side, path: string): string {
  return path === '' ? title : `${title} ${path}`;
}
