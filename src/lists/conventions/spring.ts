import type { ListConvention } from './list-convention';

/** A `Page` of Spring Data: `{ content, number, first, last, empty, pageable, sort }`. */
export const spring: ListConvention = {
  id: 'spring',
  pageProperties: [
    [/^number$/, 'number', 'page-index'],
    [/^(?:is)?first(?:page)?$/, 'boolean', 'is-first'],
    [/^(?:(?:is)?last(?:page)?|(?:is)?(?:done|finished|exhausted)|(?:is)?endof\w+)$/, 'boolean', 'is-last'],
    [/^(?:is)?empty$/, 'boolean', 'is-empty'],
    [/^paged$/, 'boolean', 'is-paged'],
    [/^unpaged$/, 'boolean', 'is-unpaged'],
    [/^sorted$/, 'boolean', 'is-sorted'],
    [/^unsorted$/, 'boolean', 'is-unsorted'],
  ],
  values: {
    'page-index': ({ pageIndex }) => pageIndex,
    'is-first': ({ hasPrevious }) => !hasPrevious,
    'is-last': ({ hasNext }) => !hasNext,
    'is-empty': ({ length }) => length === 0,
    'is-paged': ({ isPaged }) => isPaged,
    'is-unpaged': ({ isPaged }) => !isPaged,
    'is-sorted': ({ isSorted }) => isSorted,
    'is-unsorted': ({ isSorted }) => !isSorted,
  },
  containers: /^(?:pageable|sort)$/,
  nestedProperties: [
    ['sort.empty', 'is-unsorted'],
    ['pageable.pagenumber', 'page-index'],
  ],
};
