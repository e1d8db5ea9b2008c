import type { Parameter } from '../openapi/model';
import { wordsOf } from './inflection';
import { typesOf } from './schema-reader';

/** What a query parameter of a list is for, as far as its name and type tell; members are compared afterwards. */
export type ParameterRole =
  'limit' | 'cursor' | 'offset' | 'page' | 'sort' | 'direction' | 'search' | 'fields' | { readonly ignored: string };

type Wanted = 'integer' | 'string' | 'any';

/** Names, folded to lower case without separators, and the type that such a parameter has. */
const NAMES: readonly (readonly [RegExp, Wanted, ParameterRole])[] = [
  [
    /^(?:limit|pagesize|perpage|size|take|maxresults|top|pagelimit|count|maxitems|pagelength|results|maxkeys)$/,
    'integer',
    'limit',
  ],
  [
    /^(?:cursor|after|pagetoken|startingafter|nexttoken|nextpagetoken|continuationtoken|pagecursor|pageafter|marker|startcursor|endcursor|continue|continuation)$/,
    'string',
    'cursor',
  ],
  [/^(?:offset|skip|start|startindex|pageoffset|from|startat)$/, 'integer', 'offset'],
  [/^(?:page|pagenumber|pageno|p|pageindex|currentpage|pagenum)$/, 'integer', 'page'],
  [/^(?:sort|sortby|orderby|ordering|sortfield|sortkey|sortcolumn)$/, 'any', 'sort'],
  [/^(?:direction|sortdirection|sortdir|dir|sortorder|orderdirection|orderdir)$/, 'any', 'direction'],
  [/^(?:q|query|search|keywords?|searchterm|term|searchtext|fulltext|searchquery|text)$/, 'string', 'search'],
  [/^(?:(?:opt|include|return|only)?fields|select|fieldset|attributes)$/, 'any', 'fields'],
  [/^(?:before|endingbefore|pagebefore|previoustoken)$/, 'string', { ignored: 'pages are only read forwards' }],
  [
    /^(?:include|includes|expand|embed|with|populate|relations)$/,
    'any',
    { ignored: 'members that are a key or the item are the item where it names them' },
  ],
  [/^(?:filters?|where|rsql|conditions?)$/, 'any', { ignored: 'expressions of a filter language are not evaluated' }],
  [
    /^(?:apikey|accesstoken|token|locale|lang|language|format|alt|callback|pretty|prettyprint|debug|dryrun|apiversion|version|timezone|currency|quotauser|userip|key)$/,
    'any',
    { ignored: 'it chooses how the answer is given, not which items' },
  ],
];

/** Roles in which a parameter that is also a member is taken for the member. */
const YIELDING =
  /^(?:size|count|from|start|text|p|top|version|language|lang|locale|currency|token|key|format|timezone|attributes|after|before|term|direction|marker|with|results|query|position)$/;

/**
 * The role that a name and type give away.
 *
 * @param isMember - has the item a member of this name? Then only names that never mean anything else are paging
 */
export function roleOf(parameter: Parameter, isMember: boolean): ParameterRole | undefined {
  const folded = wordsOf(parameter.name).join('');
  if (isMember && YIELDING.test(folded) && !isPagingType(parameter, folded)) return undefined;
  if (!isMember && isToldToken(parameter)) return 'cursor';
  if (folded === 'order') return isDirection(parameter) ? 'direction' : 'sort';
  const role = roleNamed(parameter, folded, isMember);
  return role !== undefined && isAnother(role, parameter, isMember) ? undefined : role;
}

/** Does a parameter mean something else than its name gives away? */
function isAnother(role: ParameterRole, parameter: Parameter, isMember: boolean): boolean {
  return role === 'offset' ? isToldTime(parameter) : role === 'direction' && isMember && !isDirection(parameter);
}

function roleNamed(parameter: Parameter, folded: string, isMember: boolean): ParameterRole | undefined {
  const isFitting = (wanted: Wanted): boolean =>
    isOfType(parameter, wanted) || (!isMember && isLimitInText(parameter, folded));
  return NAMES.find(([pattern, wanted]) => pattern.test(folded) && isFitting(wanted))?.[2];
}

/** What is said of a parameter that leads on to the next page. */
const TELLS_TOKEN = /\b(?:continuation|pagination|next[- ]page|page) (?:token|cursor)\b/i;
/** `from` a time is no number of items. */
const TELLS_TIME = /\b(?:timestamp|date|time)\b/i;
/** Names that mean a number of items even where they are declared as texts. */
const LIMITS = /^(?:limit|pagesize|perpage|maxresults|pagelimit)$/;

function isToldToken(parameter: Parameter): boolean {
  return TELLS_TOKEN.test(parameter.description ?? '') && isOfType(parameter, 'string');
}

function isToldTime({ description = '' }: Parameter): boolean {
  return TELLS_TIME.test(description);
}

function isLimitInText(parameter: Parameter, folded: string): boolean {
  return LIMITS.test(folded) && isOfType(parameter, 'string') && parameter.schema?.value['enum'] === undefined;
}

/** `size` is a page size where it is a number with an upper bound or default. */
function isPagingType({ schema }: Parameter, folded: string): boolean {
  if (folded !== 'size' && folded !== 'count') return false;
  return typesOf(schema?.value ?? {}).includes('integer') && schema?.value['default'] !== undefined;
}

function isOfType({ schema }: Parameter, wanted: Wanted): boolean {
  if (wanted === 'any') return true;
  const types = typesOf(schema?.value ?? {});
  if (wanted === 'integer') return types.includes('integer') || types.includes('number');
  return types.includes('string') && schema?.value['format'] !== 'date-time' && schema?.value['format'] !== 'date';
}

function isDirection({ schema }: Parameter): boolean {
  const values = schema?.value['enum'];
  return Array.isArray(values) && values.some((value) => typeof value === 'string' && /^(?:asc|desc)/i.test(value));
}
