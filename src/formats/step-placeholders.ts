import { joinPointer } from '../json/json-pointer';
import type { Expectation, Step, StepBody } from './contract';
import { placeholdersOfMatcher } from './fill-matcher';
import { placeholdersIn, type Placeholder } from './placeholders';

const OF_STEPS = new WeakMap<Step, readonly Placeholder[]>();

/** Every placeholder that a step needs a value for. */
export function placeholdersOf(step: Step): readonly Placeholder[] {
  let known = OF_STEPS.get(step);
  if (known === undefined) {
    const { expect, repeat } = step;
    known = [
      ...sentPlaceholdersOf(step),
      ...placeholdersOfExpectation(expect),
      ...(repeat === undefined ? [] : placeholdersOfExpectation(repeat.until)),
    ];
    OF_STEPS.set(step, known);
  }
  return known;
}

/** Those that its request needs. */
export function sentPlaceholdersOf({ pointer, request, headers, body }: Step): Placeholder[] {
  const at = (...segments: string[]): string => segments.reduce(joinPointer, pointer);
  const parameters = request.kind === 'operation' ? request.parameters : [];
  return [
    ...(request.kind === 'raw' ? placeholdersIn(request.path, at('path')) : []),
    ...parameters.flatMap(({ name, value }) => placeholdersIn(value, at('parameters', name))),
    ...headers.flatMap(({ name, value }) => placeholdersIn(value, at('headers', name))),
    ...(body === undefined ? [] : placeholdersOfBody(body, at)),
  ];
}

function placeholdersOfBody(body: StepBody, at: (name: string) => string): Placeholder[] {
  switch (body.kind) {
    case 'json':
      return placeholdersIn(body.value, at('body'));
    case 'text':
      return placeholdersIn(body.text, at('text'));
    case 'form':
      return placeholdersIn(body.fields, at('form'));
    case 'multipart':
      return body.parts.flatMap((part) => {
        return part.kind === 'value'
          ? placeholdersIn(part.value, part.pointer)
          : placeholdersIn(part.fileName, part.pointer);
      });
    case 'file':
      return [];
  }
}

function placeholdersOfExpectation({ body, headers }: Expectation): Placeholder[] {
  return [
    ...(body === undefined ? [] : placeholdersOfMatcher(body)),
    ...headers.flatMap(({ matcher }) => placeholdersOfMatcher(matcher)),
  ];
}
