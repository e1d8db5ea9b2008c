import { wordsOf } from '../../core/text/inflection';
import type { Operation } from '../model/operation';

/** What a service does when it is asked for, by any path. */
const ACTS: ReadonlySet<string> = new Set(
  `cancel deactivate delete destroy disable flush kill logoff logout purge reboot regenerate remove resend reset restart
  revoke shutdown signoff signout terminate unsubscribe`.split(/\s+/),
);
/** Words that are as often the name of something: below one item they act on it. */
const ACTS_ON_ITEMS: ReadonlySet<string> = new Set(
  `accept activate approve archive clear confirm decline enable execute impersonate lock pay publish refresh reject rotate
  run send start stop subscribe sync trigger unlock`.split(/\s+/),
);

/**
 * Does a GET do something, by the words of its path: `/logout`, `/subscriptions/{id}/cancel`? A GET is not to change
 * anything (RFC 9110 §9.2.1), and services have such all the same.
 */
export function isActingRead({ method, path }: Pick<Operation, 'method' | 'path'>): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const segments = path.split('/').filter((segment) => segment !== '');
  return segments.some((segment, index) => {
    if (segment.startsWith('{')) return false;
    const word = wordsOf(segment).join('');
    const isOnItem = segments[index - 1]?.startsWith('{') === true;
    return ACTS.has(word) || (isOnItem && ACTS_ON_ITEMS.has(word));
  });
}
