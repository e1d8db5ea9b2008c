import type { Property, Schema } from '../../openapi/model/operation';
import { requestSchema, successSchema } from '../../openapi/view/operation-bodies';
import { lastLiteral, type Segment, variablesOf } from '../../openapi/view/path-template';
import { isScalar, type SchemaView, typesOf } from '../../openapi/view/schema-view';
import type { Inference, OperationUse, ResourceDraft } from '../drafts/draft';
import { type Evidence, HIDDEN_KEY, type ItemAddress, type ItemKey, type ResourceDescription } from '../model/resource';
import { schemaHint } from '../overrides/statements';
import { chooseKey, isIdName, isKeyOfNew, isNameOfKey, isSameKeyName } from './choose-key';
import { keyFromLinks } from './documented-key';

/** What is said of an identifier that is the whole path of a thing. */
const WHOLE_ID = /\b(?:fully[ -]qualified|resource)\b[^.]{0,40}\bid\b/i;

/** How many segments of an item's path are its name, `projects/a/secrets/b`; 0 where it is found by a key alone. */
function nameLength({ uses }: ResourceDraft): number {
  const named = uses.find(({ isOnItem, operation: { names } }) => isOnItem && names !== undefined);
  return (named?.operation.names?.length ?? 0) * 2;
}

/** The property that shows where an item is found: the `name` of one with a name of several segments, an `id` that is a path. */
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

/** What is known of the key of the items. */
interface KnownKey {
  /** Properties of the items. */
  readonly properties: ReadonlyMap<string, Property>;
  /** The property that holds it. */
  readonly key: string;
  /** What the paths of the items call it. */
  readonly variables: readonly string[];
}

/** May be sent when an item is made: a property of what creates one, and not read-only (OAS 3.0.3 §4.7.24). */
function isClientChosen(view: SchemaView, { uses, schema }: ResourceDraft, path: readonly string[]): boolean {
  return uses.some(({ behaviour, request, operation }) => {
    if (behaviour !== 'create' && behaviour !== 'create-many') return false;
    // Where the description forgot the body, a name is the client's to choose, and an id is not.
    if (operation.requestBody === undefined)
      return !/^_?(?:id|gid|sid|uuid|guid)$/.test(path.at(-1) ?? '') && isAccepted(view, schema, path);
    return request?.item !== undefined && isAccepted(view, request.item, path);
  });
}

/**
 * The property that who makes an item must send and that items do not have, which has the name of the variable in their
 * path (`{file_id}`), or of their key with what they are (`new_branch_name`). Where items show no key, it need not be sent,
 * and has the name of the variable without what they are: `number` for `{boxNumber}`.
 */
function keyInCreation(
  view: SchemaView,
  { uses, template }: ResourceDraft,
  { properties, key, variables }: KnownKey,
): { readonly name: string; readonly evidence: Evidence } | undefined {
  const thing = lastLiteral(template.segments);
  const sent = uses.flatMap(({ behaviour, request, operation }) => {
    if (behaviour !== 'create' || request?.item === undefined) return [];
    // The key may stand beside an envelope: `{ thing_name, thing: { … } }`.
    const body = request.path.length > 0 ? view.unwrap(requestSchema(operation)) : undefined;
    return [request.item, body].flatMap((each) => (each === undefined ? [] : [...view.properties(each).values()]));
  });
  const [only, ...others] = sent.filter(
    (each) =>
      !properties.has(each.name) &&
      isScalar(each) &&
      ((key === HIDDEN_KEY && variables.some((name) => isSameKeyName(each.name, name, thing))) ||
        (each.required &&
          ((variables.includes(each.name) && isNameOfKey(each.name)) || isKeyOfNew(each.name, key, thing)))),
  );
  if (only === undefined || others.length > 0) return undefined;
  const text = `key: whoever makes an item chooses it as "${only.name}"`;
  return { name: only.name, evidence: { text, pointer: only.pointer } };
}

