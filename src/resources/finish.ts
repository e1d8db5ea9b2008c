import type { Operation, Property } from '../openapi/model';
import { addressOf, nameLength } from './address';
import { anchorsOf } from './list-anchors';
import { askedInBody } from './asked-in-body';
import { attributesEvidence, attributesOf } from './attributes';
import { leastConfidence, schemaName, type Inference, type ResourceDraft, type Use } from './draft';
import { foldedName, singularWords } from './inflection';
import { chooseKey } from './key';
import { chosenUnder, isClientChosen } from './chosen-key';
import { schemaHint } from './hints';
import { keyFromLinks } from './links';
import { meaningOfCreation } from './meaning-of-creation';
import { listParameters, NO_LIST_PARAMETERS } from './list-parameters';
import { lastLiteral, type PathTemplate, type Segment } from './path-template';
import {
  HIDDEN_KEY,
  type Binding,
  type Evidence,
  type ItemKey,
  type ListParameters,
  type Part,
  type ResourceDescription,
  type Restriction,
  type ScopeVariable,
} from './resource-model';
import type { SchemaReader } from './schema-reader';
import { hiddenMember, memberForVariable } from './scope';
import type { UsualOrder } from './told-order';

/** The path of the collection whose items a variable names, by its index among the segments of a path. */
export type ParentAt = (segments: readonly Segment[], index: number) => string | undefined;

/** Turns a draft into the description of a resource: chooses its key and says what its path is scoped by. */
export function finishResource(
  inference: Inference,
  draft: ResourceDraft,
  parentAt: ParentAt,
): Omit<ResourceDescription, 'references' | 'counts'> {
  const properties = inference.reader.members(draft.schema);
  const { key, confidence, evidence } = keyOf(inference, draft, properties);
  const { template, itemTemplate, kind, schema } = draft;
  const attributes = attributesOf(inference.reader, schema);
  return {
    path: template.path,
    kind,
    name: singularWords(lastLiteral(template.segments)).join(' '),
    itemPath: itemTemplate?.path,
    scope: scopeOf(template.segments, properties, key.member, parentAt),
    key,
    schema,
    properties,
    attributes,
    address: addressOf(draft, properties, key.member),
    isMembership: draft.isMembership === true,
    shows: undefined,
    confidence: leastConfidence(draft.confidence === 'stated' ? 'high' : draft.confidence, confidence),
    evidence: [...draft.evidence, ...evidence, ...attributesEvidence(attributes, schemaName(schema), schema)],
  };
}

/** A key together with what speaks for it. */
interface FoundKey {
  readonly key: ItemKey;
  readonly confidence: ResourceDescription['confidence'];
  readonly evidence: readonly Evidence[];
}

const NO_KEY: FoundKey = {
  key: { member: HIDDEN_KEY, isHidden: true, shownAt: [], property: undefined, isClientChosen: false },
  confidence: 'high',
  evidence: [],
};

function keyOf(inference: Inference, draft: ResourceDraft, properties: ReadonlyMap<string, Property>): FoundKey {
  if (draft.kind === 'singleton') return NO_KEY;
  const found =
    statedKey(inference, draft) ??
    linkedKey(draft, properties) ??
    keyInName(draft) ??
    guessedKey(inference, draft, properties);
  const { member, shownAt, confidence, evidence } = found;
  const isOwn = isClientChosen(inference.reader, draft, shownAt.length > 0 ? shownAt : [member]);
  const variables = usesOfItem(draft.uses).flatMap((use) => keyVariable(use) ?? []);
  const chosenAs = isOwn ? undefined : chosenUnder(inference.reader, draft, { properties, key: member, variables });
  return {
    confidence,
    evidence: chosenAs === undefined ? evidence : [...evidence, chosenAs.evidence],
    key: {
      member,
      isHidden: member === HIDDEN_KEY,
      shownAt,
      property: propertyAlong(inference.reader, properties, shownAt),
      isClientChosen: isOwn || chosenAs !== undefined,
      ...(chosenAs === undefined ? {} : { chosenAs: chosenAs.name }),
    },
  };
}

