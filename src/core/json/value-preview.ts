import { type JsonValue } from './json-value';
import { stringifyJson } from './stringify-json';

const MAX_LENGTH = 200;

/** A value as findings show it: JSON on one line, not too long. */
export function previewValue(value: JsonValue | undefined): string {
  return value === undefined ? 'nothing' : previewText(stringifyJson(value));
}

/** What a server sent, shortened; a report is not a place for a page of HTML. */
export function previewText(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}
