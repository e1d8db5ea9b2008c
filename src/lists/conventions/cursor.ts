import { scalarText } from '../../core/json/stringify-json';
import type { ListConvention } from './list-convention';

/**
 * `?cursor=…`, an opaque string that the page before gave; and where there is none the key of an item behind which a page
 * begins, or before which it ends: `?starting_after=item_5`.
 */
export const cursor: ListConvention = {
  id: 'cursor',
  anchors: [
    [/^(?:startingafter|startafter|after|afterid|sinceid|lastid|lastkey|marker)$/, 'after'],
    [/^(?:endingbefore|before|beforeid)$/, 'before'],
  ],
  parameters: [
    [
      /^(?:cursor|after|pagetoken|startingafter|nexttoken|nextpagetoken|continuationtoken|marker|startcursor|endcursor|continue|continuation)$/,
      'string',
      'cursor',
    ],
    [/^(?:before|endingbefore|previoustoken)$/, 'string', { ignored: 'pages are only read forwards' }],
  ],
  pageProperties: [
    [
      /^(?:cursor|nextcursor|nextpagetoken|nextpagecursor|endcursor|nexttoken|continuationtoken|nextmarker|continue|continuation)$/,
      'string',
      'next-cursor',
    ],
    [/^(?:hasmore|hasnext|hasnextpage|more|moreavailable|moreresults)$/, 'boolean', 'has-more'],
    [/^(?:hasprevious|hasprev|haspreviouspage|hasprevpage)$/, 'boolean', 'has-previous'],
  ],
  values: {
    'next-cursor': ({ nextCursor }) => nextCursor,
    'next-key': ({ nextKey }) => nextKey,
    'has-more': ({ hasMore }) => hasMore,
    'has-previous': ({ hasPrevious }) => hasPrevious,
  },
  containers: /^(?:nextpage|next|cursors?)$/,
  moreProperties: /^(?:has(?:more|next)\w*|more|\w*cursor|continuation\w*|lastevaluatedkey|(?:is)?truncated)$/,
  pagingParameters: /^(?:(?:page|per)?(?:token|range)|since)$/,
  nextHeaders: /^\w*(?:next(?:cursor|page|pagetoken|token|link|url)|continuation(?:token)?)$/,
  nestedProperties: [
    ['nextpage.offset', 'next-cursor'],
    ['nextpage.cursor', 'next-cursor'],
    ['nextpage.token', 'next-cursor'],
    ['nextpage.startingafter', 'next-cursor'],
    ['next.offset', 'next-cursor'],
    ['next.cursor', 'next-cursor'],
    ['next.startingafter', 'next-cursor'],
    ['cursors.after', 'next-cursor'],
    ['cursors.next', 'next-cursor'],
    ['cursor.next', 'next-cursor'],
  ],
  headers: { xnextcursor: 'next-cursor', xhasmore: 'has-more' },
  moves: {
    next({ cursor: own, after, from }, { nextCursor = '', nextKey }) {
      const parameter = own ?? after;
      if (parameter === undefined && from !== undefined && nextKey !== undefined)
        return { parameter: from, value: scalarText(nextKey) };
      return parameter && { parameter, value: nextCursor };
    },
    previous: ({ before }, { previousKey }) =>
      before === undefined || previousKey === undefined ? undefined : { parameter: before, value: previousKey },
  },
};