type KeyMember = Omit<FoundKey, 'key'> & Pick<ItemKey, 'member' | 'shownAt'>;

/** `metadata.name` is a member of a member, unless there is one of that very name. */
function statedKey({ statements, reader }: Inference, { template, schema }: ResourceDraft): KeyMember | undefined {
  const said = statements.resource(template.shape);
  const stated = said?.key === undefined ? schemaHint(schema) : said;
  if (stated?.key === undefined) return undefined;
  const { text, pointer } = stated.evidence;
  const shownAt = stated.key.split('.');
  const isDeep = shownAt.length > 1 && !reader.members(schema).has(stated.key);
  const evidence = [{ text: `key: ${text}`, pointer }];
  if (isDeep) return { member: HIDDEN_KEY, shownAt, confidence: 'stated', evidence };
  return { member: stated.key, shownAt: [], confidence: 'stated', evidence };
}

function linkedKey({ uses }: ResourceDraft, properties: ReadonlyMap<string, Property>): KeyMember | undefined {
  const answering = uses.filter(({ behaviour }) => behaviour === 'create' || behaviour === 'list').sort(createFirst);
  const variables = new Map(usesOfItem(uses).map((use) => [use.operation.id, keyVariable(use) ?? '']));
  const operations = answering.map(({ operation }) => operation);
  const linked = keyFromLinks(operations, variables, properties);
  return linked && { member: linked.member, shownAt: [], confidence: 'stated', evidence: [linked.evidence] };
}

/** What stands at the end of a name of several segments is kept beside the item, which shows the whole name. */
function keyInName(draft: ResourceDraft): KeyMember | undefined {
  if (nameLength(draft) === 0) return undefined;
  const text = 'key: the end of a name of several segments';
  return { member: HIDDEN_KEY, shownAt: [], confidence: 'high', evidence: [{ text, pointer: draft.schema.pointer }] };
}

function guessedKey(
  { reader }: Inference,
  { uses, schema, template, isMembership }: ResourceDraft,
  properties: ReadonlyMap<string, Property>,
): KeyMember {
  const onItem = usesOfItem(uses);
  const variables = [...new Set(onItem.flatMap((use) => keyVariable(use) ?? []))];
  const parameter = onItem[0]?.operation.parameters.find(
    ({ in: place, name }) => place === 'path' && name === variables[0],
  );
  const { member, shownAt, text, confidence } = chooseKey(
    properties,
    variables,
    parameter,
    // What is put there is no thing of that name, but what the variable names.
    isMembership === true ? (variables[0] ?? '') : lastLiteral(template.segments),
    reader,
  );
  const pointer = properties.get(member)?.pointer ?? parameter?.pointer ?? schema.pointer;
  return { member, shownAt, confidence, evidence: [{ text: `key: ${text}`, pointer }] };
}

function usesOfItem(uses: readonly Use[]): Use[] {
  return uses.filter(({ isOnItem, behaviour }) => isOnItem && behaviour !== 'act');
}

function createFirst(left: Use, right: Use): number {
  return Number(right.behaviour === 'create') - Number(left.behaviour === 'create');
}

/** What the description says of a member of a member. */
function propertyAlong(
  reader: SchemaReader,
  properties: ReadonlyMap<string, Property>,
  [name, ...rest]: readonly string[],
): Property | undefined {
  const property = name === undefined ? undefined : properties.get(name);
  const inner = property === undefined || rest.length === 0 ? undefined : reader.member(property);
  return rest.length === 0 ? property : inner && propertyAlong(reader, reader.members(inner), rest);
}

function keyVariable({ template, depth, isOnItem }: Use): string | undefined {
  const segment = isOnItem ? template.segments[depth] : undefined;
  return segment?.kind === 'variable' ? segment.name : undefined;
}

function scopeOf(
  segments: readonly Segment[],
  properties: ReadonlyMap<string, Property>,
  key: string,
  parentAt: ParentAt,
): ScopeVariable[] {
  return segments.flatMap((segment, index): ScopeVariable[] => {
    if (segment.kind !== 'variable') return [];
    const parent = parentAt(segments, index);
    return [
      { name: segment.name, parent, member: memberForVariable(segments, index, properties, key), holder: undefined },
    ];
  });
}

