import { isEquivalentText, isSameValue } from '../../checks/run/sent-values';
import { keyText } from '../../checks/run/observed-item';
import type { Finding } from '../../core/errors/finding';
import { joinPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue, ownProperty, valueAlong } from '../../core/json/json-value';
import { previewValue } from '../../core/json/stringify-json';
import { parseRfc3339 } from '../../core/time/date-time';
import type { Operation, Property } from '../../openapi/model/operation';
import type { ResourceDescription } from '../../resources/model/resource';
import type { PairedItem, PairedItems, Written } from './paired-items';

/** A difference before it is known of which step it is. */
export type Difference = Pick<Finding, 'severity' | 'at' | 'message' | 'expected' | 'actual' | 'spec'>;

/** One item as both sides show it. */
export interface ShownItem {
  /** JSON pointer in the body. */
  readonly at: string;
  readonly target: JsonObject;
  readonly mock: JsonObject;
  /** What is known of it; `undefined` for one that the run neither made nor wrote to. */
  readonly pair: PairedItem | undefined;
  /** Was it made by the request whose response this is? */
  readonly isNew: boolean;
  /** Does the request ask for some of the properties alone? */
  readonly isSparse: boolean;
  readonly operation: Operation;
}

/**
 * Compares an item property by property. Only what follows from the run is: what it sent comes back, defaults of the
 * description hold for what it just made, what a rule sets is set, and keys of other items lead to the same ones. All
 * else is the service's own: times, tokens, revisions, made-up values.
 */
export function compareItem(items: PairedItems, resource: ResourceDescription, shown: ShownItem): Difference[] {
  const { pair, target, mock, at } = shown;
  const differences = [...resource.properties.values()].flatMap((property): Difference[] => {
    const { name } = property;
    if (property.writeOnly || (!resource.key.isHidden && name === resource.key.name)) return [];
    const place = joinPointer(at, name);
    const values = { target: ownProperty(target, name), mock: ownProperty(mock, name), property, at: place };
    const written = pair?.written.get(name);
    if (pair === undefined || written === undefined) return compareReference(items, resource, values);
    const found = compareWritten(written, values, shown, items.wasShown(shown.operation, name));
    if (found.length > 0) {
      // Once for each item: every later read of it would say the same.
      pair.written.delete(name);
      pair.isAltered = true;
    }
    return found;
  });
  items.noteShown(shown.operation, target);
  return differences;
}

interface Values {
  readonly target: JsonValue | undefined;
  readonly mock: JsonValue | undefined;
  readonly property: Property;
  readonly at: string;
}

/** @param wasShown - has the operation shown the property before? */
function compareWritten(written: Written, values: Values, shown: ShownItem, wasShown: boolean): Difference[] {
  switch (written.kind) {
    case 'sent':
      return compareSent(written, values, shown.isSparse, wasShown);
    case 'default':
      return compareDefault(written, values, shown);
    case 'effect':
      return compareEffect(written, values);
    case 'cleared':
      return compareCleared(written, values);
  }
}

function compareSent(
  written: Extract<Written, { kind: 'sent' }>,
  { target, mock, property, at }: Values,
  isSparse: boolean,
  wasShown: boolean,
): Difference[] {
  const { schema, name, pointer } = property;
  // Only what the mock shows as it was sent has to come back at the target, too.
  if (mock === undefined || !isSameValue(written.mock, mock, schema)) return [];
  if (isSameValue(written.target, target, schema) || isEquivalentText(written.target, target, schema)) return [];
  // What is kept and not told is no fault; that it is another value is one, and that it is not told any more.
  if (target === undefined && (isSparse || !wasShown)) return [];
  return [
    {
      // A service may move a time to what it can keep: to a whole second, or into the present.
      severity: isTime(written.target) && isTime(target) ? 'warning' : 'error',
      at,
      message: `"${name}" is not what was sent`,
      expected: previewValue(written.target),
      actual: target === undefined ? 'no such property' : previewValue(target),
      spec: pointer,
    },
  ];
}

function isTime(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && parseRfc3339(value) !== undefined;
}

/** A value that was not sent is the default of the description (OAS 3.0.3 §4.7.24.1), until something changes it. */
function compareDefault(
  { isStated }: Extract<Written, { kind: 'default' }>,
  { target, mock, property, at }: Values,
  { isNew }: ShownItem,
): Difference[] {
  const { schema, name, pointer } = property;
  const meant = schema['default'];
  if (meant === undefined || target === undefined || mock === undefined) return [];
  // Later on a service may have gone on with it by itself.
  if (!isNew && !isStated) return [];
  if (!isSameValue(meant, mock, schema) || isSameValue(meant, target, schema)) return [];
  return [
    {
      severity: 'error',
      at,
      message: `"${name}" was not sent, and is not its default`,
      expected: previewValue(meant),
      actual: previewValue(target),
      spec: pointer,
    },
  ];
}

function compareEffect(
  { isStated }: Extract<Written, { kind: 'effect' }>,
  { target, mock, property, at }: Values,
): Difference[] {
  const { schema, name, pointer } = property;
  if (target === undefined || mock === undefined || isSameValue(mock, target, schema)) return [];
  return [
    {
      severity: isStated ? 'error' : 'warning',
      at,
      message: `"${name}" is not what the request makes of it`,
      expected: previewValue(mock),
      actual: previewValue(target),
      spec: pointer,
    },
  ];
}

/** What a PUT leaves out is gone, or begins anew (RFC 9110 §9.3.4). */
function compareCleared(
  { before }: Extract<Written, { kind: 'cleared' }>,
  { target, mock, property, at }: Values,
): Difference[] {
  const { schema, name, pointer } = property;
  const isSecondBeginning = isSameValue(before, mock, schema);
  if (target === undefined || before === null || isSecondBeginning || !isSameValue(before, target, schema)) return [];
  return [
    {
      severity: 'error',
      at,
      message: `"${name}" stays, although a replacement left it out`,
      expected: mock === undefined ? 'no such property' : previewValue(mock),
      actual: previewValue(target),
      spec: pointer,
    },
  ];
}

/** A key of another item, which the run did not send here, leads to the same one at both sides. */
function compareReference(items: PairedItems, resource: ResourceDescription, values: Values): Difference[] {
  const { name, pointer } = values.property;
  const scope = resource.scope.find(({ property }) => property === name);
  const reference = resource.references.find(({ property, form }) => property === name && form === 'key');
  const to = reference?.to ?? scope?.parent;
  const [there, here] = [keyText(values.target), keyText(values.mock)];
  if (to === undefined || there === undefined || here === undefined) return [];
  const meant = items.byKey(to, 'mock', here);
  if (meant === undefined || meant.target === there) return [];
  return [
    {
      severity: 'error',
      at: values.at,
      message: `"${name}" names another item than it should`,
      expected: previewValue(meant.target),
      actual: previewValue(values.target),
      spec: pointer,
    },
  ];
}

/** An item in a body, at the end of a path; a resource object of JSON:API is the same with its attributes. */
export function itemIn(body: JsonValue | undefined, path: readonly string[]): JsonObject | undefined {
  const found = valueAlong(body, path);
  return isJsonObject(found) ? found : undefined;
}
