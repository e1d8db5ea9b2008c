/** JSON that keeps every digit: an integer that a double cannot hold is a bigint. */
export type Json = null | boolean | number | bigint | string | Json[] | Fields;

/** The members that the Petstore knows, and any other. */
export interface Fields {
  id?: Json | undefined;
  petId?: Json | undefined;
  categoryId?: Json | undefined;
  name?: Json | undefined;
  description?: Json | undefined;
  status?: Json | undefined;
  quantity?: Json | undefined;
  shipDate?: Json | undefined;
  complete?: Json | undefined;
  code?: Json | undefined;
  message?: Json | undefined;
  [other: string]: Json | undefined;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const MARK = '\u0001int:';

/** JSON.parse rounds, so integers beyond 53 bits travel through it as marked strings. */
export function parseJson(text: string): Json | undefined {
  const marked = text.replace(TOKEN, (token) =>
    /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"\\u0001int:${token}"` : token,
  );
  try {
    return JSON.parse(marked, (_, value: unknown) =>
      typeof value === 'string' && value.startsWith(MARK) ? BigInt(value.slice(MARK.length)) : value,
    ) as Json;
  } catch {
    return undefined;
  }
}

export function writeJson(value: Json): string {
  const marked = JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'bigint' ? `${MARK}${member}` : member,
  );
  return marked.replace(/"\\u0001int:(-?\d+)"/g, '$1');
}

export const isFields = (value: Json | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A number or a string as text, to compare ids however they were written. */
export const textOf = (value: Json | undefined): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';

export const omit = (fields: Fields, ...names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
