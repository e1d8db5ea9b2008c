import type { JsonValue } from '../core/json/json-value';
import type { Parameter } from '../openapi/model/operation';
import type { FlatSchema } from '../payload/sampler/flat-schema';
import { samplerOf } from '../payload/sampler/sampler';
import type { Draft } from './draft';
import { type Kind, refusals } from './subject';

/** A text that is longer says nothing new. */
const LONGEST_TEXT = 4096;

/** Parameters of a list that the description does not allow: rejected. */
export function addListRejections(draft: Draft, subject: Kind): void {
  const list = subject.of('list');
  if (list === undefined || refusals(list.operation).length === 0) return;
  const scope = draft.scopeOf(subject.resource);
  if (scope === undefined) return;
  // Below what was made up nothing may be there, and a service may say that first.
  const status = [...refusals(list.operation), ...(draft.isMadeUp(scope) ? [404, 410] : [])];
  for (const parameter of list.operation.parameters.filter(({ in: place }) => place === 'query')) {
    for (const { words, value } of wrongValues(draft, parameter)) {
      draft.add('steps', {
        name: `list with ${words}`,
        ...draft.beside({ scope }, list, { [parameter.name]: value }),
        expect: { status },
      });
    }
  }
}

interface WrongValue {
  readonly words: string;
  readonly value: JsonValue;
}

function wrongValues(draft: Draft, { schema, name, contentType }: Parameter): WrongValue[] {
  if (schema === undefined || contentType !== undefined) return [];
  const flat = samplerOf(draft.api).nodeOf(schema, 'request').flat;
  const all = [...wrongTypes(flat, name), ...beyondBounds(flat, name)];
  return all.filter(({ value }) => !schema.accepts(value, 'request'));
}

function wrongTypes({ types }: FlatSchema, name: string): WrongValue[] {
  if (types === undefined || types.has('string')) return [];
  const word = { words: `a word as ${name}`, value: 'many' };
  if (types.has('boolean')) return [word];
  if (!types.has('integer') && !types.has('number')) return [];
  return [word, ...(types.has('number') ? [] : [{ words: `a fraction as ${name}`, value: '1.5' }])];
}

function beyondBounds({ types, minimum, maximum, values, maxLength }: FlatSchema, name: string): WrongValue[] {
  const [first] = values ?? [];
  const isFree = types?.has('string') === true && values === undefined;
  return [
    ...(typeof minimum === 'number' ? [{ words: `${name} below its least`, value: minimum - 1 }] : []),
    ...(typeof maximum === 'number' && Number.isSafeInteger(maximum + 1)
      ? [{ words: `${name} above its most`, value: maximum + 1 }]
      : []),
    ...(typeof first === 'string' ? [{ words: `another word as ${name}`, value: `${first}-other` }] : []),
    ...(isFree && maxLength < LONGEST_TEXT ? [{ words: `too long a ${name}`, value: 'x'.repeat(maxLength + 1) }] : []),
  ];
}
