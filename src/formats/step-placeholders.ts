import { joinPointer } from '../json/json-pointer';
import type { Step } from './contract';
import { placeholdersOfMatcher } from './fill-matcher';
import { placeholdersIn, type Placeholder } from './placeholders';

/** Every placeholder that a step needs a value for. */
export function placeholdersOf({ pointer, request, headers, body, expect }: Step): Placeholder[] {
  const at = (...segments: string[]): string => segments.reduce(joinPointer, pointer);
  const parameters = request.kind === 'operation' ? request.parameters : [];
  return [
    ...(request.kind === 'raw' ? placeholdersIn(request.path, at('path')) : []),
    ...parameters.flatMap(({ name, value }) => placeholdersIn(value, at('parameters', name))),
    ...headers.flatMap(({ name, value }) => placeholdersIn(value, at('headers', name))),
    ...(body?.kind === 'json' ? placeholdersIn(body.value, at('body')) : []),
    ...(body?.kind === 'text' ? placeholdersIn(body.text, at('text')) : []),
    ...(expect.body === undefined ? [] : placeholdersOfMatcher(expect.body)),
    ...expect.headers.flatMap(({ matcher }) => placeholdersOfMatcher(matcher)),
  ];
}
