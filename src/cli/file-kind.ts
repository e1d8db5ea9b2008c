import { isJsonObject, type JsonValue } from '../json/json-value';

/**
 * What a file is that should have been a result, in words.
 *
 * @returns `undefined` for what may be a result, be it one with faults, and for what nobody knows
 */
export function otherKindOf(text: string): string | undefined {
  const start = text.trimStart();
  if (start === '') return 'is empty';
  if (/^(?:<!doctype html|<html)/i.test(start)) return 'is HTML';
  if (start.startsWith('<')) return /<testsuites?\b/.test(start) ? 'is a JUnit report' : 'is XML';
  if (!/^[{[]/.test(start)) return 'is no JSON';
  // One line of JSON after the other.
  if (/^\{[^\n]*"format":"ledger\//.test(start)) return 'is a ledger, which standin cleanup takes';
  const root = parse(start);
  return root === undefined ? undefined : kindOfJson(root);
}

function kindOfJson(root: JsonValue): string | undefined {
  if (!isJsonObject(root)) return 'is JSON of another kind';
  if (typeof root['format'] === 'string' && root['format'].startsWith('result/')) return undefined;
  if (root['reportFormat'] === 'CTRF') return 'is a CTRF report';
  if (Array.isArray(root['runs'])) return 'is a SARIF report';
  // A result in which only its mark is missing or wrong is told of member by member.
  return Array.isArray(root['contracts']) ? undefined : 'is JSON of another kind';
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