function isAccepted(view: SchemaView, item: Schema, [name = '', ...rest]: readonly string[]): boolean {
  if (view.acceptsAnyObject(item)) return true;
  const property = view.properties(item).get(name);
  if (property === undefined || property.readOnly) return false;
  const inner = rest.length === 0 ? undefined : view.schemaOf(property);
  return rest.length === 0 || (inner !== undefined && isAccepted(view, inner, rest));
}
/** A key together with what speaks for it. */
interface FoundKey {
  readonly key: ItemKey;
  readonly confidence: ResourceDescription['confidence'];
  readonly evidence: readonly Evidence[];
}
const NO_KEY: FoundKey = {
  key: { name: HIDDEN_KEY, isHidden: true, propertyPath: [], property: undefined, isClientChosen: false },
  confidence: 'high',
  evidence: [],
};
type KeyProperty = Omit<FoundKey, 'key'> & Pick<ItemKey, 'name' | 'propertyPath'>;
export function keyVariable({ template, depth, isOnItem }: OperationUse): string | undefined {
  const segment = isOnItem ? template.segments[depth] : undefined;
  return segment?.kind === 'variable' ? segment.name : undefined;
}
function createsFirst(left: OperationUse, right: OperationUse): number {
  return Number(right.behaviour === 'create') - Number(left.behaviour === 'create');
}
function usesOfItem(uses: readonly OperationUse[]): OperationUse[] {
  return uses.filter(({ isOnItem, behaviour }) => isOnItem && behaviour !== 'act');
}
/** What the description says of a property of a property. */
function propertyAlong(
  view: SchemaView,
  properties: ReadonlyMap<string, Property>,
  [name, ...rest]: readonly string[],
): Property | undefined {
  const property = name === undefined ? undefined : properties.get(name);
  const inner = property === undefined || rest.length === 0 ? undefined : view.schemaOf(property);
  return rest.length === 0 ? property : inner && propertyAlong(view, view.properties(inner), rest);
}
/** `metadata.name` is a property of a property, unless there is one of that very name. */
function statedKey({ statements, view }: Inference, { template, schema }: ResourceDraft): KeyProperty | undefined {
  const said = statements.resource(template.shape);
  const stated = said?.key === undefined ? schemaHint(schema) : said;
  if (stated?.key === undefined) return undefined;
  const { text, pointer } = stated.evidence;
  const propertyPath = stated.key.split('.');
  const isDeep = propertyPath.length > 1 && !view.properties(schema).has(stated.key);
  const evidence = [{ text: `key: ${text}`, pointer }];
  if (isDeep) return { name: HIDDEN_KEY, propertyPath, confidence: 'stated', evidence };
  return { name: stated.key, propertyPath: [], confidence: 'stated', evidence };
}
function keyOfLink({ uses }: ResourceDraft, properties: ReadonlyMap<string, Property>): KeyProperty | undefined {
  const answering = uses.filter(({ behaviour }) => behaviour === 'create' || behaviour === 'list').sort(createsFirst);
  const variables = new Map(usesOfItem(uses).map((use) => [use.operation.id, keyVariable(use) ?? '']));
  const operations = answering.map(({ operation }) => operation);
  const linked = keyFromLinks(operations, variables, properties);
  return linked && { name: linked.member, propertyPath: [], confidence: 'stated', evidence: [linked.evidence] };
}
/** What stands at the end of a name of several segments is stored beside the item, which shows the whole name. */
function keyInName(draft: ResourceDraft): KeyProperty | undefined {
  if (nameLength(draft) === 0) return undefined;
  const text = 'key: the end of a name of several segments';
  return {
    name: HIDDEN_KEY,
    propertyPath: [],
    confidence: 'high',
    evidence: [{ text, pointer: draft.schema.pointer }],
  };
}
function guessedKey(
  { view }: Inference,
  { uses, schema, template, isMembership }: ResourceDraft,
  properties: ReadonlyMap<string, Property>,
): KeyProperty {
  const onItem = usesOfItem(uses);
  const variables = [...new Set(onItem.flatMap((use) => keyVariable(use) ?? []))];
  const parameter = onItem[0]?.operation.parameters.find(
    ({ in: place, name }) => place === 'path' && name === variables[0],
  );
  const {
    name: property,
    propertyPath,
    text,
    confidence,
  } = chooseKey(
    properties,
    variables,
    parameter,
    // What is put there is no thing of that name, but what the variable names.
    isMembership === true ? (variables[0] ?? '') : lastLiteral(template.segments),
    view,
  );
  const pointer = properties.get(property)?.pointer ?? parameter?.pointer ?? schema.pointer;
  return { name: property, propertyPath, confidence, evidence: [{ text: `key: ${text}`, pointer }] };
}

/** What creations send under the name of the variable is the key, sooner than a property of items that only might be it. */
function findKey(inference: Inference, draft: ResourceDraft, known: Omit<KnownKey, 'key'>): KeyProperty {
  const found =
    statedKey(inference, draft) ??
    keyOfLink(draft, known.properties) ??
    keyInName(draft) ??
    besideTold(inference, draft, known.variables, guessedKey(inference, draft, known.properties));
  const isSure = found.confidence === 'high' || found.confidence === 'stated';
  const sentAs = (key: string): string | undefined => keyInCreation(inference.view, draft, { ...known, key })?.name;
  // The `user_id` that must be sent is what members show as their `id`.
  if (isSure || sentAs(HIDDEN_KEY) === undefined || (found.name === 'id' && isIdName(sentAs('id') ?? ''))) return found;
  return beside(found);
}

/** A key that no property of items holds. */
function beside(found: KeyProperty): KeyProperty {
  return { ...found, name: HIDDEN_KEY, propertyPath: [] };
}

/** No unsure guess but an id is the key where creations answer an id of the very name of the variable: items do not show it. */
function besideTold(
  { view }: Inference,
  { uses }: ResourceDraft,
  variables: readonly string[],
  found: KeyProperty,
): KeyProperty {
  const told = uses.flatMap(({ behaviour, operation }) => {
    const answered = behaviour === 'create' ? view.unwrap(successSchema(operation)) : undefined;
    return answered === undefined ? [] : [...view.properties(answered).values()];
  });
  const isTold = told.some((each) => isScalar(each) && isIdName(each.name) && variables.includes(each.name));
  return found.confidence === 'high' || isIdName(found.name) || !isTold ? found : beside(found);
}

export function itemKeyOf(
  inference: Inference,
  draft: ResourceDraft,
  properties: ReadonlyMap<string, Property>,
): FoundKey {
  if (draft.kind === 'singleton') return NO_KEY;
  const variables = usesOfItem(draft.uses).flatMap((use) => keyVariable(use) ?? []);
  const known = { properties, variables };
  const { name, propertyPath, confidence, evidence } = findKey(inference, draft, known);
  const isOwn = isClientChosen(inference.view, draft, propertyPath.length > 0 ? propertyPath : [name]);
  const chosenAs = isOwn ? undefined : keyInCreation(inference.view, draft, { ...known, key: name });
  return {
    confidence,
    evidence: chosenAs === undefined ? evidence : [...evidence, chosenAs.evidence],
    key: {
      name,
      isHidden: name === HIDDEN_KEY,
      propertyPath,
      property: propertyAlong(inference.view, properties, propertyPath),
      isClientChosen: isOwn || chosenAs !== undefined,
      ...(chosenAs === undefined ? {} : { requestName: chosenAs.name }),
    },
  };
}
