import { isJsonObject, type JsonObject } from '../core/json/json-value';
import { scalarText } from '../core/json/stringify-json';
import type { Operation } from '../openapi/model/operation';
import { isActingRead } from '../openapi/naming/acting-reads';
import type { Draft } from './draft';
import { availableStatuses, findKinds, isSubject } from './subject';
import { whyUnfit } from './uncalled';

/** More of them say little that is new of a service. */
const MOST_READS = 60;

/**
 * Adds reads that belong to no kind of thing. Their path variables get keys that the run made, values from `--within`,
 * values that a list shows, or examples of the description. The service may refuse any of them: it may not have such an item.
 */
export function addOtherReads(draft: Draft): void {
  const { api } = draft;
  const kinds = findKinds(api, false);
  const items = kinds.filter(isSubject).flatMap(({ of }) => (of('read') ?? of('remove'))?.operation.path ?? []);
  const isOther = (operation: Operation): boolean =>
    operation.method === 'GET' &&
    !kinds.some(({ of }) => of('read')?.operation === operation || of('list')?.operation === operation) &&
    whyUnfit(operation) === undefined &&
    // What is below a thing of the run is read there.
    !items.some((path) => operation.path.startsWith(`${path.replace(/\/$/, '')}/`));
  for (const operation of api.operations.filter(isOther).slice(0, MOST_READS)) {
    const request = draft.readOf(operation);
    const parameters = request?.['parameters'];
    const named = (values: JsonObject): string =>
      operation.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => scalarText(values[name] ?? null));
    if (request === undefined || !isJsonObject(parameters) || isActingRead({ ...operation, path: named(parameters) }))
      continue;
    draft.add('steps', {
      name: `read ${operation.path}`,
      ...request,
      mayBeRefused: true,
      expect: { status: availableStatuses(operation) },
    });
  }
}
