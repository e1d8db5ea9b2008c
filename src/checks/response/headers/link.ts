import { isLinkHeader, parseLinkHeader } from '../../../core/http/header-fields';
import { previewText } from '../../../core/json/value-preview';
import { joinedHeader, type ResponseCheck } from '../../response-check';

/** Link keeps to its grammar, and each link says what it is. */
export const link: ResponseCheck = {
  id: 'link',
  source: 'RFC 8288 §3, §3.3',
  basis: 'http',
  run(observed) {
    const value = joinedHeader(observed, 'link');
    if (value === undefined) return undefined;
    const isLink = isLinkHeader(value);
    const nameless = isLink && parseLinkHeader(value).find(({ parameters }) => (parameters['rel'] ?? '').trim() === '');
    if (isLink && (nameless === undefined || nameless === false)) return [];
    return [
      {
        at: '/response/headers/link',
        message: isLink ? 'A link has no relation' : 'Link breaks its grammar',
        expected: 'links such as </books?page=2>; rel="next"',
        actual: previewText(typeof nameless === 'object' ? `<${nameless.target}> without rel` : value),
        spec: observed.documented?.headers.get('link')?.pointer,
      },
    ];
  },
};
