import type { Operation } from '../../openapi/model/operation';
import { successSchema } from '../../openapi/view/operation-bodies';
import { parentCollection, schemaName, type Inference, type ResourceDraft } from '../drafts/draft';
import { foldedName, singularWords } from '../../core/text/inflection';
import { lastLiteral } from '../../openapi/view/path-template';
import { eventSigns } from '../../openapi/model/documented-events';
import { deliveryUrlAmong, isSubscriptionName } from '../../openapi/naming/subscriptions';
import { taskProgress } from '../../openapi/naming/states';
import type { InferencePass } from '../drafts/draft-model';

export const unkeptResources: InferencePass = {
  id: 'unkept-resources',
  reason: 'before single operations are bound: their resource must be one',
  run: (inference, { drafts, reasons }) => {
    dropUnkept(inference, drafts, reasons);
  },
};

const WRITES = new Set(['create', 'create-many', 'replace', 'update', 'upsert', 'remove', 'clear', 'hold']);
/** Schemas that tell of a request, not of something kept. */
const REPORTS =
  /^(?:\w*error\w*|\w*problem(?:details)?|api_?response|status_?(?:response|message)|message|health\w*)$/i;

/**
 * Why a place is not a resource after all. Not everything that looks like an object is stored: it takes a read, and either a
 * write or a list together with its item.
 */
export function reasonNotStored({ uses, schema, template, itemTemplate }: ResourceDraft): string | undefined {
  const kinds = new Set(uses.map(({ behaviour }) => behaviour));
  const name = schemaName(schema);
  // What a path calls so, makes and has an item of, is stored: `POST /messages` beside `/messages/{id}`.
  const isMade = itemTemplate !== undefined && kinds.has('create');
  const isThing = isMade && foldedName(name) === foldedName(lastLiteral(template.segments));
  if (REPORTS.test(name) && !isThing) return `${name} describes a request, and is not stored`;
  if (!kinds.has('list') && !kinds.has('read')) return `no GET returns what this creates (${name})`;
  const isWritten = [...kinds].some((kind) => WRITES.has(kind));
  if (isWritten || (kinds.has('list') && kinds.has('read'))) return undefined;
  return `${name} is only read, by one operation: nothing writes it, and there is no list and item that belong together`;
}

/** Is it work that writes answer, and that who asked for it reads by its key? */
function isTaskResource({ api, view }: Inference, { uses, schema, template }: ResourceDraft): boolean {
  const name = singularWords(lastLiteral(template.segments)).join(' ');
  if (!uses.some(({ isOnItem }) => isOnItem) || taskProgress(view, view.properties(schema), name) === undefined)
    return false;
  return api.operations.some((operation) => {
    const body = operation.method === 'GET' ? undefined : view.unwrap(successSchema(operation));
    const shown =
      body === undefined ? [] : [body, ...[...view.properties(body).values()].map((each) => view.schemaOf(each))];
    return shown.some((each) => each?.pointer === schema.pointer);
  });
}

/** Nothing shows them, and still they are what the service looks at when it sends something. */
function isSubscription({ api, view }: Inference, { uses, schema, template }: ResourceDraft): boolean {
  if (!uses.some(({ behaviour }) => behaviour === 'create') || !eventSigns(api.document).hasWebhooks) return false;
  return isSubscriptionName(lastLiteral(template.segments)) && deliveryUrlAmong(view.properties(schema)) !== undefined;
}

/** Are they made here, and read in a list of the items that they lie below: `roles` of what `/things/{id}/roles` belongs to? */
function isShownAbove(
  { view }: Inference,
  { template, uses, schema }: ResourceDraft,
  drafts: ReadonlyMap<string, ResourceDraft>,
): boolean {
  const above = parentCollection(template, (shape) => drafts.get(shape));
  const isBelow = above?.depth === template.segments.length - 2;
  if (!isBelow || !uses.some(({ behaviour }) => behaviour === 'create' || behaviour === 'upsert')) return false;
  const word = foldedName(lastLiteral(template.segments));
  const properties = [...view.properties(above.draft.schema).values()];
  // The item may be a part of what is stored, which is answered with others beside it.
  const inner = properties.flatMap((each) => {
    const held = view.schemaOf(each);
    return held === undefined ? [] : [...view.properties(held).values()];
  });
  return [...properties, ...inner].some((property) => {
    const entry = foldedName(property.name) === word ? view.schemaOf(property) : undefined;
    return entry !== undefined && view.items(entry)?.pointer === schema.pointer;
  });
}

/** Drops what is not a resource, and says of each of its operations why. */
function dropUnkept(inference: Inference, drafts: Map<string, ResourceDraft>, reasons: Map<Operation, string>): void {
  const { statements } = inference;
  for (const [shape, draft] of drafts) {
    // Who says what one of its operations does says with it that something is stored.
    const isUseStated = draft.uses.some(({ operation }) => statements.operation(operation)?.behaviour !== undefined);
    const isStated = isUseStated || (statements.resource(shape) !== undefined && draft.uses.length > 0);
    const reason = isStated ? undefined : reasonNotStored(draft);
    if (reason === undefined || isTaskResource(inference, draft) || isSubscription(inference, draft)) continue;
    if (isShownAbove(inference, draft, drafts)) continue;
    drafts.delete(shape);
    for (const { operation } of draft.uses) reasons.set(operation, `not stateful: ${reason}`);
  }
}
