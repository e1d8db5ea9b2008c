import { counts } from './conventions/total-count';
import { cursor } from './conventions/cursor';
import { headers } from './conventions/link-headers';
import { jsonApi } from './conventions/json-api';
import { links } from './conventions/link-properties';
import type { ListConvention } from './conventions/list-convention';
import { offset } from './conventions/offset';
import { pageNumber } from './conventions/page-number';
import { selection } from './conventions/selection';
import { spring } from './conventions/spring';

/**
 * The conventions of lists that the recognition and the mock know. Where a list can be paged in several ways, links lead
 * on by the first of them.
 */
export const LIST_CONVENTIONS: readonly ListConvention[] = [
  cursor,
  pageNumber,
  offset,
  counts,
  links,
  headers,
  spring,
  jsonApi,
  selection,
];
