import { foldedName, singularWords, wordsOf } from '../../core/text/inflection';
import { itemShape } from '../../lists/body-shape';
import type { Operation, Schema } from '../../openapi/model/operation';
import { isKeyName } from '../../openapi/naming/property-names';
import { requestSchema, successSchema } from '../../openapi/view/operation-bodies';
import { lastLiteral, type Segment, shapeOf, templateFrom } from '../../openapi/view/path-template';
import { isScalar, type SchemaView } from '../../openapi/view/schema-view';
import type { OperationReading, VariableSource } from '../model/binding';

/** A place, and where the values of its variables stand that are not in the path. */
export interface RewrittenPath {
  readonly segments: readonly Segment[];
  readonly outsidePath: ReadonlyMap<string, VariableSource>;
}

/** The same place with a variable at its end, for the query parameter or the property of the body that names the item. */
export function withKeyVariable(
  operation: Operation,
  before: readonly Segment[],
  view: SchemaView,
): RewrittenPath | undefined {
  const thing = lastLiteral(before);
  const isKey = keyNames(operation, before, view);
  const query = operation.parameters.filter((parameter) => parameter.in === 'query').find(({ name }) => isKey(name));
  const at: VariableSource | undefined =
    query === undefined ? keyInBody(requestSchema(operation), isKey, view) : { in: 'query', name: query.name };
  if (at === undefined) return undefined;
  // `/orgs/{id}/things/get {id}`: two variables of one name would be one value.
  const isTaken = before.some((segment) => segment.kind === 'variable' && segment.name === at.name);
  const name = isTaken ? `${singularWords(thing).join('_')}_${at.name}` : at.name;
  return { segments: [...before, { kind: 'variable', name }], outsidePath: new Map([[name, at]]) };
}

/**
 * Names that mean the key of what a path is about: that of the last word or of words in a row, `watch_screening_id` for
 * `/watch_screening/person`, and the property in which the response has the item, `box` for `{ box: {…} }`.
 */
function keyNames(operation: Operation, before: readonly Segment[], view: SchemaView): (name: string) => boolean {
  const words = before.flatMap((segment) => (segment.kind === 'literal' ? [singularWords(segment.text).join('')] : []));
  const runs = words.flatMap((_, start) =>
    words.slice(start).map((_, count) => words.slice(start, start + count + 1).join('')),
  );
  const holder = itemShape(view, successSchema(operation), lastLiteral(before))?.path[0];
  const things = new Set([
    ...runs.filter((run) => run.length > 2),
    ...(holder === undefined ? [] : [foldedName(holder)]),
  ]);
  return (name) =>
    isKeyName(name, lastLiteral(before)) || [...things].some((thing) => isKeyOf(foldedName(name), thing));
}

function isKeyOf(folded: string, noun: string): boolean {
  return ['', 'id', 'key', 'uuid', 'token'].some((ending) => folded === `${noun}${ending}`);
}

function keyInBody(
  schema: Schema | undefined,
  isKey: (name: string) => boolean,
  view: SchemaView,
): VariableSource | undefined {
  const body = view.unwrap(schema);
  if (body === undefined) return undefined;
  const properties = [...view.properties(body).values()].filter(isScalar);
  const found = properties.find(({ name }) => isKey(name));
  return found === undefined ? undefined : { in: 'body', name: found.name };
}

/** `POST /thing/cancel {thing_id}` is `POST /thing/{thing_id}/cancel`, where a thing is read by that key. */
export function rewriteProcedureActions(readings: Map<Operation, OperationReading>, view: SchemaView): void {
  const keys = new Map(
    [...readings.values()].flatMap(({ template: { segments }, outsidePath, method }): [string, string][] => {
      const [name] = method === 'GET' ? outsidePath.keys() : [];
      return name === undefined ? [] : [[shapeOf(segments.slice(0, -1)), name]];
    }),
  );
  for (const [operation, reading] of readings) {
    const { segments } = reading.template;
    const parted = reading.method === 'POST' && reading.outsidePath.size === 0 ? splitLastWord(segments) : undefined;
    const name = parted === undefined ? undefined : keys.get(shapeOf(parted.before));
    if (parted === undefined || name === undefined) continue;
    const at = keyInBody(requestSchema(operation), (each) => each === name, view);
    if (at === undefined) continue;
    const template = templateFrom([
      ...parted.before,
      { kind: 'variable', name },
      { kind: 'literal', text: parted.word },
    ]);
    const reason = `is ${reading.method} ${template.path} in other words`;
    readings.set(operation, { method: 'POST', template, outsidePath: new Map([[name, at]]), reason });
  }
}

