import { withArticle } from '../traffic/contract/names';
import { written } from './bodies';
import type { Draft } from './draft';
import { bodyShowing, itemOf } from './expectations';
import { findKeyHeader, keyOfRun } from './idempotency-key';
import { type Subject, successStatuses } from './subject';

/** Says the description that a key is refused with another request than its first? */
function saysRefused(text: string, noun: string): boolean {
  const things = ['body', 'payload', 'request', 'content', 'parameters', 'data', ...noun.split(' ')];
  return new RegExp(`\\b(?:another|different|other|changed) (?:\\w+ )?(?:${things.join('|')})\\b`, 'i').test(text);
}

/** A creation that is sent again with its key: what was made comes back, and nothing else is made. */
export function addRepetition(draft: Draft, subject: Subject): void {
  const { create } = subject;
  const parameter = findKeyHeader(create.operation);
  const key = parameter && keyOfRun(parameter, `${draft.noun} repeated`);
  const own = key === undefined || subject.comesWith !== undefined ? undefined : draft.ingredients(subject);
  if (parameter === undefined || own === undefined) return;
  const { noun } = draft;
  const parameters = { [parameter.name]: key ?? null };
  const request = draft.beside(own, create, parameters);
  const thing = draft.make(own, 'setup', `add ${withArticle(noun)} with an ${parameter.name}`, { parameters });
  const shown = itemOf(subject.resource, thing.key) ?? {};
  const status = successStatuses(create.operation, [201, 200]);
  draft.add('steps', {
    name: `add the ${noun} again with the same ${parameter.name}: it is the same ${noun}`,
    ...request,
    body: written(own.plain, own.substitutions),
    expect: { status, ...bodyShowing(draft.api, create, shown) },
  });
  const other = draft.ingredients(subject);
  const text = [parameter.description, create.operation.description].join(' ');
  if (other === undefined || !saysRefused(text, noun)) return;
  draft.add('steps', {
    name: `add another ${noun} with the ${parameter.name} of the first`,
    ...request,
    body: written(other.plain, other.substitutions),
    expect: { status: [400, 409, 422] },
  });
}
