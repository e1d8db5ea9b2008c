import { isJsonObject, type JsonValue } from '../../json/json-value';
import { stringifyJson } from '../../json/stringify-json';
import { errorRole } from '../../openapi/error-schema';
import type { ObservedResponse } from './response-check';

const LONGEST = 200;

/** A value as findings show it: JSON on one line, not too long. */
export function shownValue(value: JsonValue | undefined): string {
  return value === undefined ? 'nothing' : shownText(stringifyJson(value));
}

/** What a server sent, shortened; a report is no place for a page of HTML. */
export function shownText(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** The status with what the error object says about it: `422 unknown_reference: no book has the id 9`. */
export function shownStatus({ status, body }: ObservedResponse): string {
  if (status < 400 || body.kind !== 'json' || !isJsonObject(body.value)) return String(status);
  const words = (['code', 'message'] as const).flatMap((role) => {
    const member = Object.entries(body.value as object).find(([name]) => errorRole(name) === role);
    return typeof member?.[1] === 'string' ? [member[1]] : [];
  });
  return shownText([status, words.join(': ')].join(' ').trim());
}
