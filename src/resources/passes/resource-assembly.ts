import type { Operation, Property, Schema } from '../../openapi/model/operation';
import { addressOf, itemKeyOf, keyVariable } from '../keys/item-key';
import { bringBackFlag, keptRemoval } from '../actions/kept-removals';
import { anchorsOf } from '../../lists/parameter-roles';
import { parametersInBody } from '../../lists/body-queries';
import { type BodyShape, plainShape } from '../../lists/body-shape';
import { attributesOf } from '../../lists/conventions/json-api';
import { leastConfidence, schemaName, type Inference, type ResourceDraft, type OperationUse } from '../drafts/draft';
import { foldedName, singularWords } from '../../core/text/inflection';
import { creationSemantics, mergesBody } from '../drafts/write-semantics';
import { NOTHING_SAID } from '../relations/said-rules';
import { withNamedCursors } from '../../lists/way-on';
import { itemParameters, listParameters, NO_LIST_PARAMETERS } from '../../lists/list-parameters';
import { jsonEntry } from '../../openapi/view/operation-bodies';
import { lastLiteral, type PathTemplate } from '../../openapi/view/path-template';
import { type Evidence, type ResourceDescription } from '../model/resource';
import type { ArrayProperty, Behaviour, Binding, Restriction } from '../model/binding';
import type { DocumentedOrder, ListParameters } from '../../lists/list-model';
import { hiddenPropertyName, type ParentAt, propertyForVariable, scopeOf } from '../keys/scope-variables';

/** Turns a draft into the description of a resource: chooses its key and says what its path is scoped by. */
export function describeResource(inference: Inference, draft: ResourceDraft, parentAt: ParentAt): ResourceDescription {
  const properties = inference.view.properties(draft.schema);
  const { key, confidence, evidence } = itemKeyOf(inference, draft, properties);
  const { template, itemTemplate, kind, schema } = draft;
  const attributes = attributesOf(inference.view, schema);
  return {
    path: template.path,
    kind,
    name: singularWords(lastLiteral(template.segments)).join(' '),
    itemPath: itemTemplate?.path,
    scope: scopeOf(template.segments, properties, key.name, parentAt),
    key,
    schema,
    properties,
    attributes,
    references: [],
    relationships: [],
    counts: [],
    lists: [],
    address: addressOf(draft, properties, key.name),
    isMembership: draft.isMembership === true,
    itemsOf: undefined,
    confidence: leastConfidence(draft.confidence === 'stated' ? 'high' : draft.confidence, confidence),
    evidence: [...draft.evidence, ...evidence, ...attributesEvidence(attributes, schemaName(schema), schema)],
  };
}

const NOT_IN_BODY: Binding['bodyParameters'] = new Map();

/** Turns a use into a binding. */
export function toBinding(
  inference: Inference,
  use: OperationUse,
  resource: ResourceDescription,
  parentAt: ParentAt,
): Binding {
  const { operation, template, outsidePath, depth, action, countBy, countNames } = use;
  const scoped = resource.scope.length;
  const variables = template.segments.flatMap((segment, index) =>
    segment.kind === 'variable' ? [{ name: segment.name, index }] : [],
  );
  const inner = variables.filter(
    ({ index, name }, position) =>
      position >= scoped &&
      !(use.isOnItem && index === depth) &&
      use.scope === undefined &&
      use.arrayProperty?.parameter !== name &&
      !(use.itemChoice?.by === 'member' && use.itemChoice.parameter === name),
  );
  const readsList = ['list', 'count', 'clear'].includes(use.behaviour) || use.arrayProperty?.effect === 'list';
  const asked = parametersInBody(inference.api, operation, inference.view);
  const response = readsList ? withNamedCursors(asked.operation, use.response, inference.view) : use.response;
  const listed =
    use.arrayProperty === undefined ? resource : listedEntries(inference, resource.path, use.arrayProperty);
  const parameters = readsList
    ? listParameters(asked.operation, listed, inference.view, schemaName(resource.schema), {
        stated: inference.statements.operation(operation),
        shape: response,
        anchors: anchorsOf(asked.operation, resource, inference.view, response),
      })
    : use.behaviour === 'read'
      ? itemParameters(operation, resource)
      : NO_LIST_PARAMETERS;
  return {
    operation,
    resource,
    ...writeSemantics(inference, use, resource),
    scopeParameters: use.scope?.names ?? variables.slice(0, scoped).map(({ name }) => name),
    isAcross: use.scope?.isAcross === true,
    keyParameter: keyVariable(use),
    outsidePath,
    bodyParameters: readsList ? asked.paths : NOT_IN_BODY,
    restrictions: inner.map(({ name, index }) => ({
      ...toRestriction(template, index, name, depth, resource, parentAt),
      relationship: use.relationship?.name,
    })),
    response,
    bulk: use.bulk,
    ...creationSemantics(inference, use, resource),
    parameters,
    action,
    ...comingAndGoing(inference, use, resource),
    itemChoice: use.itemChoice,
    each: use.each,
    arrayProperty: use.arrayProperty,
    linkedItems: use.linkedItems,
    relationship: use.relationship,
    countBy,
    countNames,
    said: NOTHING_SAID,
    confidence: leastConfidence(use.confidence, resource.confidence),
    evidence: [...use.evidence, ...mergeEvidence(inference, use, resource), ...orderEvidence(operation, parameters)],
  };
}

