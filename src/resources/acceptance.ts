import type { Operation } from '../openapi/model';
import { schemaName, type Inference, type ResourceDraft } from './draft';

const WRITES = new Set(['create', 'create-many', 'replace', 'update', 'upsert', 'remove', 'clear']);
/** Schemas that tell of a request, not of something kept. */
const REPORTS =
  /^(?:\w*error\w*|\w*problem(?:details)?|api_?response|status_?(?:response|message)|message|health\w*)$/i;

/**
 * Why a place is no resource after all. Not everything that looks like an object is kept: it takes a read, and either a
 * write or a list together with its item.
 */
export function refusal({ uses, schema }: ResourceDraft): string | undefined {
  const kinds = new Set(uses.map(({ behaviour }) => behaviour));
  const name = schemaName(schema);
  if (REPORTS.test(name)) return `${name} tells of a request, and is nothing that is kept`;
  if (!kinds.has('list') && !kinds.has('read')) return `nothing reads ${name} back`;
  const isWritten = [...kinds].some((kind) => WRITES.has(kind));
  if (isWritten || (kinds.has('list') && kinds.has('read'))) return undefined;
  return `${name} is only read, by one operation: nothing writes it, and there is no list and item that belong together`;
}

/** Drops what is no resource, and says of each of its operations why. */
export function dropRefused(
  { statements }: Inference,
  drafts: Map<string, ResourceDraft>,
  reasons: Map<Operation, string>,
): void {
  for (const [shape, draft] of drafts) {
    // Whoever says what one of its operations does says with it that something is kept.
    const isUseStated = draft.uses.some(({ operation }) => statements.operation(operation)?.behaviour !== undefined);
    const isStated = isUseStated || (statements.resource(shape) !== undefined && draft.uses.length > 0);
    const reason = isStated ? undefined : refusal(draft);
    if (reason === undefined) continue;
    drafts.delete(shape);
    for (const { operation } of draft.uses) reasons.set(operation, `it seems to be no resource: ${reason}`);
  }
}
