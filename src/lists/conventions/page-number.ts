import type { ListConvention } from './list-convention';

/** `?page=2`. */
export const pageNumber: ListConvention = {
  id: 'page-number',
  parameters: [[/^(?:page|pageno|p|pageindex|currentpage|pagenum)$/, 'integer', 'page']],
  pageProperties: [
    [/^(?:page|pagenumber|pageno|currentpage|pageindex)$/, 'number', 'page'],
    [/^(?:pagecount|totalpages|pages|numpages|lastpage|numberofpages)$/, 'number', 'page-count'],
    [/^(?:next|nextpage|nextpagenumber)$/, 'number', 'next-page'],
    [/^(?:previous|prev|previouspage|prevpage|previouspagenumber|prevpagenumber)$/, 'number', 'previous-page'],
  ],
  values: {
    page: ({ pageNumber: number }) => number,
    'page-count': ({ pageCount }) => pageCount,
    'next-page': ({ nextPage }) => nextPage,
    'previous-page': ({ previousPage }) => previousPage,
  },
  pagingParameters: /^(?:page|per)?(?:number|index|count|limit|size)$|^(?:perpage|first|last)$/,
  nestedProperties: [
    ['nextpage.page', 'next-page'],
    ['next.page', 'next-page'],
    ...['pagination', 'paging', 'page', 'pages', 'pageinfo'].map((holder) => [`${holder}.current`, 'page'] as const),
  ],
  headers: {
    xpage: 'page',
    xpaginationpage: 'page',
    xcurrentpage: 'page',
    xtotalpages: 'page-count',
    xpagecount: 'page-count',
    xpaginationpagecount: 'page-count',
  },
  skip({ page }, sent, size) {
    const number = page && sent(page.parameter);
    if (page === undefined || number === undefined) return undefined;
    return size === Infinity ? 0 : Math.max(0, number - page.first) * size;
  },
  moves: {
    next: ({ page }, at) => page && { parameter: page.parameter, value: at.pageNumber + 1 },
    previous: ({ page }, at) =>
      page === undefined || at.start === 0 ? undefined : { parameter: page.parameter, value: at.pageNumber - 1 },
    last: ({ page }, at) => page && { parameter: page.parameter, value: page.first + Math.max(0, at.pageCount - 1) },
  },
};
