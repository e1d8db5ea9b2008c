import { headerValue } from '../../core/http/headers';
import { equalJson } from '../../core/json/json-value';
import type { ApiModel } from '../../openapi/model/api-model';
import { type ObservedExchange, repeatedRequests, type RunCheckFinding, templateOf } from '../run-check';
import type { RunCheck } from './history';

/** The entity tag is another one exactly when the representation is: else clients keep what is old, or fetch for nothing. */
export const etagChanges: RunCheck = {
  id: 'etag-changes',
  source: 'RFC 9110 §8.8.1, §8.8.3',
  run({ exchanges, api }) {
    return repeatedRequests(exchanges.filter(isTagged)).flatMap((reads) => firstDisagreement(api, reads) ?? []);
  },
};

function isTagged({ method, status, headers, body }: ObservedExchange): boolean {
  return method === 'GET' && status === 200 && body !== undefined && headerValue(headers, 'etag') !== undefined;
}

/** The first disagreement among reads of one thing: one that hides a change, else one that shows none as one. */
function firstDisagreement(api: ApiModel, reads: readonly ObservedExchange[]): RunCheckFinding | undefined {
  const byTag = new Map<string, ObservedExchange>();
  for (const read of reads) {
    const earlier = byTag.get(tagOf(read));
    if (earlier === undefined) byTag.set(tagOf(read), read);
    else if (hidesChange(earlier, read)) return etagFinding(api, read, earlier, true);
  }
  // Neighbours only: a tag may go on while the body goes back to what it was.
  const needless = reads.findIndex((read, index) => changesWithoutReason(reads[index - 1], read));
  const [earlier, read] = [reads[needless - 1], reads[needless]];
  return earlier === undefined || read === undefined ? undefined : etagFinding(api, read, earlier, false);
}

/** A weak tag says that two representations are as good as each other, not that they are equal. */
function hidesChange(earlier: ObservedExchange, read: ObservedExchange): boolean {
  return tagOf(earlier) === tagOf(read) && !tagOf(read).startsWith('W/') && !isSameBody(earlier, read);
}

function changesWithoutReason(earlier: ObservedExchange | undefined, read: ObservedExchange): boolean {
  return earlier !== undefined && tagOf(earlier) !== tagOf(read) && isSameBody(earlier, read);
}

function tagOf({ headers }: ObservedExchange): string {
  return headerValue(headers, 'etag') ?? '';
}

function isSameBody(one: ObservedExchange, other: ObservedExchange): boolean {
  return equalJson(one.body ?? null, other.body ?? null);
}

function etagFinding(
  api: ApiModel,
  read: ObservedExchange,
  earlier: ObservedExchange,
  isStale: boolean,
): RunCheckFinding {
  const what = isStale ? 'has another body under the same ETag' : 'has another ETag for the same body';
  return {
    exchange: read,
    earlier,
    // A tag may depend on more than the body, such as when it was written.
    severity: isStale ? 'error' : 'warning',
    at: '/response/headers/etag',
    message: `GET ${templateOf(api, read)} ${what}`,
    expected: isStale ? 'another tag than before' : tagOf(earlier),
    actual: tagOf(read),
  };
}
