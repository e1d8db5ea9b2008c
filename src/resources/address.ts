import type { Property } from '../openapi/model';
import type { ResourceDraft } from './draft';
import { variablesOf, type Segment } from './path-template';
import { typesOf } from './schema-reader';

/** `name: projects/a/secrets/b`, or an `id` that is the path. */
export interface ItemAddress {
  readonly member: string;
  /** The item's path, or the end of it, in the form that the member shows. */
  readonly template: string;
  /** The first variable of the path that the template has. */
  readonly from: number;
}

/** What is said of an identifier that is the whole path of a thing. */
const WHOLE_ID = /\b(?:fully[ -]qualified|resource)\b[^.]{0,40}\bid\b/i;

/** How many segments of an item's path are its name, `projects/a/secrets/b`; 0 where it is found by a key alone. */
export function nameLength({ uses }: ResourceDraft): number {
  const named = uses.find(({ isOnItem, operation: { names } }) => isOnItem && names !== undefined);
  return (named?.operation.names?.length ?? 0) * 2;
}

/** The member that shows where an item is found: the `name` of one with a name of several segments, an `id` that is a path. */
export function addressOf(
  draft: ResourceDraft,
  properties: ReadonlyMap<string, Property>,
  key: string,
): ItemAddress | undefined {
  const segments = draft.itemTemplate?.segments ?? [];
  const length = nameLength(draft);
  const name = length > 0 ? properties.get('name') : undefined;
  if (name !== undefined && typesOf(name.schema).includes('string'))
    return { member: 'name', ...templateFrom(segments, segments.length - length) };
  if (key === 'id' || segments.length < 4 || !isWholePath(properties.get('id'))) return undefined;
  const { template, from } = templateFrom(segments, 0);
  return { member: 'id', template: `/${template}`, from };
}

function isWholePath(id: Property | undefined): boolean {
  const told = id?.schema['description'];
  return id?.readOnly === true && typeof told === 'string' && WHOLE_ID.test(told);
}

function templateFrom(segments: readonly Segment[], start: number): Omit<ItemAddress, 'member'> {
  const shown = segments.slice(start).map((each) => (each.kind === 'variable' ? `{${each.name}}` : each.text));
  return { template: shown.join('/'), from: variablesOf(segments.slice(0, start)).length };
}