const NOT_IN_BODY: Binding['inBody'] = new Map();

/** Turns a use into a binding. */
export function finishBinding(
  inference: Inference,
  use: Use,
  resource: ResourceDescription,
  parentAt: ParentAt,
): Binding {
  const { operation, template, elsewhere, depth, behaviour, request, response, action, countBy, countedNames } = use;
  const scoped = resource.scope.length;
  const variables = template.segments.flatMap((segment, index) =>
    segment.kind === 'variable' ? [{ name: segment.name, index }] : [],
  );
  const inner = variables.filter(
    ({ index, name }, position) =>
      position >= scoped &&
      !(use.isOnItem && index === depth) &&
      use.scope === undefined &&
      use.part?.parameter !== name &&
      !(use.choice?.by === 'member' && use.choice.parameter === name),
  );
  const readsList = ['list', 'count', 'clear'].includes(behaviour) || use.part?.does === 'list';
  const asked = askedInBody(inference.api, operation, inference.reader);
  const listed = use.part === undefined ? resource : entriesOf(inference, resource.path, use.part);
  const parameters = readsList
    ? listParameters(asked.operation, listed, inference.reader, schemaName(resource.schema), {
        stated: inference.statements.operation(operation),
        shape: response,
        anchors: anchorsOf(asked.operation, resource, inference.reader, response),
      })
    : NO_LIST_PARAMETERS;
  return {
    operation,
    resource,
    behaviour,
    scopeParameters: use.scope?.names ?? variables.slice(0, scoped).map(({ name }) => name),
    isAcross: use.scope?.isAcross === true,
    keyParameter: keyVariable(use),
    elsewhere,
    inBody: readsList ? asked.places : NOT_IN_BODY,
    restrictions: inner.map(({ name, index }) => toRestriction(template, index, name, depth, resource, parentAt)),
    request,
    response,
    many: use.many,
    ...meaningOfCreation(use, resource, inference.reader),
    parameters,
    action,
    choice: use.choice,
    part: use.part,
    held: use.held,
    countBy,
    countedNames,
    confidence: leastConfidence(use.confidence, resource.confidence),
    evidence: [...use.evidence, ...orderEvidence(operation, parameters)],
  };
}

/** What a list of entries is asked for by. */
function entriesOf(
  { reader }: Inference,
  path: string,
  { row }: Part,
): Pick<ResourceDescription, 'path' | 'properties' | 'attributes'> {
  return { path, properties: row === undefined ? new Map() : reader.members(row), attributes: new Map() };
}

function orderEvidence({ pointer }: Operation, { usual }: ListParameters): Evidence[] {
  if (usual === undefined) return [];
  const which = usual.descending ? 'the last made first' : 'the first made first';
  return [
    { text: `${usual.member === undefined ? which : orderText(usual)}, by its words: "${usual.words}"`, pointer },
  ];
}

function orderText({ member = '', descending }: UsualOrder): string {
  return `ordered by "${member}", ${descending ? 'the latest' : 'the earliest'} first`;
}

function toRestriction(
  { segments }: PathTemplate,
  index: number,
  parameter: string,
  depth: number,
  resource: ResourceDescription,
  parentAt: ParentAt,
): Restriction {
  const { properties, key } = resource;
  if (index >= depth) {
    const member = [...properties.keys()].find((name) => foldedName(name) === foldedName(parameter));
    return { parameter, member: member ?? hiddenMember(segments, index), parent: undefined };
  }
  const parent = parentAt(segments, index);
  const own = memberForVariable(segments, index, properties, key.member);
  const shown =
    own === undefined ? resource.references.find((each) => each.to === parent && each.form !== 'key') : undefined;
  return { parameter, member: own ?? hiddenMember(segments, index), parent, shownIn: shown?.member };
}

/** Where each operation stands in the description. */
export function orderOf(operations: readonly Operation[]): (draft: ResourceDraft) => number {
  const positions = new Map(operations.map((operation, index) => [operation, index]));
  return ({ uses }) => Math.min(...uses.map(({ operation }) => positions.get(operation) ?? Infinity));
}
