import type { ListConvention } from './list-convention';

/** How many items a page has, and all pages together. */
export const counts: ListConvention = {
  id: 'counts',
  parameters: [
    [
      /^(?:limit|pagesize|perpage|size|take|maxresults|top|pagelimit|count|maxitems|pagelength|results|maxkeys)$/,
      'integer',
      'limit',
    ],
  ],
  pageProperties: [
    [
      /^(?:(?:grand)?total(?:count|elements|items|results|records|hits|rows|size)?|(?:records|items|odata)total|odatacount|totalnumberof\w+|results)$/,
      'number',
      'total',
    ],
    [/^(?:numberofelements|resultcount|itemcount|returned|countonpage|recordsfiltered)$/, 'number', 'count'],
    [/^(?:pagesize|perpage|size|limit|itemsperpage|pagelength)$/, 'number', 'page-size'],
  ],
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
