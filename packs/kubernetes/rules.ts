// Selectors of the Kubernetes API: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/
import type { FilterEvent, Item, JsonValue, Rules } from 'standin';

type Test = (item: Item) => boolean;

/** What stands at the end of members that lead on from an item. */
function valueAt(item: Item, path: readonly string[]): JsonValue | undefined {
  let at: unknown = item;
  for (const name of path)
    at = typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? at[name as never] : undefined;
  return at as JsonValue | undefined;
}

const KEY = String.raw`[A-Za-z0-9][\w./-]*`;
const SET = new RegExp(String.raw`^(${KEY})\s+(in|notin)\s*\(([^()]*)\)$`);
const EQUAL = new RegExp(String.raw`^(${KEY})\s*(==|=|!=)\s*([\w.-]*)$`);
const THERE = new RegExp(`^(!?)\\s*(${KEY})$`);

/** `app=web,tier notin (db, cache),!old`: all of them must hold. */
function labelSelector(event: FilterEvent): Test | undefined {
  const { value } = event;
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  // A comma within parentheses belongs to a set.
  const tests = value.split(/,(?![^(]*\))/).map((text): Test => {
    const requirement = text.trim();
    const label = (item: Item, key: string): JsonValue | undefined => valueAt(item, ['metadata', 'labels', key]);
    const [, setKey, operator, list = ''] = SET.exec(requirement) ?? [];
    if (setKey !== undefined) {
      const wanted = list.split(',').map((each) => each.trim());
      return (item) => wanted.some((each) => each === label(item, setKey)) === (operator === 'in');
    }
    const [, key, sign, wanted] = EQUAL.exec(requirement) ?? [];
    if (key !== undefined) return (item) => (label(item, key) === wanted) === (sign !== '!=');
    const [, absent, named] = THERE.exec(requirement) ?? [];
    if (named !== undefined) return (item) => (label(item, named) === undefined) === (absent === '!');
    return event.refuse(400, 'bad_request', `unable to parse requirement: "${requirement}" is no label selector`);
  });
  return (item) => tests.every((test) => test(item));
}

/** `metadata.name=web,status.phase!=Running`: all of them must hold. */
function fieldSelector(event: FilterEvent): Test | undefined {
  const { value } = event;
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const tests = value.split(',').map((text): Test => {
    const [, path, sign, wanted] = /^\s*([\w.]+)\s*(==|=|!=)\s*(.*?)\s*$/.exec(text) ?? [];
    if (path === undefined) return event.refuse(400, 'bad_request', `"${text}" is no field selector`);
    // A field that is not set is compared as an empty text.
    return (item) => (textOf(valueAt(item, path.split('.'))) === wanted) === (sign !== '!=');
  });
  return (item) => tests.every((test) => test(item));
}

function textOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const rules: Rules = {
  standin: 'rules/1',
  beginning: 'seeded',
  filters: { labelSelector, fieldSelector },
};

export default rules;
