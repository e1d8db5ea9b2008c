import { type JsonValue, setProperty } from '../../core/json/json-value';
import { isSameValue } from '../../checks/run/sent-values';
import type { Call } from '../flow/call';
import { isKeyAlike, keyPath, type ShownItem } from '../flow/producers';
import type { OwnThing } from './own-things';
import type { StepContext } from './step-context';

/** What an own thing has: its key, and what was sent of it. */
export function expectedItem(
  context: StepContext,
  { binding }: Call,
  thing: OwnThing,
  { item }: ShownItem,
  withKey: boolean,
): Record<string, JsonValue> {
  const expected: Record<string, JsonValue> = {};
  const key = context.plan.keyPlaceholder(thing.resource, thing.key);
  const [property, ...inner] = binding === undefined ? [] : keyPath(binding.resource);
  const isAlike = property !== undefined && Object.hasOwn(item, property) && isKeyAlike(thing.madeBy, item[property]);
  if (withKey && key !== undefined && isAlike)
    setProperty(
      expected,
      property,
      inner.reduceRight<JsonValue>((value, name) => ({ [name]: value }), key),
    );
  for (const [name, { recorded, written }] of thing.known) {
    if (Object.hasOwn(item, name) && isSameValue(recorded, item[name]) && name !== property)
      setProperty(expected, name, written);
  }
  return expected;
}
