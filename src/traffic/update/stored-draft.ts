import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value';
import type { ContractDraft, DraftComment } from '../contract/contract-draft';

/**
 * What a recording keeps of the contract that was made from it, so that a later one can tell what a person changed from
 * what was generated: `{ value, header, comments: [{ pointer, text }] }`, as JSON of one line.
 */
export function storeDraft({ value, header, comments }: ContractDraft): JsonObject {
  return { value, header: [...header], comments: comments.map(({ pointer, text }) => ({ pointer, text })) };
}

/** @returns `undefined` for what is not a stored draft */
export function readStoredDraft(stored: JsonValue | undefined): ContractDraft | undefined {
  if (!isJsonObject(stored)) return undefined;
  const { value, header, comments } = stored;
  if (!isJsonObject(value) || !isTexts(header) || !Array.isArray(comments)) return undefined;
  const read = comments.map(readComment);
  const known = read.filter((comment) => comment !== undefined);
  return known.length === read.length ? { value, header, comments: known } : undefined;
}

function readComment(comment: JsonValue): DraftComment | undefined {
  if (!isJsonObject(comment)) return undefined;
  const { pointer, text } = comment;
  return typeof pointer === 'string' && typeof text === 'string' ? { pointer, text } : undefined;
}

function isTexts(value: JsonValue | undefined): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
