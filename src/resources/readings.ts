import type { Operation, Property, Schema } from '../openapi/model';
import { requestSchema, successSchema } from './bodies';
import { listShape } from './body-shape';
import { foldedName, singularWords, wordsOf } from './inflection';
import { shapeOf, type PathTemplate, type Segment } from './path-template';
import { typesOf, type SchemaReader } from './schema-reader';

/**
 * What an operation does in the plain words of HTTP: which method at which place. Most paths say it themselves;
 * `POST /things/create` is `POST /things`, `GET /things/{id}/json` is `GET /things/{id}`, `/thing/{id}` beside `/things` is
 * `/things/{id}`, and `POST /thing/get {thing_id}` is `GET /thing/{thing_id}`.
 */
export interface Reading {
  readonly method: string;
  readonly template: PathTemplate;
  /** Variables of the template that stand elsewhere than in the path. */
  readonly elsewhere: ReadonlyMap<string, Elsewhere>;
  /** For people: why it is not read as it is written; `undefined` where it is. */
  readonly reason: string | undefined;
}

/**
 * Where the value of a variable stands that is not in the path: a member of the body, a query parameter, or a member of
 * the record of whoever asks.
 */
export type Elsewhere =
  | { readonly in: 'body' | 'query'; readonly name: string }
  | { readonly in: 'caller'; readonly name: string; /** Path of the record. */ readonly record: string };

type Verb = 'list' | 'read' | 'create' | 'update' | 'remove';

/** Words at the end of a path that say what is done there. */
const VERBS: ReadonlyMap<string, readonly Verb[]> = new Map([
  ...each(['list', 'all', 'index', 'getall', 'listall'], 'list'),
  ...each(['get', 'json', 'fetch', 'read', 'show', 'retrieve'], 'list', 'read'),
  ...each(['info', 'inspect', 'detail', 'details', 'describe', 'view'], 'read'),
  ...each(['create', 'new', 'add', 'insert'], 'create'),
  ...each(['update', 'edit', 'modify', 'patch'], 'update'),
  ...each(['delete', 'remove', 'destroy'], 'remove'),
]);

const METHOD: Readonly<Record<Verb, string>> = {
  list: 'GET',
  read: 'GET',
  create: 'POST',
  update: 'PATCH',
  remove: 'DELETE',
};
/** Methods with which each is asked for, where the path says the verb. */
const SENT: Readonly<Record<Verb, readonly string[]>> = {
  list: ['GET', 'POST'],
  read: ['GET', 'POST'],
  create: ['POST', 'PUT'],
  update: ['POST', 'PUT', 'PATCH'],
  remove: ['POST', 'DELETE'],
};
const ORDER: readonly Verb[] = ['create', 'read', 'list', 'update', 'remove'];
const NOWHERE: ReadonlyMap<string, Elsewhere> = new Map();

function each(words: readonly string[], ...verbs: Verb[]): [string, readonly Verb[]][] {
  return words.map((word) => [word, verbs]);
}

/**
 * The reading of each operation.
 *
 * @param written - the operations whose path names a place, with the path taken apart
 */
export function readOperations(
  written: ReadonlyMap<Operation, PathTemplate>,
  reader: SchemaReader,
): ReadonlyMap<Operation, Reading> {
  const readings = new Map<Operation, Reading>();
  for (const [operation, template] of written)
    readings.set(operation, { method: operation.method, template, elsewhere: NOWHERE, reason: undefined });
  readInPlural(readings, reader);
  readVerbs(readings, reader);
  return readings;
}

/** What is done where: methods by the shape of the place. */
class Places {
  private readonly methods = new Map<string, Set<string>>();

  constructor(readings: Iterable<Reading>) {
    for (const { template, method } of readings) this.add(template.shape, method);
  }

  add(shape: string, method: string): void {
    const known = this.methods.get(shape);
    if (known === undefined) this.methods.set(shape, new Set([method]));
    else known.add(method);
  }

  at(shape: string): ReadonlySet<string> {
    return this.methods.get(shape) ?? new Set();
  }

  shapes(): Iterable<string> {
    return this.methods.keys();
  }
}

