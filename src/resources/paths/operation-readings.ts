import { nameWithin, singularWords, wordsOf } from '../../core/text/inflection';
import { listShape } from '../../lists/body-shape';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Operation } from '../../openapi/model/operation';
import { successSchema } from '../../openapi/view/operation-bodies';
import {
  lastLiteral,
  parseTemplate,
  type PathTemplate,
  pathText,
  type Segment,
  shapeOf,
  templateFrom,
  variablesOf,
} from '../../openapi/view/path-template';
import type { SchemaView } from '../../openapi/view/schema-view';
import { effectOf } from '../actions/verb-effects';
import type { OperationReading, VariableSource } from '../model/binding';
import {
  PathMethods,
  rewriteProcedureActions,
  rewriteVerbsWithNouns,
  rewriteVersions,
  type RewrittenPath,
  withKeyVariable,
} from './path-rewrites';

/** One place of the description: every operation that is about it, whatever its variables are called. */
export interface PathNode {
  /** As it is written first. */
  readonly template: PathTemplate;
  readonly operations: readonly Operation[];
}

/** The places of a description by shape, in the order of their paths. */
export interface PathIndex {
  readonly nodes: ReadonlyMap<string, PathNode>;
  /** The place of an operation; none for those of which a segment has several variables, or that a path alone does not name. */
  readonly templateOf: (operation: Operation) => PathTemplate | undefined;
  /** The method in whose words the operation is read: see {@link OperationReading}. */
  methodOf(operation: Operation): string;
  readingOf(operation: Operation): OperationReading | undefined;
}

export function indexPaths(api: ApiModel, view: SchemaView): PathIndex {
  const written = new Map<Operation, PathTemplate>();
  const byPath = new Map<string, PathTemplate | undefined>();
  const apart = selectedOperations(api);
  // `/` is the place of a collection where the items are right below it, and else that of the whole service.
  const hasItemsAtRoot = api.operations.some(({ path }) => /^\/\{[^{}]+\}$/.test(path));
  for (const operation of api.operations) {
    if (apart.has(operation)) continue;
    let template = byPath.get(operation.path);
    if (!byPath.has(operation.path)) byPath.set(operation.path, (template = parseTemplate(operation.path)));
    if (template !== undefined && (template.segments.length > 0 || hasItemsAtRoot)) written.set(operation, template);
  }
  const readings = readOperations(written, view);
  const nodes = new Map<string, { template: PathTemplate; operations: Operation[] }>();
  for (const [operation, { template }] of readings) {
    const node = nodes.get(template.shape);
    if (node === undefined) nodes.set(template.shape, { template, operations: [operation] });
    else node.operations.push(operation);
  }
  return {
    nodes,
    templateOf: (operation) => readings.get(operation)?.template,
    methodOf: (operation) => readings.get(operation)?.method ?? operation.method,
    readingOf: (operation) => readings.get(operation),
  };
}

/**
 * Operations that the path does not name alone: others share their path and method, or a query says which part of the
 * thing is meant. A header that is merely there, such as that of an account, changes nothing of what the path names.
 */
