import type { ListConvention } from './list-convention';

/** URLs of other pages as properties: `next`, `links: { next }`, HAL's `_links: { next: { href } }`. */
export const links: ListConvention = {
  id: 'links',
  pageProperties: [
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
    [/^(?:first|firstlink|firstpageurl|firstpageuri|firsturl)$/, 'string', 'first-link'],
    [/^(?:last|lastlink|lastpageurl|lastpageuri|lasturl)$/, 'string', 'last-link'],
    [/^(?:self|selflink|selfurl)$/, 'string', 'self-link'],
  ],
  values: {
    'next-link': ({ next }) => next,
    'previous-link': ({ previous }) => previous,
    'first-link': ({ first }) => first,
    'last-link': ({ last }) => last,
    'self-link': ({ self }) => self,
  },
  containers: /^links$/,
  moreProperties: /^next\w*$/,
  nestedProperties: [
    ['nextpage.uri', 'next-link'],
    ['nextpage.path', 'next-link'],
    ['nextpage.url', 'next-link'],
    ['nextpage.href', 'next-link'],
    ['next.href', 'next-link'],
    ['next.url', 'next-link'],
    ['next.link', 'next-link'],
  ],
};
