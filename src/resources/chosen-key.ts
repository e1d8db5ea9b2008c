import type { Property, Schema } from '../openapi/model';
import { isFree } from './body-shape';
import type { ResourceDraft } from './draft';
import { isKeyOfNew, isNameOfKey } from './key';
import { isScalar } from './key-elsewhere';
import { lastLiteral } from './path-template';
import type { Evidence } from './resource-model';
import type { SchemaReader } from './schema-reader';

/** What is known of the key of the items. */
interface KnownKey {
  /** Members of the items. */
  readonly properties: ReadonlyMap<string, Property>;
  /** The member that holds it. */
  readonly key: string;
  /** What the paths of the items call it. */
  readonly variables: readonly string[];
}

/** May be sent when an item is made: a member of what creates one, and not read-only (OAS 3.0.3 §4.7.24). */
export function isClientChosen(reader: SchemaReader, { uses }: ResourceDraft, path: readonly string[]): boolean {
  return uses.some(({ behaviour, request }) => {
    if (behaviour !== 'create' && behaviour !== 'create-many') return false;
    return request?.item !== undefined && isTaken(reader, request.item, path);
  });
}

/**
 * The member that whoever makes an item must send and that items do not have, which has the name of the variable in their
 * path (`{file_id}`), or of their key with what they are (`new_branch_name`).
 */
export function chosenUnder(
  reader: SchemaReader,
  { uses, template }: ResourceDraft,
  { properties, key, variables }: KnownKey,
): { readonly name: string; readonly evidence: Evidence } | undefined {
  const thing = lastLiteral(template.segments);
  const sent = uses.flatMap(({ behaviour, request }) =>
    behaviour === 'create' && request?.item !== undefined ? [...reader.members(request.item).values()] : [],
  );
  const [only, ...others] = sent.filter(
    (each) =>
      each.required &&
      !properties.has(each.name) &&
      isScalar(each) &&
      ((variables.includes(each.name) && isNameOfKey(each.name)) || isKeyOfNew(each.name, key, thing)),
  );
  if (only === undefined || others.length > 0) return undefined;
  const text = `key: whoever makes an item chooses it as "${only.name}"`;
  return { name: only.name, evidence: { text, pointer: only.pointer } };
}

function isTaken(reader: SchemaReader, item: Schema, [name = '', ...rest]: readonly string[]): boolean {
  if (isFree(reader, item)) return true;
  const property = reader.members(item).get(name);
  if (property === undefined || property.readOnly) return false;
  const inner = rest.length === 0 ? undefined : reader.member(property);
  return rest.length === 0 || (inner !== undefined && isTaken(reader, inner, rest));
}
