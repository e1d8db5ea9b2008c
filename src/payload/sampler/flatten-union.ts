import { isSchemaObject, type SchemaObject } from '../../json-schema/schema';
import { joinPointer, parsePointer } from '../../json/json-pointer';
import type { JsonValue } from '../../json/json-value';
import { localPointer, type Located } from '../../openapi/references';
import type { Branch, FlatSchema } from './flat-schema';
import type { SchemaReader } from './schema-reader';

/** Adds the choices that a schema leaves: `oneOf`, `anyOf`, `if`, and the mapping of a discriminator. */
export function addUnions(flat: FlatSchema, keywords: SchemaObject, pointer: string, reader: SchemaReader): void {
  const discriminator = readDiscriminator(keywords);
  let isChosen = false;
  for (const keyword of ['oneOf', 'anyOf'] as const) {
    const members = keywords[keyword];
    if (!Array.isArray(members) || members.length === 0) continue;
    isChosen = true;
    const parent = joinPointer(pointer, keyword);
    const branches = members.map((value, index): Branch => {
      const place = { value, pointer: joinPointer(parent, index) };
      return { places: [place], tag: discriminator && tagOf(place, discriminator.mapping, reader) };
    });
    flat.unions.push({ pointer: parent, keyword, branches, discriminator: discriminator?.name });
  }
  if (discriminator !== undefined && !isChosen) flat.discriminators.push({ ...discriminator, owner: pointer });
  addCondition(flat, keywords, pointer);
}

interface Discriminator {
  readonly name: string;
  /** Value to pointer. */
  readonly mapping: ReadonlyMap<string, string>;
}

/** The Discriminator Object (OAS 3.0.3 §4.7.25). */
function readDiscriminator({ discriminator }: SchemaObject): Discriminator | undefined {
  if (!isSchemaObject(discriminator) || typeof discriminator['propertyName'] !== 'string') return undefined;
  const mapping = isSchemaObject(discriminator['mapping']) ? discriminator['mapping'] : {};
  const pairs = Object.entries(mapping).flatMap(([value, target]): [string, string][] => {
    const pointer = typeof target === 'string' ? targetOf(target) : undefined;
    return pointer === undefined ? [] : [[value, pointer]];
  });
  return { name: discriminator['propertyName'], mapping: new Map(pairs) };
}

/** A mapping names a schema by a reference or by its bare name. */
function targetOf(target: string): string | undefined {
  return target.startsWith('#') ? localPointer(target) : joinPointer('/components/schemas', target);
}

/** What the discriminator says for a schema: the key that maps to it, else its name. */
function tagOf(place: Located, mapping: Discriminator['mapping'], reader: SchemaReader): string | undefined {
  const { pointer } = reader.follow(place);
  for (const [value, target] of mapping) if (target === pointer) return value;
  return pointer === place.pointer ? undefined : parsePointer(pointer).at(-1);
}

/** `if` holds and so does `then`, or `else` holds (JSON Schema 2020-12 Core §10.2.2). */
function addCondition(flat: FlatSchema, keywords: SchemaObject, pointer: string): void {
  const condition = place(keywords['if'], pointer, 'if');
  if (condition === undefined) return;
  const then = place(keywords['then'], pointer, 'then');
  const otherwise = place(keywords['else'], pointer, 'else');
  const branches: Branch[] = [
    { places: then === undefined ? [condition] : [condition, then], tag: undefined },
    { places: otherwise === undefined ? [] : [otherwise], tag: undefined },
  ];
  flat.unions.push({ pointer: condition.pointer, keyword: 'if', branches, discriminator: undefined });
}

function place(value: JsonValue | undefined, pointer: string, keyword: string): Located | undefined {
  return value === undefined ? undefined : { value, pointer: joinPointer(pointer, keyword) };
}
