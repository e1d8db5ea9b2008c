import { wordsOf } from '../core/text/inflection';
import type { Operation, Parameter, Property } from '../openapi/model/operation';
import { successes } from '../openapi/view/operation-bodies';
import { type SchemaView, typesOf } from '../openapi/view/schema-view';
import type { BodyShape } from './body-shape';
import type { ListParameters } from './list-model';
import { type PageProperty, toldInHeader } from './page-properties';

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
  return showsNext(shape, view) || successes(operation).some(({ headers }) => [...headers.keys()].some(isNextHeader));
}

/** May a parameter hold the cursors that the mock gives? One that may not leads on by the key of the last item. */
export function mayHoldCursor({ schema }: Parameter): boolean {
  return schema?.accepts(SAMPLES['next-cursor'], 'request') !== false;
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
  return typeof told === 'function' ? /link/i.test(name) : told === 'next-cursor' || told === 'next-link';
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
  const names = new Map(
    operation.parameters.flatMap((each) => (isText(each) ? [[foldName(each.name), each] as const] : [])),
  );
  if (names.size === 0) return shape;
  const found: PageProperty[] = [];
  const look = (properties: ReadonlyMap<string, Property>, at: readonly string[]): void => {
    for (const [name, property] of properties) {
      const path = [...at, name];
      if (path.length === shape.path.length && path.every((step, index) => step === shape.path[index])) continue;
      const schema = view.schemaOf(property);
      const parameter = names.get(foldName(name)) ?? names.get(foldName(name).replace(/^next/, ''));
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
