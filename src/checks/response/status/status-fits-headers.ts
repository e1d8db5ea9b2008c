import { headerValue } from '../../../core/http/headers';
import { parseMediaType } from '../../../core/http/media-type';
import { contentTypeOf, type ObservedResponse, type ResponseCheck } from '../../response-check';

/** The status is a status of HTTP, and has the headers without which a client cannot follow it. */
export const statusFitsHeaders: ResponseCheck = {
  id: 'status-fits-headers',
  source: 'RFC 9110 §15, §15.3.7, §15.5.22; WFC 950, 965',
  basis: 'http',
  run(observed) {
    const { status, documented, operation } = observed;
    const about = { at: '/response/status' } as const;
    const spec = documented?.pointer ?? operation?.pointer;
    if (status < 100 || status > 599) {
      const message = `${status} is not an HTTP status`;
      return [{ ...about, message, expected: 'a number from 100 to 599', actual: String(status), spec }];
    }
    const name = neededHeader(observed);
    if (name === undefined) return undefined;
    if (headerValue(observed.headers, name) !== undefined) return [];
    const at = `/response/headers/${name.toLowerCase()}`;
    const message = `The ${status} has no ${name}`;
    return [{ ...about, at, message, expected: NEEDED_FOR[name], actual: 'no header', spec }];
  },
};

const NEEDED_FOR = { Upgrade: 'the protocols to upgrade to', 'Content-Range': 'which part this is' } as const;

function neededHeader(observed: ObservedResponse): keyof typeof NEEDED_FOR | undefined {
  if (observed.status === 426) return 'Upgrade';
  if (observed.status !== 206) return undefined;
  // Several parts in one body say it each for itself.
  const isMultipart = parseMediaType(contentTypeOf(observed) ?? '')?.essence === 'multipart/byteranges';
  // Where nobody documents the 206, that is the one finding.
  return isMultipart || observed.documented === undefined ? undefined : 'Content-Range';
}
