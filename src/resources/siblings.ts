import type { Property, Schema } from '../openapi/model';
import { wordsOf } from './inflection';
import type { Sibling, SiblingRole } from './resource-model';
import { schemaAlong, typesOf, type SchemaReader } from './schema-reader';

type Kind = 'number' | 'boolean' | 'string';

/** Names by which members beside a list are known, folded to lower case without separators, and their types. */
const ROLES: readonly (readonly [RegExp, Kind, SiblingRole])[] = [
  [
    /^(?:(?:grand)?total(?:count|elements|items|results|records|hits|rows|size)?|(?:records|items|odata)total|odatacount|totalnumberof\w+)$/,
    'number',
    'total',
  ],
  [/^results$/, 'number', 'total'],
  [/^(?:numberofelements|resultcount|itemcount|returned|countonpage|recordsfiltered)$/, 'number', 'count'],
  [/^(?:page|pagenumber|pageno|currentpage|pageindex)$/, 'number', 'page'],
  [/^number$/, 'number', 'page-index'],
  [/^(?:pagesize|perpage|size|limit|itemsperpage|pagelength)$/, 'number', 'page-size'],
  [/^(?:pagecount|totalpages|pages|numpages|lastpage|numberofpages)$/, 'number', 'page-count'],
  [/^(?:offset|skip|start|startindex|from)$/, 'number', 'offset'],
  [/^(?:hasmore|hasnext|hasnextpage|more|moreavailable|moreresults)$/, 'boolean', 'has-more'],
  [/^(?:hasprevious|hasprev|haspreviouspage|hasprevpage)$/, 'boolean', 'has-previous'],
  [/^(?:is)?first(?:page)?$/, 'boolean', 'is-first'],
  [/^(?:is)?last(?:page)?$/, 'boolean', 'is-last'],
  [/^(?:is)?empty$/, 'boolean', 'is-empty'],
  [/^paged$/, 'boolean', 'is-paged'],
  [/^unpaged$/, 'boolean', 'is-unpaged'],
  [/^sorted$/, 'boolean', 'is-sorted'],
  [/^unsorted$/, 'boolean', 'is-unsorted'],
  [
    /^(?:cursor|nextcursor|nextpagetoken|nextpagecursor|endcursor|nexttoken|continuationtoken|nextmarker|continue|continuation)$/,
    'string',
    'next-cursor',
  ],
  [
    /^(?:next|nextlink|nexturl|nexturi|nextpage|nexthref|nextpageurl|nextpageuri|nextpagelink|odatanextlink)$/,
    'string',
    'next-link',
  ],
  [
    /^(?:previous|prev|previouslink|prevlink|previousurl|prevurl|previouspage|prevpageurl|previouspageurl|prevpageuri|previouspageuri|previousuri|prevuri)$/,
    'string',
    'previous-link',
  ],
  [/^(?:next|nextpage|nextpagenumber)$/, 'number', 'next-page'],
  [/^(?:previous|prev|previouspage|prevpage|previouspagenumber|prevpagenumber)$/, 'number', 'previous-page'],
  [/^(?:first|firstlink|firstpageurl|firstpageuri|firsturl)$/, 'string', 'first-link'],
  [/^(?:last|lastlink|lastpageurl|lastpageuri|lasturl)$/, 'string', 'last-link'],
  [/^(?:self|selflink|selfurl)$/, 'string', 'self-link'],
];

const KEY = /^(?:id|_id|gid|uuid|guid|key)$/;
/** What a member beside a list is called that holds the key of an item of the next page. */
const NEXT_KEY = /^next(?:page)?(?:offset|id|key|from|start|item)$/;

/** Objects beside a list that hold such members; `pageable` and `sort` are those of a `Page` of Spring Data. */
const HOLDERS =
  /^_?(?:meta|metadata|pagination|paging|page|pages|pageinfo|nextpage|next|pageable|sort|links|cursors?|responsemetadata)$/;

/** Does an object of this name tell of the next page alone, so that there is none where no page follows? */
export function isNextHolder(name: string): boolean {
  return /^next(?:page)?$/.test(wordsOf(name).join(''));
}

/** Members that mean something else in such an object, by both names. */
const HELD: ReadonlyMap<string, SiblingRole> = new Map([
  ['sort.empty', 'is-unsorted'],
  ['pageable.pagenumber', 'page-index'],
  ['nextpage.offset', 'next-cursor'],
  ['nextpage.cursor', 'next-cursor'],
  ['nextpage.token', 'next-cursor'],
  ['nextpage.startingafter', 'next-cursor'],
  ['nextpage.uri', 'next-link'],
  ['nextpage.path', 'next-link'],
  ['nextpage.url', 'next-link'],
  ['nextpage.href', 'next-link'],
  ['nextpage.page', 'next-page'],
  ['next.offset', 'next-cursor'],
  ['next.cursor', 'next-cursor'],
  ['next.startingafter', 'next-cursor'],
  ['next.href', 'next-link'],
  ['next.url', 'next-link'],
  ['next.page', 'next-page'],
  ['cursors.after', 'next-cursor'],
  ['cursors.next', 'next-cursor'],
  ['cursor.next', 'next-cursor'],
]);

