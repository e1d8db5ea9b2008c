import { formatLink } from '../../core/http/header-fields';
import type { ListConvention } from './list-convention';

/** `Link: <…>; rel="next"` (RFC 8288) and `Content-Range: items 0-9/67` (RFC 9110 §14.4). */
export const headers: ListConvention = {
  id: 'headers',
  headers: {
    // `first` always, `next` while something follows: its absence is the end of the list.
    link({ first, previous, next, last }) {
      const links = [formatLink(first, { rel: 'first' })];
      if (previous !== undefined) links.push(formatLink(previous, { rel: 'prev' }));
      if (next !== undefined) links.push(formatLink(next, { rel: 'next' }));
      if (last !== undefined) links.push(formatLink(last, { rel: 'last' }));
      return links.join(', ');
    },
    contentrange: ({ start, length, total }) =>
      `items ${length === 0 ? '*' : `${start}-${start + length - 1}`}/${total}`,
  },
  nextHeaders: /^link$/,
};