function selectedOperations(api: ApiModel): ReadonlySet<Operation> {
  const counts = new Map<string, number>();
  for (const { method, path } of api.operations) {
    const place = `${method} ${path}`;
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  return new Set(
    api.operations.filter(({ method, path, written, selectors }) => {
      if (path === written) return false;
      const isShared = (counts.get(`${method} ${path}`) ?? 0) > 1;
      return isShared || selectors.some(({ in: place, value }) => place === 'query' || value !== undefined);
    }),
  );
}

type Verb = 'list' | 'read' | 'create' | 'update' | 'remove';

/** Words at the end of a path that say what is done there. */
const VERBS: ReadonlyMap<string, readonly Verb[]> = new Map([
  ...each(['list', 'all', 'index', 'getall', 'listall'], 'list'),
  ...each(['get', 'json', 'fetch', 'read', 'show', 'retrieve'], 'list', 'read'),
  ...each(['getbyid', 'info', 'inspect', 'detail', 'details', 'describe', 'view'], 'read'),
  ...each(['create', 'new', 'add', 'insert', 'upload'], 'create'),
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
const NO_SOURCES: ReadonlyMap<string, VariableSource> = new Map();

function each(words: readonly string[], ...verbs: Verb[]): [string, readonly Verb[]][] {
  return words.map((word) => [word, verbs]);
}

/**
 * The reading of each operation.
 *
 * @param written - the operations whose path names a place, with the path taken apart
 */
function readOperations(
  written: ReadonlyMap<Operation, PathTemplate>,
  view: SchemaView,
): ReadonlyMap<Operation, OperationReading> {
  const readings = new Map<Operation, OperationReading>();
  for (const [operation, template] of written)
    readings.set(operation, { method: operation.method, template, outsidePath: NO_SOURCES, reason: undefined });
  rewriteVersions(readings);
  rewriteSingularPaths(readings, view);
  rewriteVerbs(readings, view);
  rewriteVerbsWithNouns(readings, new PathMethods(readings.values()));
  rewriteProcedureActions(readings, view);
  return readings;
}

/**
 * `/thing/{id}` is an item of `/things`, where that has no items of its own: what is below it as well, and `POST /thing`.
 * Where the plural has items too, both are the same ones, unless they show other things.
 */
function rewriteSingularPaths(readings: Map<Operation, OperationReading>, view: SchemaView): void {
  const plurals = pluralsOf(readings, view);
  for (const [one, many] of plurals) if (areReadApart(readings, view, one, many)) plurals.delete(one);
  if (plurals.size === 0) return;
  for (const [operation, reading] of readings) {
    const { segments } = reading.template;
    const index = segments.findIndex(
      (segment, at) =>
        segment.kind === 'literal' &&
        (segments[at + 1]?.kind === 'variable' || (reading.method === 'POST' && at === segments.length - 1)) &&
        plurals.has(shapeOf(segments.slice(0, at + 1))),
    );
    const plural = index < 0 ? undefined : plurals.get(shapeOf(segments.slice(0, index + 1)));
    if (plural === undefined) continue;
    const template = templateFrom(segments.with(index, { kind: 'literal', text: plural }));
    readings.set(operation, {
      ...reading,
      template,
      reason: `is about one of ${pathText(template.segments.slice(0, index + 1))}`,
    });
  }
}

/** Do both have items that are found by other keys, or show other things? Then what is made at one is read there. */
function areReadApart(
  readings: ReadonlyMap<Operation, OperationReading>,
  view: SchemaView,
  one: string,
  plural: string,
): boolean {
  const above = one.slice(0, one.lastIndexOf('/'));
  const noun = singularWords(plural);
  const [left, right] = [one, `${above}/${plural}`].flatMap((shape) => {
    const read = [...readings].find(([, { method, template }]) => method === 'GET' && template.shape === `${shape}/{}`);
    const shown = read && view.unwrap(successSchema(read[0]));
    const variable = read && variablesOf(read[1].template.segments).at(-1);
    return shown === undefined ? [] : [{ shown, key: nameWithin(variable ?? '', noun) }];
  });
  if (left === undefined || right === undefined) return false;
  return left.key !== right.key || !view.areSameType(left.shown, right.shown);
}

/** Words that stand before a variable in the singular, by the shape of the path with them, where the plural is listed or added to. */
function pluralsOf(readings: ReadonlyMap<Operation, OperationReading>, view: SchemaView): Map<string, string> {
  const lists = listsOf(readings, view);
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
function listsOf(readings: ReadonlyMap<Operation, OperationReading>, view: SchemaView): Map<string, string> {
  const lists = new Map<string, string>();
  for (const [operation, { method, template }] of readings) {
    const last = template.segments.at(-1);
    if (last?.kind !== 'literal') continue;
    const isList = method === 'GET' && listShape(view, successSchema(operation), last.text) !== undefined;
    if (!isList && method !== 'POST') continue;
    const singular = `${shapeOf(template.segments.slice(0, -1))}/${singularWords(last.text).join('')}`;
    // A list is sooner the collection than what is only added to.
    if (isList || !lists.has(singular)) lists.set(singular, last.text);
  }
  return lists;
}

/** Verbs at the end of paths. */
function rewriteVerbs(readings: Map<Operation, OperationReading>, view: SchemaView): void {
  const places = new PathMethods(readings.values());
  const things = usesByNoun(readings);
  const candidates = [...readings].flatMap(([operation, reading]) => {
    const parted = splitVerb(reading.template.segments);
    return parted === undefined || parted.before.length === 0 ? [] : [{ operation, reading, ...parted }];
  });
  for (const wanted of ORDER) {
    for (const { operation, reading, before, word } of candidates) {
      if (readings.get(operation) !== reading || VERBS.get(word)?.includes(wanted) !== true) continue;
      if (!SENT[wanted].includes(reading.method) || endsInState(operation, wanted, word, view)) continue;
      const found = restPath(operation, wanted, before, things, view);
      if (found === undefined) continue;
      const template = templateFrom(found.segments);
      const method = METHOD[wanted];
      if (places.at(template.shape).has(method)) continue;
      places.add(template.shape, method);
      const reason = `is ${method} ${template.path} in other words`;
      readings.set(operation, { method, template, outsidePath: found.outsidePath, reason });
    }
  }
}

/** Does a path end as a procedure does: in a verb, or in a name with a dot, `things.history`? */
export function isProcedure(path: string): boolean {
  const last = path.split('/').at(-1) ?? '';
  return /^[A-Za-z]\w*(?:\.[A-Za-z]\w*)+$/.test(last) || VERBS.has(wordsOf(last).join(''));
}

/** `POST …:destroy` that answers a thing of which one state is `DESTROYED`: it is not gone. */
function endsInState(operation: Operation, wanted: Verb, word: string, view: SchemaView): boolean {
  const body = wanted === 'remove' && operation.method === 'POST' ? view.unwrap(successSchema(operation)) : undefined;
  return body !== undefined && typeof effectOf(word, view.properties(body))?.value === 'string';
}

/** What stands before a verb: its own segment, or the end of one behind a dot, `things.list`. */
function splitVerb(segments: readonly Segment[]): { before: readonly Segment[]; word: string } | undefined {
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
function usesByNoun(readings: ReadonlyMap<Operation, OperationReading>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { template } of readings.values()) {
    const { segments } = template;
    const parted = splitVerb(segments);
    const shapes = new Set([
      shapeOf(segments),
      shapeOf(segments.slice(0, -1)),
      parted === undefined ? '' : shapeOf(parted.before),
    ]);
    for (const shape of shapes) counts.set(shape, (counts.get(shape) ?? 0) + 1);
  }
  return counts;
}

function restPath(
  operation: Operation,
  verb: Verb,
  before: readonly Segment[],
  things: ReadonlyMap<string, number>,
  view: SchemaView,
): RewrittenPath | undefined {
  if ((things.get(shapeOf(before)) ?? 0) < 2) return undefined;
  const isList = listShape(view, successSchema(operation), lastLiteral(before)) !== undefined;
  const here: RewrittenPath = { segments: before, outsidePath: NO_SOURCES };
  if (before.at(-1)?.kind === 'variable') return isAboutItem(operation, verb) ? here : undefined;
  if (verb === 'list') return isList ? here : undefined;
  if (verb === 'create') return here;
  return verb === 'read' && isList ? undefined : withKeyVariable(operation, before, view);
}

/** `/things/{id}/get` that answers an archive reads no item. */
function isAboutItem(operation: Operation, verb: Verb): boolean {
  if (verb === 'read') return successSchema(operation) !== undefined;
  return verb !== 'list' && verb !== 'create';
}
