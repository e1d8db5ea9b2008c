import type { ListConvention } from './list-convention';

/** `?starting_after=item_5`: pages begin behind, or end before, the item with a key. A cursor comes before it. */
export const keyAnchor: ListConvention = {
  id: 'key-anchor',
  anchors: [
    [/^(?:startingafter|startafter|after|afterid|sinceid|lastid|lastkey|marker)$/, 'after'],
    [/^(?:endingbefore|before|beforeid)$/, 'before'],
  ],
  values: { 'next-key': ({ nextKey }) => nextKey },
  pagingParameters: /^since$/,
  moves: {
    next: ({ cursor, after }, { nextCursor = '' }) =>
      after === undefined || cursor !== undefined ? undefined : { parameter: after, value: nextCursor },
    previous: ({ before }, { previousKey }) =>
      before === undefined || previousKey === undefined ? undefined : { parameter: before, value: previousKey },
  },
};