/** What a removal keeps, and what brings it back. */
function comingAndGoing(
  { index, view }: Inference,
  { operation, behaviour, isOnItem, template }: OperationUse,
  { properties, kind }: ResourceDescription,
): Pick<Binding, 'keeps' | 'bringsBack'> {
  const beside = index.nodes.get(template.shape)?.operations ?? [];
  const read = beside.find((each) => index.methodOf(each) === 'GET');
  const isChange = ['replace', 'update', 'upsert'].includes(behaviour);
  return {
    keeps:
      behaviour === 'remove' && isOnItem && kind === 'collection'
        ? keptRemoval(operation, read, properties, view)
        : undefined,
    bringsBack: isChange && isOnItem ? bringBackFlag(operation, properties, view) : undefined,
  };
}

const WRITES_ITEM: ReadonlySet<Behaviour> = new Set(['create', 'update', 'replace', 'upsert']);

/** Takes a body for the item where the description does not declare it, or declares nothing in its schema. */
function undeclaredBody(
  { view }: Inference,
  { operation, behaviour }: OperationUse,
  { schema }: ResourceDescription,
): BodyShape | undefined {
  const { content } = operation.requestBody ?? {};
  const taken = content === undefined ? undefined : jsonEntry(content);
  const isUntold = taken === undefined ? content === undefined : !taken.schema || view.isUnconstrained(taken.schema);
  return isUntold && WRITES_ITEM.has(behaviour) ? plainShape('item', schema) : undefined;
}

/** What a write does with what it takes, and with what it does not name. */
function writeSemantics(
  inference: Inference,
  use: OperationUse,
  resource: ResourceDescription,
): Pick<Binding, 'behaviour' | 'request' | 'mergesExisting'> {
  const request = use.request ?? undeclaredBody(inference, use, resource);
  const merges = mergesWhatIsSent(inference, use, resource);
  const behaviour = merges === 'said' && use.behaviour === 'replace' ? 'update' : use.behaviour;
  return { behaviour, request, mergesExisting: merges !== undefined && behaviour !== 'update' };
}

function mergesWhatIsSent(
  inference: Inference,
  { operation, behaviour, confidence, template, request }: OperationUse,
  { schema, kind }: ResourceDescription,
): ReturnType<typeof mergesBody> {
  if (confidence === 'stated' || (behaviour !== 'replace' && behaviour !== 'upsert')) return undefined;
  const isOnPath = kind === 'singleton' || template.segments.at(-1)?.kind === 'variable';
  return mergesBody(inference, operation, {
    taken: request?.item,
    item: schema,
    itemTemplate: isOnPath ? template.shape : undefined,
  });
}

function mergeEvidence(inference: Inference, use: OperationUse, resource: ResourceDescription): Evidence[] {
  if (mergesWhatIsSent(inference, use, resource) !== 'assumed') return [];
  const text = 'what is not sent stays: nothing says that all of the item is replaced';
  return [{ text, pointer: use.operation.pointer }];
}

/** What a list of entries is asked for by. */
function listedEntries(
  { view }: Inference,
  path: string,
  { entry }: ArrayProperty,
): Pick<ResourceDescription, 'path' | 'properties' | 'attributes'> {
  return { path, properties: entry === undefined ? new Map() : view.properties(entry), attributes: new Map() };
}

function orderEvidence({ pointer }: Operation, { documentedOrder }: ListParameters): Evidence[] {
  if (documentedOrder === undefined) return [];
  const which = documentedOrder.descending ? 'the last made first' : 'the first made first';
  return [
    {
      text: `${documentedOrder.property === undefined ? which : orderText(documentedOrder)}, by its words: "${documentedOrder.words}"`,
      pointer,
    },
  ];
}

function orderText({ property = '', descending }: DocumentedOrder): string {
  return `ordered by "${property}", ${descending ? 'the latest' : 'the earliest'} first`;
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
    const property = [...properties.keys()].find((name) => foldedName(name) === foldedName(parameter));
    return { parameter, property: property ?? hiddenPropertyName(segments, index), parent: undefined };
  }
  const parent = parentAt(segments, index);
  const own = propertyForVariable(segments, index, properties, key.name);
  const shown =
    own === undefined ? resource.references.find((each) => each.to === parent && each.form !== 'key') : undefined;
  return { parameter, property: own ?? hiddenPropertyName(segments, index), parent, shownIn: shown?.property };
}

/** Where each operation stands in the description. */
export function orderOf(operations: readonly Operation[]): (draft: ResourceDraft) => number {
  const positions = new Map(operations.map((operation, index) => [operation, index]));
  return ({ uses }) => Math.min(...uses.map(({ operation }) => positions.get(operation) ?? Infinity));
}

/** What tells that they are: nothing where there are none. */
export function attributesEvidence(
  attributes: ReadonlyMap<string, Property>,
  thing: string,
  schema: Schema,
): Evidence[] {
  if (attributes.size === 0) return [];
  const text = `${thing} has type, id and attributes: a resource object of JSON:API, chosen and ordered by its attributes`;
  return [{ text, pointer: schema.pointer }];
}
