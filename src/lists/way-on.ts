import { wordsOf } from '../core/text/inflection';
import type { Operation, Parameter, Property } from '../openapi/model/operation';
import { successes } from '../openapi/view/operation-bodies';
import { type SchemaView, typesOf } from '../openapi/view/schema-view';
import type { BodyShape } from './body-shape';
import type { ListParameters } from './list-model';
import { type PageProperty, toldInHeader } from './page-properties';
import { roleOf } from './parameter-roles';

type Paging = Pick<ListParameters, 'page' | 'offset' | 'cursor' | 'after' | 'before' | 'from'>;

/** Texts of the kinds that lead on, as long as those that the mock gives. */
const SAMPLES = {
  'next-cursor': 'W1siMjAyNi0wMS0wMVQwMDowMDowMFoiXSwieCJd.AbCdEfGhIjKl',
  'next-link': 'http://localhost:4010/things?limit=3&cursor=W1sxXSwxXQ.AbCdEfGhIjKl',
} as const;

/** Do pages lie before an item alone? Then the first one has no end: nothing leads to what is behind it. */
export function leadsOnlyBack({ before, ...forwards }: Paging): boolean {
  return before !== undefined && !Object.values(forwards).some((each) => each !== undefined);
}

/**
 * Can a client that has read a page ask for the next one? By its number, by an offset, by the key of an item, or by a
 * cursor that the response has a place for. Where it cannot, the list must not be cut: what is behind the page would be
 * lost.
 */
export function leadsOn(
  { page, offset, cursor, after, before, from }: Paging,
  operation: Operation,
  shape: BodyShape | undefined,
  view: SchemaView,
): boolean {
  if ([page, offset, after, before, from].some((each) => each !== undefined)) return true;
  if (cursor === undefined) return false;
  const isInHeader = successes(operation).some(({ headers }) => [...headers.keys()].some(isNextHeader));
  return isInHeader || showsNext(shape, view) || describesNextLink(operation, cursor, shape);
}

const LINK_HEADER = /\blinks?\b[^.]{0,40}\bheaders?\b|\bheaders?\b[^.]{0,40}\blinks?\b/i;
const PAGINATION = /\bpaginat(?:ion|ed|e)\b/i;

/**
 * Do the words of an operation promise a `Link` header that its responses do not declare? A bare list has no other place
 * for the next page, so there the word "pagination" is enough.
 */
export function describesNextLink(
  { method, summary, description, responses }: Operation,
  cursor: Parameter | undefined,
  shape: BodyShape | undefined,
): boolean {
  if (method !== 'GET') return false;
  const inResponses = [...responses].flatMap(([status, each]) => (status.startsWith('2') ? [each.description] : []));
  const texts = [summary, description, cursor?.description ?? '', ...inResponses];
  const isBareList = shape?.form === 'list' && shape.path.length === 0;
  return texts.some((text) => LINK_HEADER.test(text) || (isBareList && cursor !== undefined && PAGINATION.test(text)));
}

/** May a parameter hold the cursors that the mock gives? One that may not leads on by the key of the last item. */
export function mayHoldCursor({ schema }: Parameter): boolean {
  return schema?.accepts(SAMPLES['next-cursor'], 'request') !== false;
}

const KEY_SAMPLES = ['1', 'kite', '0d2b3c4e-8f1a-4c2d-9e5b-6a7f8091a2b3', '5f2d8c1e9b7a4f3c2d1e0b9a'];

/** May a parameter hold the key of an item? A pattern such as `^[0-9]+##.+$` admits none. */
export function mayHoldKey({ schema }: Parameter): boolean {
  return schema === undefined || KEY_SAMPLES.some((key) => schema.accepts(key, 'request'));
}

/**
 * The query parameter that takes the cursor of a response: `position` or `after` by the name that the response gives it,
 * with or without `next`. Where no name says so, one at the end of that name: `token` takes `nextPageToken`.
 */
