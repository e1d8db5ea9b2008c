import { joinPointer } from '../json/json-pointer';
import type { Operation, Schema } from '../openapi/model';
import { valueAt } from '../openapi/source-document';
import { requestSchema, successSchema } from './bodies';
import { listShape, shapeHolding } from './body-shape';
import { toUse } from './collections';
import { schemaName, type Inference, type ResourceDraft, type Use } from './draft';
import { foldedName } from './inflection';
import { chooseKey } from './key';
import { lastLiteral } from './path-template';
import type { PathNode } from './path-index';
import type { BodyShape, Part, ResourceDescription } from './resource-model';

/**
 * Binds what is below an item and a member of it at once, where lists of entries are sent there: `/things/{id}/labels` of a
 * thing that shows its `labels`. A GET answers the member, a POST adds to it, a PUT replaces it, a DELETE clears it, and
 * `/things/{id}/labels/{name}` is one entry of it. What has items of its own there is a collection, and stays one.
 */
export function bindParts(inference: Inference, drafts: Map<string, ResourceDraft>): void {
  for (const draft of [...drafts.values()]) {
    if (draft.itemTemplate === undefined) continue;
    const { shape } = draft.itemTemplate;
    for (const member of inference.reader.members(draft.schema).values()) {
      const place = inference.reader.member(member);
      const entry = place === undefined ? undefined : inference.reader.items(place);
      const node = entry === undefined ? undefined : nodeNamed(inference, shape, member.name);
      if (node === undefined || entry === undefined) continue;
      const uses = usesOfPart(inference, draft, node, member.name);
      if (uses.length === 0) continue;
      drafts.delete(node.template.shape);
      draft.uses.push(...uses);
    }
  }
}

/** The place below an item that is called as a member of it is. */
function nodeNamed({ index }: Inference, itemShape: string, member: string): PathNode | undefined {
  const written = index.nodes.get(`${itemShape}/${member}`);
  if (written !== undefined) return written;
  return [...index.nodes.values()].find(({ template: { shape, segments } }) => {
    const last = segments.at(-1);
    return (
      last?.kind === 'literal' && shape === `${itemShape}/${last.text}` && foldedName(last.text) === foldedName(member)
    );
  });
}

function usesOfPart(inference: Inference, draft: ResourceDraft, node: PathNode, member: string): Use[] {
  const { index } = inference;
  const onEntry = index.nodes.get(`${node.template.shape}/{}`)?.operations ?? [];
  const isOwn = onEntry.some((each) => index.methodOf(each) === 'GET' && successSchema(each) !== undefined);
  const name = lastLiteral(node.template.segments);
  const sends = node.operations.some(
    (each) => index.methodOf(each) !== 'GET' && takesEntries(inference, requestSchema(each), name),
  );
  if (isOwn || !sends) return [];
  const lists = node.operations.flatMap((each) => rowsOf(inference, successSchema(each), name) ?? []);
  const row = lists[0]?.item;
  const parameter = onEntry[0] === undefined ? undefined : lastVariable(inference, onEntry[0]);
  const key = row === undefined ? undefined : keyOfEntries(inference, row, parameter ?? 'name', name);
  const use = (operation: Operation, isOne: boolean): Use[] => {
    const does = DOES[isOne ? 'one' : 'all'][index.methodOf(operation)];
    if (does === undefined || (does === 'remove' && isBodyIgnored(inference, operation))) return [];
    const response = answered(inference, operation, draft, name);
    const part: Part = { member, does, row, key, parameter: isOne ? parameter : undefined };
    const parts = {
      depth: draft.template.segments.length,
      isOnItem: true,
      request: undefined,
      response,
      part,
    } as const;
    const text = `${TEXTS[does]} "${member}" of ${schemaName(draft.schema)}`;
    return [toUse(inference, operation, 'part', { ...parts, confidence: 'medium', text })];
  };
  return [...node.operations.flatMap((each) => use(each, false)), ...onEntry.flatMap((each) => use(each, true))];
}

