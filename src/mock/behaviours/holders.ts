import { memberOf, setMember } from '../../json/member';
import { parsePointer } from '../../json/json-pointer';
import { fillTemplate } from '../../resources/collection-name';
import { scalarText } from '../../json/scalar-text';
import { foldedName } from '../../resources/inflection';
import { typesOf } from '../../resources/schema-reader';
import { arrange, violationsOf } from '../conform';
import { FULL_NAMES } from '../example-scope';
import { keeperOf, shownByHolder } from '../holder';
import { showAddress } from '../show-address';
import type { Item, ItemDraft } from '../item';
import type { Key } from '../order';
import { visible } from '../representation';
import type { Task } from './task';

/**
 * Sets the members of an item that are objects and show where it lies, such as its `owner`, whatever was sent in them:
 * the path tells. One whose schema does not take that stays as it is.
 */
export function showHolders(task: Task, item: ItemDraft): void {
  const { resource, scope } = task;
  showFullName(task, item);
  showAddress(task.resource, task.scope.values, item);
  for (const [index, variable] of resource.scope.entries()) {
    const { holder } = variable;
    const value = scope.values[index];
    if (holder === undefined || value === undefined) continue;
    const held = memberOf(item, holder.member);
    for (const shown of shownByHolder(holder, held, value, keptItem(task, keeperOf(resource, variable), value))) {
      const violations = violationsOf(resource, arrange(resource, { ...item, [holder.member]: shown }));
      const isGood = violations.every(
        ({ pointer, member = '' }) => (parsePointer(pointer)[0] ?? member) !== holder.member,
      );
      if (isGood) setMember(item, holder.member, shown);
    }
  }
}

/** `full_name: ada/emma`: where the item lies, and its key. */
function showFullName({ resource, scope }: Task, item: ItemDraft): void {
  const key = memberOf(item, resource.keyMember);
  if (scope.values.length === 0 || key === undefined) return;
  for (const { name, schema } of resource.properties.values()) {
    if (!FULL_NAMES.has(foldedName(name)) || !typesOf(schema).includes('string')) continue;
    setMember(item, name, [...scope.values, scalarText(key)].join('/'));
  }
}

function keptItem({ resources, scope, draft }: Task, path: string | undefined, value: Key): Item | undefined {
  const parent = path === undefined ? undefined : resources.get(path);
  const key = parent?.toKey(value);
  if (parent === undefined || key === undefined) return undefined;
  const item = draft.get(fillTemplate(parent.path, scope.values.slice(0, parent.scope.length)), key);
  return item === undefined ? undefined : visible(item, parent);
}