export function findCursorParameter({ parameters }: Operation, shape: BodyShape | undefined): Parameter | undefined {
  const told = (shape?.pageProperties ?? []).flatMap(({ role, path }) =>
    role === 'next-cursor' ? [foldName(path.at(-1) ?? '')] : [],
  );
  const texts = told.length === 0 ? [] : parameters.filter(isText);
  const same = texts.find(({ name }) =>
    told.some((each) => each.replace(/^next/, '') === foldName(name).replace(/^next/, '')),
  );
  if (same !== undefined || texts.some((each) => roleOf(each, false) === 'cursor')) return same;
  return texts.find(({ name }) => told.some((each) => each.startsWith('next') && each.endsWith(foldName(name))));
}

function showsNext(shape: BodyShape | undefined, view: SchemaView): boolean {
  if (shape === undefined) return false;
  return shape.pageProperties.some(({ role, path }) => {
    if (role !== 'next-cursor' && role !== 'next-link') return false;
    return view.along(shape.body, path)?.accepts(SAMPLES[role], 'response') !== false;
  });
}

function isNextHeader(name: string): boolean {
  const told = toldInHeader(name);
  return typeof told === 'function' ? /link/i.test(name) : told?.startsWith('next-') === true;
}

/** What a description says of a text that leads from page to page. */
const PAGING_WORDS =
  /\b(?:pag(?:e|es|ing|inat\w+)|cursor|iterat\w+|continu\w+|next|subsequent|previous (?:re\w+|call))\b/i;
const PAGING_NAMES = /^(?:next\w*|pag\w+|cursors?|meta(?:data)?|responsemetadata|links?)$/;
const MAX_DEPTH = 3;

/**
 * The shape of a list with the cursors that have a name of their own: a text beside the list that is called like a query
 * parameter, `{ data, iterator }` and `?iterator=`, where either is said to lead from page to page.
 */
export function withNamedCursors(
  operation: Operation,
  shape: BodyShape | undefined,
  view: SchemaView,
): BodyShape | undefined {
  if (shape === undefined || shape.form !== 'list' || shape.path.length === 0) return shape;
  const texts = operation.parameters.filter(isText);
  if (texts.length === 0) return shape;
  const namedBy = (property: string): Parameter | undefined =>
    texts.find(({ name }) => foldName(name) === property) ??
    texts.find(({ name }) => property.startsWith('next') && property.endsWith(foldName(name)));
  const found: PageProperty[] = [];
  const look = (properties: ReadonlyMap<string, Property>, at: readonly string[]): void => {
    for (const [name, property] of properties) {
      const path = [...at, name];
      if (path.length === shape.path.length && path.every((step, index) => step === shape.path[index])) continue;
      const schema = view.schemaOf(property);
      const parameter = namedBy(foldName(name));
      if (parameter !== undefined && isCursor(parameter, property, at)) found.push({ path, role: 'next-cursor' });
      else if (schema !== undefined && path.length < MAX_DEPTH && view.isObject(schema))
        look(view.properties(schema), path);
    }
  };
  look(view.properties(shape.body), []);
  if (found.length === 0) return shape;
  const isFound = ({ path }: PageProperty): boolean => found.some((each) => each.path.join('/') === path.join('/'));
  return { ...shape, pageProperties: [...shape.pageProperties.filter((each) => !isFound(each)), ...found] };
}

function isCursor(parameter: Parameter, { schema }: Property, holders: readonly string[]): boolean {
  const types = typesOf(schema);
  if ((types.length > 0 && !types.includes('string')) || schema['format'] === 'uri' || schema['enum'] !== undefined)
    return false;
  const said = [parameter.description, schema['description']].some(
    (text) => typeof text === 'string' && PAGING_WORDS.test(text),
  );
  return said || holders.some((name) => PAGING_NAMES.test(foldName(name)));
}

function isText({ in: place, schema }: Parameter): boolean {
  const types = typesOf(schema?.value ?? {});
  return place === 'query' && (types.length === 0 || types.includes('string')) && schema?.value['enum'] === undefined;
}

function foldName(name: string): string {
  return wordsOf(name).join('');
}