function lastVariable({ index }: Inference, operation: Operation): string | undefined {
  const segment = index.templateOf(operation)?.segments.at(-1);
  return segment?.kind === 'variable' ? segment.name : undefined;
}

function keyOfEntries({ reader }: Inference, row: Schema, variable: string, name: string): string | undefined {
  return reader.isObject(row) ? chooseKey(reader.members(row), [variable], undefined, name, reader).member : undefined;
}

const DOES: Readonly<Record<'all' | 'one', Readonly<Partial<Record<string, Part['does']>>>>> = {
  all: { GET: 'list', POST: 'add', PUT: 'replace', PATCH: 'add', DELETE: 'remove' },
  one: { GET: 'list', PUT: 'add', POST: 'add', DELETE: 'remove' },
};

const TEXTS: Readonly<Record<Part['does'], string>> = {
  list: 'answers',
  add: 'adds to',
  replace: 'replaces',
  remove: 'removes from',
};

/** Is a list of entries sent: as the body, or as its member of that name? */
function takesEntries({ reader }: Inference, schema: Schema | undefined, name: string): boolean {
  const body = reader.unwrap(schema);
  if (body === undefined) return false;
  if (reader.items(body) !== undefined) return true;
  const member = [...reader.members(body).values()].find((each) => foldedName(each.name) === foldedName(name));
  const held = member === undefined ? undefined : reader.member(member);
  return held !== undefined && reader.items(held) !== undefined;
}

/** Is a body declared that says which entries, and that the version of the description gives no meaning (OAS 3.0.3 §4.7.10)? */
function isBodyIgnored({ api }: Inference, { requestBody, pointer }: Operation): boolean {
  return requestBody === undefined && valueAt(api.document, joinPointer(pointer, 'requestBody')) !== undefined;
}

/** The whole item, or the entries, where an answer has either. */
function answered(
  inference: Inference,
  operation: Operation,
  draft: ResourceDraft,
  name: string,
): BodyShape | undefined {
  const schema = successSchema(operation);
  const whole = shapeHolding(inference.reader, schema, draft.schema, name);
  if (whole?.form === 'item' && whole.item !== undefined && inference.reader.areSame(whole.item, draft.schema))
    return whole;
  return rowsOf(inference, schema, name);
}

/** Where entries stand in an answer, be they objects or not. */
function rowsOf({ reader }: Inference, schema: Schema | undefined, name: string): BodyShape | undefined {
  const list = listShape(reader, schema, name);
  const body = reader.unwrap(schema);
  if (list?.form === 'list' || body === undefined) return list;
  const at = (path: string[], place: Schema): BodyShape | undefined => {
    const item = reader.items(place);
    return item && { form: 'list', path, item, body, siblings: [], layout: 'plain' };
  };
  const member = [...reader.members(body).values()].find((each) => foldedName(each.name) === foldedName(name));
  const held = member === undefined ? undefined : reader.member(member);
  return at([], body) ?? (held === undefined || member === undefined ? undefined : at([member.name], held));
}

/** A use of a part, with the collection that keeps its entries: one of that name and shape in the same place, else one of all. */
export function withKept(
  { reader }: Inference,
  use: Use,
  { scope }: ResourceDescription,
  resources: readonly ResourceDescription[],
): Use {
  const { part } = use;
  const { row, key } = part ?? {};
  if (part === undefined || row === undefined || key === undefined) return use;
  const isNamed = ({ path }: ResourceDescription): boolean =>
    foldedName(path.split('/').at(-1) ?? '') === foldedName(part.member);
  const [kept] = resources
    .filter((other) => other.kind === 'collection' && other.key.member === key && reader.areSame(other.schema, row))
    .filter((other) => other.scope.every(({ name }, index) => scope[index]?.name === name))
    .sort((left, right) => Number(isNamed(right)) - Number(isNamed(left)) || right.scope.length - left.scope.length);
  return kept === undefined ? use : { ...use, part: { ...part, kept: kept.path } };
}