/**
 * The members beside a list that the mock knows how to fill, found by name and type. `count` alone is the total, beside
 * a total it is the number of items on the page.
 *
 * @param path - members that lead to the list
 */
export function siblingsOf(reader: SchemaReader, body: Schema, path: readonly string[]): Sibling[] {
  const found: Sibling[] = [];
  const counts: (readonly string[])[] = [];

  const keys = keySchemas(reader, body, path);
  const roleIn: RoleIn = (at, folded, kind, property) => {
    const isKey = NEXT_KEY.test(folded) && keys.has(reader.member(property)?.pointer ?? '');
    return tokenOr(roleOf(at.at(-1) ?? '', folded, kind), property) ?? (isKey ? 'next-key' : undefined);
  };
  const look = (schema: Schema, at: readonly string[], depth: number): void => {
    for (const [name, property] of reader.members(schema)) {
      const place = [...at, name];
      if (place.every((step, index) => step === path[index]) && place.length <= path.length) {
        if (place.length < path.length) enter(property, place, depth);
        continue;
      }
      const folded = wordsOf(name).join('');
      const kind = kindOf(reader, property);
      if (kind === 'number' && folded === 'count') counts.push(place);
      const role = roleIn(at, folded, kind, property);
      if (role !== undefined) found.push({ path: place, role });
      else if (HOLDERS.test(folded)) enter(property, place, depth);
      else if (depth > 0 && linkRole(folded) !== undefined) addHref(property, place, linkRole(folded));
    }
  };
  const enter = (property: Property, place: readonly string[], depth: number): void => {
    const schema = reader.member(property);
    if (schema === undefined || depth >= 2) return;
    // Those of a page in the midst are told as a choice of those of the first and of the last.
    const kinds = reader.isObject(schema) ? [schema] : reader.choices(schema).filter((each) => reader.isObject(each));
    for (const kind of kinds) look(kind, place, depth + 1);
  };
  /** HAL §5: `_links: { next: { href } }`. */
  const addHref = (property: Property, place: readonly string[], role: SiblingRole | undefined): void => {
    const schema = reader.member(property);
    if (role !== undefined && schema !== undefined && reader.members(schema).has('href'))
      found.push({ path: [...place, 'href'], role });
  };

  look(body, [], 0);
  const hasTotal = found.some(({ role }) => role === 'total');
  return [...found, ...counts.map((place): Sibling => ({ path: place, role: hasTotal ? 'count' : 'total' }))];
}

/** `next` that is told to be a token is no link. */
function tokenOr(role: SiblingRole | undefined, { schema: { description } }: Property): SiblingRole | undefined {
  if (role !== 'next-link' || typeof description !== 'string') return role;
  const isLink = /\b(?:ur[il]|link) (?:of|to|for|that|with)\b/i.test(description);
  return /\b(?:token|cursor)\b/i.test(description) && !isLink ? 'next-cursor' : role;
}

type RoleIn = (
  at: readonly string[],
  folded: string,
  kind: Kind | undefined,
  property: Property,
) => SiblingRole | undefined;

/** Where the schemas stand of what may be the key of the items in a list. */
function keySchemas(reader: SchemaReader, body: Schema, path: readonly string[]): ReadonlySet<string> {
  const list = schemaAlong(reader, body, path);
  const item = list === undefined ? undefined : reader.items(list);
  const members = item === undefined ? [] : [...reader.members(item).values()];
  return new Set(members.flatMap((member) => (KEY.test(member.name) ? (reader.member(member)?.pointer ?? []) : [])));
}

/** @param holder - name of the object that it is a member of */
function roleOf(holder: string, folded: string, kind: Kind | undefined): SiblingRole | undefined {
  const held = HELD.get(`${wordsOf(holder).join('')}.${folded}`);
  if (held !== undefined && kindOfRole(held) === kind) return held;
  return ROLES.find(([pattern, wanted]) => wanted === kind && pattern.test(folded))?.[2];
}

function kindOfRole(role: SiblingRole): Kind {
  if (role === 'next-cursor' || role === 'next-link') return 'string';
  return role === 'is-unsorted' ? 'boolean' : 'number';
}

function linkRole(folded: string): SiblingRole | undefined {
  return ROLES.find(([pattern, kind]) => kind === 'string' && pattern.test(folded))?.[2];
}

/** A choice between a kind and null is of that kind. */
function kindOf(reader: SchemaReader, property: Property): Kind | undefined {
  const { schema } = property;
  const isChoice = schema['anyOf'] !== undefined || schema['oneOf'] !== undefined;
  const [type] = typesOf((isChoice ? reader.member(property)?.value : undefined) ?? schema);
  if (type === 'integer' || type === 'number') return 'number';
  return type === 'boolean' || type === 'string' ? type : undefined;
}