/** The last word of a path, behind a slash or a dot, and what stands before it. */
function splitLastWord(segments: readonly Segment[]): { before: readonly Segment[]; word: string } | undefined {
  const last = segments.at(-1);
  if (last?.kind !== 'literal' || segments.some(({ kind }) => kind === 'variable')) return undefined;
  const [, noun = '', word = ''] = /^(.+)\.([A-Za-z]+)$/.exec(last.text) ?? [];
  if (word !== '') return { before: [...segments.slice(0, -1), { kind: 'literal', text: noun }], word };
  return segments.length < 2 ? undefined : { before: segments.slice(0, -1), word: last.text };
}

const ADDS = new Set(['add', 'create', 'insert', 'new']);

/** `POST /things/{id}:addPart` is `POST /things/{id}/parts`, where parts are listed there and nothing else adds one. */
export function rewriteVerbsWithNouns(readings: Map<Operation, OperationReading>, places: PathMethods): void {
  const named = new Map(
    [...readings.values()].map(({ template }) => [singularShape(template.segments), template] as const),
  );
  for (const [operation, reading] of readings) {
    const { segments } = reading.template;
    const [verb = '', ...noun] = wordsOf(lastLiteral(segments.slice(-1)));
    if (reading.method !== 'POST' || noun.length === 0 || !ADDS.has(verb)) continue;
    const template = named.get(`${shapeOf(segments.slice(0, -1))}/${noun.join('')}`);
    if (template === undefined || !places.at(template.shape).has('GET') || places.at(template.shape).has('POST'))
      continue;
    places.add(template.shape, 'POST');
    readings.set(operation, { ...reading, template, reason: `is POST ${template.path} in other words` });
  }
}

/** The shape of a place with its last word in the singular. */
function singularShape(segments: readonly Segment[]): string {
  return `${shapeOf(segments.slice(0, -1))}/${singularWords(lastLiteral(segments.slice(-1))).join('')}`;
}

/** What is done where: methods by the shape of the place. */
export class PathMethods {
  private readonly methods = new Map<string, Set<string>>();

  constructor(readings: Iterable<OperationReading>) {
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

const VERSION = /^v\d+(?:\.\d+)*(?:(?:alpha|beta)\d*)?$/i;

/** A path with a version in it. */
interface Versioned {
  readonly operation: Operation;
  readonly at: number;
  readonly version: string;
}

/**
 * `POST /v10/things` is `POST /v9/things`, where each operation counts its own versions: every one of them is described in
 * one version alone, and together they are about one store, which has the version in which an item is read. Where two
 * versions have the same operation, they are two interfaces, and stay apart.
 */
export function rewriteVersions(readings: Map<Operation, OperationReading>): void {
  for (const group of groupedByNoun(readings)) {
    const versions = new Set(group.map(({ version }) => version));
    const done = group.map(({ operation, at }) => unversionedName(readings.get(operation), at));
    if (versions.size < 2 || new Set(done).size < done.length) continue;
    const version = versionOfItem(readings, group);
    for (const { operation, at } of group) {
      const reading = readings.get(operation);
      const segment = reading?.template.segments[at];
      if (reading === undefined || segment?.kind !== 'literal' || segment.text === version) continue;
      const template = templateFrom(reading.template.segments.with(at, { kind: 'literal', text: version }));
      const reason = `is ${reading.method} ${template.path} in another version`;
      readings.set(operation, { ...reading, template, reason });
    }
  }
}

/** Operations by what stands before the version and the word behind it. */
function groupedByNoun(readings: ReadonlyMap<Operation, OperationReading>): Iterable<Versioned[]> {
  const groups = new Map<string, Versioned[]>();
  for (const [operation, { template }] of readings) {
    const { segments } = template;
    const at = segments.findIndex((segment) => segment.kind === 'literal' && VERSION.test(segment.text));
    const [version, thing] = [segments[at], segments[at + 1]];
    if (version?.kind !== 'literal' || thing?.kind !== 'literal') continue;
    const name = shapeOf([...segments.slice(0, at), thing]);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [{ operation, at, version: version.text }]);
    else group.push({ operation, at, version: version.text });
  }
  return groups.values();
}

function unversionedName(reading: OperationReading | undefined, at: number): string {
  return reading === undefined ? '' : `${reading.method} ${shapeOf(withoutVersion(reading.template.segments, at))}`;
}

function withoutVersion(segments: readonly Segment[], at: number): Segment[] {
  return segments.filter((_segment, index) => index !== at);
}

/** The version in which `/things/{id}` is read, else that of most operations. */
function versionOfItem(readings: ReadonlyMap<Operation, OperationReading>, group: readonly Versioned[]): string {
  const item = group.find(({ operation, at }) => {
    const reading = readings.get(operation);
    const behind = reading?.template.segments.slice(at + 1) ?? [];
    return reading?.method === 'GET' && behind.length === 2 && behind[1]?.kind === 'variable';
  });
  if (item !== undefined) return item.version;
  const countOf = (version: string): number => group.filter((each) => each.version === version).length;
  return group.map(({ version }) => version).reduce((best, each) => (countOf(each) > countOf(best) ? each : best));
}