/**
 * `/thing/{id}` is an item of `/things`, where that has no items of its own: what is below it as well. Where the plural
 * has the item too, only those methods go there that it lacks.
 */
function readInPlural(readings: Map<Operation, Reading>, reader: SchemaReader): void {
  const places = new Places(readings.values());
  const plurals = pluralsOf(readings, reader);
  if (plurals.size === 0) return;
  for (const [operation, reading] of readings) {
    const { segments } = reading.template;
    const index = segments.findIndex(
      (segment, at) =>
        segment.kind === 'literal' &&
        segments[at + 1]?.kind === 'variable' &&
        plurals.has(shapeOf(segments.slice(0, at + 1))),
    );
    const plural = index < 0 ? undefined : plurals.get(shapeOf(segments.slice(0, index + 1)));
    if (plural === undefined) continue;
    const template = templateFrom(segments.with(index, { kind: 'literal', text: plural }));
    if (places.at(template.shape).has(reading.method)) continue;
    places.add(template.shape, reading.method);
    readings.set(operation, {
      ...reading,
      template,
      reason: `is about one of ${placeText(segments.slice(0, index))}/${plural}`,
    });
  }
}

/** Words that stand before a variable in the singular, by the shape of the path with them, where the plural is listed or added to. */
function pluralsOf(readings: ReadonlyMap<Operation, Reading>, reader: SchemaReader): Map<string, string> {
  const lists = listsOf(readings, reader);
  const plurals = new Map<string, string>();
  for (const { template } of readings.values()) {
    const { segments } = template;
    for (const [index, segment] of segments.entries()) {
      if (segment.kind !== 'literal' || segments[index + 1]?.kind !== 'variable') continue;
      const before = shapeOf(segments.slice(0, index));
      const plural = lists.get(`${before}/${wordsOf(segment.text).join('')}`);
      if (plural !== undefined && plural !== segment.text) plurals.set(`${before}/${segment.text}`, plural);
    }
  }
  return plurals;
}

/** The last words of paths that are listed or added to, by the path with the word in the singular. */
function listsOf(readings: ReadonlyMap<Operation, Reading>, reader: SchemaReader): Map<string, string> {
  const lists = new Map<string, string>();
  for (const [operation, { method, template }] of readings) {
    const last = template.segments.at(-1);
    if (last?.kind !== 'literal') continue;
    const isList = method === 'GET' && listShape(reader, successSchema(operation), last.text) !== undefined;
    if (!isList && method !== 'POST') continue;
    lists.set(`${shapeOf(template.segments.slice(0, -1))}/${singularWords(last.text).join('')}`, last.text);
  }
  return lists;
}

/** Verbs at the end of paths. */
function readVerbs(readings: Map<Operation, Reading>, reader: SchemaReader): void {
  const places = new Places(readings.values());
  const things = thingsIn(readings);
  const candidates = [...readings].flatMap(([operation, reading]) => {
    const parted = partVerb(reading.template.segments);
    return parted === undefined || parted.before.length === 0 ? [] : [{ operation, reading, ...parted }];
  });
  for (const wanted of ORDER) {
    for (const { operation, reading, before, word } of candidates) {
      if (readings.get(operation) !== reading || VERBS.get(word)?.includes(wanted) !== true) continue;
      if (!SENT[wanted].includes(reading.method)) continue;
      const found = plainPlace(operation, wanted, before, things, reader);
      if (found === undefined) continue;
      const template = templateFrom(found.segments);
      const method = METHOD[wanted];
      if (places.at(template.shape).has(method)) continue;
      places.add(template.shape, method);
      const reason = `is ${method} ${template.path} in other words`;
      readings.set(operation, { method, template, elsewhere: found.elsewhere, reason });
    }
  }
}

/** What stands before a verb: its own segment, or the end of one behind a dot, `things.list`. */
function partVerb(segments: readonly Segment[]): { before: readonly Segment[]; word: string } | undefined {
  const last = segments.at(-1);
  if (last?.kind !== 'literal') return undefined;
  const whole = wordsOf(last.text).join('');
  if (VERBS.has(whole)) return { before: segments.slice(0, -1), word: whole };
  const dotted = /^(.+)\.([A-Za-z]+)$/.exec(last.text);
  const word = wordsOf(dotted?.[2] ?? '').join('');
  const noun = dotted?.[1] ?? '';
  if (!VERBS.has(word)) return undefined;
  return { before: [...segments.slice(0, -1), { kind: 'literal', text: noun }], word };
}

