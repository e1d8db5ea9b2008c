import { isLinkHeader, parseLinkHeader } from '../../http/link-header';
import { fieldValue, type ResponseCheck } from './response-check';
import { shownText } from './shown';

/** Link keeps to its grammar, and each link says what it is. */
export const link: ResponseCheck = {
  id: 'link',
  source: 'RFC 8288 §3, §3.3',
  run(observed) {
    const value = fieldValue(observed, 'link');
    if (value === undefined) return undefined;
    const about = {
      check: 'link',
      severity: 'error',
      at: '/response/headers/link',
      expected: 'links such as </books?page=2>; rel="next"',
      spec: observed.documented?.headers.get('link')?.pointer,
    } as const;
    if (!isLinkHeader(value)) {
      return [{ ...about, message: 'Link breaks its grammar', actual: shownText(value) }];
    }
    const nameless = parseLinkHeader(value).find(({ parameters }) => (parameters['rel'] ?? '').trim() === '');
    if (nameless === undefined) return [];
    return [{ ...about, message: 'A link has no relation', actual: shownText(`<${nameless.target}> without rel`) }];
  },
};
