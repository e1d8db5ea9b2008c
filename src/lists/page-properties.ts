import { foldedName, wordsOf } from '../core/text/inflection';
import { memoize } from '../core/text/memoize';
import type { Property, Schema } from '../openapi/model/operation';
import { type SchemaView, typesOf } from '../openapi/view/schema-view';
import type { PagePropertyRole, PagePropertyType } from './conventions/list-convention';
import { LIST_CONVENTIONS } from './registry';

type Kind = PagePropertyType;

const ROLES = LIST_CONVENTIONS.flatMap(({ pageProperties }) => pageProperties ?? []);
/** By the names of the object and of the property in it. */
const NESTED_ROLES = new Map(LIST_CONVENTIONS.flatMap(({ nestedProperties }) => nestedProperties ?? []));

const KEY = /^(?:id|_id|gid|uuid|guid|key)$/;
/** What a property beside a list is called that holds the key of an item of the next page. */
const NEXT_KEY = /^next(?:page)?(?:offset|id|key|from|start|item)$/;

/** Response headers by their names without separators. */
const HEADERS = new Map(LIST_CONVENTIONS.flatMap(({ headers = {} }) => Object.entries(headers)));

/** Response headers whose names end so say how the next page is asked for. */
const NEXT_HEADERS: readonly (readonly [RegExp, PagePropertyRole])[] = [
  [/(?:next(?:page)?(?:cursor|token)|continuation(?:token)?)$/, 'next-cursor'],
  [/next(?:page)?(?:link|url)$/, 'next-link'],
  [/nextpage$/, 'next-page'],
];

/** What a response header tells about a list. */
export const toldInHeader = memoize((name) => {
  const folded = name.toLowerCase().replace(/[^a-z]/g, '');
  return HEADERS.get(folded) ?? NEXT_HEADERS.find(([pattern]) => pattern.test(folded))?.[1];
});

/** Does a property of this name count items: all that there are, or perhaps those of a page alone? */
export function countedBy(folded: string): 'total' | 'count' | undefined {
  if (folded === 'count') return 'count';
  const role = ROLES.find(([pattern, kind]) => kind === 'number' && pattern.test(folded))?.[2];
  return role === 'total' || role === 'count' ? role : undefined;
}

/** May a property of this name say that there is more? */
export function mayTellMore(folded: string): boolean {
  return LIST_CONVENTIONS.some(({ moreProperties }) => moreProperties?.test(folded));
}

function isContainer(folded: string): boolean {
  const name = folded.replace(/^_/, '');
  return LIST_CONVENTIONS.some(({ containers }) => containers?.test(name));
}

/** Does an object of this name tell of the page after or before alone, so that there is none where no such page is? */
export function isOtherPageObject(name: string): boolean {
  return /^(?:next|prev|previous)(?:page)?$/.test(wordsOf(name).join(''));
}

/**
 * The properties beside a list that the mock knows how to fill, found by name and type. `count` alone is the total, beside
 * a total it is the number of items on the page.
 *
 * @param path - properties that lead to the list
 */
export function pagePropertiesOf(view: SchemaView, body: Schema, path: readonly string[]): PageProperty[] {
  const found: PageProperty[] = [];
  const counts: (readonly string[])[] = [];

  const keys = keySchemas(view, body, path);
  const roleIn: RoleIn = (at, folded, kind, property, holder) => {
    const isKey = NEXT_KEY.test(folded) && keys.has(view.schemaOf(property)?.pointer ?? '');
    return tokenOr(roleOf(at.at(-1) ?? '', folded, kind), property, holder) ?? (isKey ? 'next-key' : undefined);
  };
  /** A total is one at once; whether a count is one is known when all properties are. */
  const countIn = (
    kind: Kind | undefined,
    folded: string,
    property: Property,
    place: readonly string[],
  ): 'total' | undefined => {
    const counted = kind === 'number' ? countOfList(folded, path.at(-1) ?? '', property) : undefined;
    if (counted === 'count') counts.push(place);
    return counted === 'total' ? counted : undefined;
  };
  const look = (schema: Schema, at: readonly string[], depth: number): void => {
    for (const [name, property] of view.properties(schema)) {
      const place = [...at, name];
      if (place.every((step, index) => step === path[index]) && place.length <= path.length) {
        if (place.length < path.length) enter(property, place, depth);
        continue;
      }
      const folded = wordsOf(name).join('');
      const kind = kindOf(view, property);
      const role = roleIn(at, folded, kind, property, schema) ?? countIn(kind, folded, property, place);
      if (role !== undefined) found.push({ path: place, role });
      else if (isContainer(folded)) enter(property, place, depth);
      else if (depth > 0 && linkRole(folded) !== undefined) addHref(property, place, linkRole(folded));
    }
  };
  const enter = (property: Property, place: readonly string[], depth: number): void => {
    const schema = view.schemaOf(property);
    if (schema === undefined || depth >= 2) return;
    // Those of a page in the midst are reported as a choice of those of the first and of the last.
    const kinds = view.isObject(schema) ? [schema] : view.alternatives(schema).filter((each) => view.isObject(each));
    for (const kind of kinds) look(kind, place, depth + 1);
  };
  /** HAL §5: `_links: { next: { href } }`. */
  const addHref = (property: Property, place: readonly string[], role: PagePropertyRole | undefined): void => {
    const schema = view.schemaOf(property);
    if (role !== undefined && schema !== undefined && view.properties(schema).has('href'))
      found.push({ path: [...place, 'href'], role });
  };

  look(body, [], 0);
  const hasTotal = found.some(({ role }) => role === 'total');
  return [...found, ...counts.map((place): PageProperty => ({ path: place, role: hasTotal ? 'count' : 'total' }))];
}