/** For each place before a verb, the verbs that stand behind it: one alone says nothing of a collection. */
function thingsIn(readings: ReadonlyMap<Operation, Reading>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { template } of readings.values()) {
    const { segments } = template;
    const parted = partVerb(segments);
    const shapes = new Set([
      shapeOf(segments),
      shapeOf(segments.slice(0, -1)),
      parted === undefined ? '' : shapeOf(parted.before),
    ]);
    for (const shape of shapes) counts.set(shape, (counts.get(shape) ?? 0) + 1);
  }
  return counts;
}

interface Found {
  readonly segments: readonly Segment[];
  readonly elsewhere: ReadonlyMap<string, Elsewhere>;
}

function plainPlace(
  operation: Operation,
  verb: Verb,
  before: readonly Segment[],
  things: ReadonlyMap<string, number>,
  reader: SchemaReader,
): Found | undefined {
  if ((things.get(shapeOf(before)) ?? 0) < 2) return undefined;
  const isList = listShape(reader, successSchema(operation), literalOf(before)) !== undefined;
  const here: Found = { segments: before, elsewhere: NOWHERE };
  if (before.at(-1)?.kind === 'variable') return verb === 'list' || verb === 'create' ? undefined : here;
  if (verb === 'list') return isList ? here : undefined;
  if (verb === 'create') return here;
  return verb === 'read' && isList ? undefined : keyElsewhere(operation, before, reader);
}

/** The same place with a variable at its end, for the query parameter or the member of the body that names the item. */
function keyElsewhere(operation: Operation, before: readonly Segment[], reader: SchemaReader): Found | undefined {
  const thing = literalOf(before);
  const query = operation.parameters
    .filter((parameter) => parameter.in === 'query')
    .find(({ name }) => meansKey(name, thing));
  const at: Elsewhere | undefined =
    query === undefined ? keyInBody(requestSchema(operation), thing, reader) : { in: 'query', name: query.name };
  if (at === undefined) return undefined;
  // `/orgs/{id}/things/get {id}`: two variables of one name would be one value.
  const isTaken = before.some((segment) => segment.kind === 'variable' && segment.name === at.name);
  const name = isTaken ? `${singularWords(thing).join('_')}_${at.name}` : at.name;
  return { segments: [...before, { kind: 'variable', name }], elsewhere: new Map([[name, at]]) };
}

function keyInBody(schema: Schema | undefined, thing: string, reader: SchemaReader): Elsewhere | undefined {
  const body = reader.unwrap(schema);
  if (body === undefined) return undefined;
  const members = [...reader.members(body).values()].filter(isScalar);
  const found = members.find(({ name }) => meansKey(name, thing));
  return found === undefined ? undefined : { in: 'body', name: found.name };
}

/** Is a member neither an object nor a list, as far as its own words tell? */
export function isScalar({ schema }: Property): boolean {
  return typesOf(schema).every((type) => type !== 'object' && type !== 'array') && schema['properties'] === undefined;
}

/** Does a name mean the key of a thing? `id`, `thing_id`, `thingKey` and `thing` name one of `things`. */
export function meansKey(name: string, thing: string): boolean {
  const noun = singularWords(thing.split('.').at(-1) ?? thing).join('');
  const folded = foldedName(name);
  return ['', 'id', 'key', 'uuid', 'name', 'number'].some(
    (ending) => folded === `${noun}${ending}` || (ending !== '' && ending !== 'name' && folded === ending),
  );
}

function literalOf(segments: readonly Segment[]): string {
  return segments.findLast((segment) => segment.kind === 'literal')?.text ?? '';
}

function templateFrom(segments: readonly Segment[]): PathTemplate {
  return { path: placeText(segments), segments, shape: shapeOf(segments) };
}

function placeText(segments: readonly Segment[]): string {
  return segments.map((segment) => (segment.kind === 'variable' ? `/{${segment.name}}` : `/${segment.text}`)).join('');
}
