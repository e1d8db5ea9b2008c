import type { ListConvention } from './list-convention';

/** How many items a page has, and all pages together. */
export const counts: ListConvention = {
  id: 'counts',
  parameters: [
    [
      /^(?:limit|perpage|size|take|maxresults|top|count|maxitems|pagelength|results|maxkeys|numberofresults|maxrows)$/,
      'integer',
      'limit',
    ],
  ],
  pageProperties: [
    [
      /^(?:(?:grand|overall)?total(?:count|elements|items|results|records|hits|rows|size|entries)?|(?:records|items|results|hits|rows|odata)total|odatacount|totalnumberof\w+|numfound|results|totalsetsize)$/,
      'number',
      'total',
    ],
    [
      /^(?:numberof(?:elements|items|results)|(?:item|result|record)s?(?:count|(?:on|in)(?:this)?page)|returned|countonpage|recordsfiltered|resultsetsize)$/,
      'number',
      'count',
    ],
    [/^totalsetsize$/, 'string', 'total'],
    [/^resultsetsize$/, 'string', 'count'],
    [/^(?:pagesize|perpage|size|limit|(?:items|results?|records|rows)perpage|pagelength)$/, 'number', 'page-size'],
  ],
  values: {
    total: ({ total }) => total,
    count: ({ length }) => length,
    'page-size': ({ size }) => size,
  },
  containers: /^(?:metadata|\w*(?:pagination|paging)|pages?|page(?:info|control|detail|state)s?|responsemetadata)$/,
  headers: {
    xtotalcount: 'total',
    xtotal: 'total',
    totalcount: 'total',
    xtotalitems: 'total',
    xpaginationtotalcount: 'total',
    xpaginationtotal: 'total',
    xcount: 'count',
    xperpage: 'page-size',
    xpagesize: 'page-size',
    xpaginationlimit: 'page-size',
  },
};