/** `next` that is reported to be a token is not a link: by its own words, or by those of what holds it, where they name it. */
function tokenOr(
  role: PagePropertyRole | undefined,
  { name, schema: { description: own, format } }: Property,
  { value: { description: around } }: Schema,
): PagePropertyRole | undefined {
  const isNamed = typeof around === 'string' && new RegExp(`[\`'".]${name}\\b`).test(around) && format === undefined;
  const description = own ?? (isNamed ? around : undefined);
  if (role !== 'next-link' || typeof description !== 'string') return role;
  const isLink = /\b(?:ur[il]|link) (?:of|to|for|that|with)\b/i.test(description);
  return /\b(?:token|cursor)\b/i.test(description) && !isLink ? 'next-cursor' : role;
}

const COUNT_WORDS = /^(?:count|num|numberof|noof|numof|num(?:items|entries|records|results|rows))$/;
const TOTAL_WORDS = /^(?:total|totalsum|totalnum|totalcount|counttotal|totalof|totalnumber|totalnumberof)$/;

/**
 * Does a number beside a list count its rows? By its name, with or without that of the list: `count`, `lampCount`,
 * `numberOfLamps`; or by its description, "Total number of lamps".
 */
function countOfList(folded: string, list: string, { schema }: Property): 'total' | 'count' | undefined {
  const stem = foldedName(list);
  const name = folded.includes(`${stem}s`) ? folded.replace(`${stem}s`, '') : folded.replace(stem, '');
  const description = typeof schema['description'] === 'string' ? schema['description'] : '';
  if (COUNT_WORDS.test(name)) return 'count';
  // A sum of rows is a whole number; one of prices need not be.
  const isTotal = TOTAL_WORDS.test(name) || (folded === 'sum' && schema['type'] === 'integer');
  const isDescribed = /\btotal (?:number|count) of (?!.*\bpages?\b)/i.test(description);
  return isTotal || isDescribed ? 'total' : undefined;
}

type RoleIn = (
  at: readonly string[],
  folded: string,
  kind: Kind | undefined,
  property: Property,
  holder: Schema,
) => PagePropertyRole | undefined;

/** Where the schemas stand of what may be the key of the items in a list. */
function keySchemas(view: SchemaView, body: Schema, path: readonly string[]): ReadonlySet<string> {
  const list = view.along(body, path);
  const item = list === undefined ? undefined : view.items(list);
  const properties = item === undefined ? [] : [...view.properties(item).values()];
  return new Set(
    properties.flatMap((property) => (KEY.test(property.name) ? (view.schemaOf(property)?.pointer ?? []) : [])),
  );
}

/** @param holder - name of the object that it is a property of */
function roleOf(holder: string, folded: string, kind: Kind | undefined): PagePropertyRole | undefined {
  const held = NESTED_ROLES.get(`${wordsOf(holder).join('')}.${folded}`);
  if (held !== undefined && kindOfRole(held) === kind) return held;
  return ROLES.find(([pattern, wanted]) => wanted === kind && pattern.test(folded))?.[2];
}

function kindOfRole(role: PagePropertyRole): Kind {
  if (role === 'next-cursor' || role === 'next-link') return 'string';
  return role === 'is-unsorted' ? 'boolean' : 'number';
}

function linkRole(folded: string): PagePropertyRole | undefined {
  return ROLES.find(([pattern, kind]) => kind === 'string' && pattern.test(folded))?.[2];
}

/** A choice between a kind and null is of that kind. */
function kindOf(view: SchemaView, property: Property): Kind | undefined {
  const { schema } = property;
  const isChoice = schema['anyOf'] !== undefined || schema['oneOf'] !== undefined;
  const [type] = typesOf((isChoice ? view.schemaOf(property)?.value : undefined) ?? schema);
  if (type === 'integer' || type === 'number') return 'number';
  return type === 'boolean' || type === 'string' ? type : undefined;
}
export interface PageProperty {
  /** Properties that lead to it from the body. */
  readonly path: readonly string[];
  readonly role: PagePropertyRole;
}

const PAGE_ROLES: ReadonlySet<PagePropertyRole> = new Set([
  'total',
  'page',
  'page-size',
  'offset',
  'has-more',
  'next-cursor',
]);

/**
 * The list in `{ results: [anything], offset, limit, total }`: one that tells nothing of its items is known by what tells
 * of its pages beside it.
 */
export function unconstrainedList(
  view: SchemaView,
  schema: Schema,
  isListName: (name: string) => boolean,
): Property | undefined {
  const list = [...view.properties(schema).values()].find((property) => {
    const place = isListName(property.name) ? view.schemaOf(property) : undefined;
    const items = place === undefined ? undefined : view.items(place);
    return items !== undefined && view.isUnconstrained(items);
  });
  const siblings = list === undefined ? [] : pagePropertiesOf(view, schema, [list.name]);
  return siblings.some(({ role }) => PAGE_ROLES.has(role)) ? list : undefined;
}
