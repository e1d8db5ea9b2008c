import type { ListConvention } from './list-convention';

/** A `Page` of Spring Data: `{ content, number, first, last, empty, pageable, sort }`. */
export const spring: ListConvention = {
  id: 'spring',
  pageProperties: [
    [/^number$/, 'number', 'page-index'],
    [/^(?:is)?first(?:page)?$/, 'boolean', 'is-first'],
    [/^(?:is)?last(?:page)?$/, 'boolean', 'is-last'],
    [/^(?:is)?empty$/, 'boolean', 'is-empty'],
    [/^paged$/, 'boolean', 'is-paged'],
    [/^unpaged$/, 'boolean', 'is-unpaged'],
    [/^sorted$/, 'boolean', 'is-sorted'],
    [/^unsorted$/, 'boolean', 'is-unsorted'],
  ],
  nestedProperties: [
    ['sort.empty', 'is-unsorted'],
    ['pageable.pagenumber', 'page-index'],
  ],
};
