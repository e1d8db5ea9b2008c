import { headerValue } from '../http/headers';
import type { ApiModel } from '../openapi/model';
import { redactionOf } from '../redaction/redaction';
import type { JournalEntry } from './journal';

const hide = (): string => '[redacted]';

/**
 * An entry whose request shows no secret member: a password that was sent is nobody's to read later. One of an
 * operation that the description does not have any more may show none of them all.
 */
export function withoutSecretTexts(api: ApiModel, entry: JournalEntry): JournalEntry {
  const operation = api.operations.find(({ id }) => id === entry.operation);
  const type = headerValue(entry.requestHeaders, 'Content-Type');
  const redaction = redactionOf(api, operation, hide);
  return {
    ...entry,
    target: redaction.target(entry.target),
    requestHeaders: redaction.headers(entry.requestHeaders),
    requestBody: redaction.body(entry.requestBody, type),
  };
}
