import { getAtPointer, parentPointer } from '../json/json-pointer';
import { isJsonObject, type JsonValue } from '../json/json-value';
import type { ApiModel, Operation } from '../openapi/model';
import { HINT } from './hints';
import { ACCEPT_MODES, type AcceptMode, type Overrides } from './statements';

/**
 * Is an Accept that fits nothing refused? So it is where the operation documents 406, unless it is said otherwise: by the
 * overrides of the operation or of all, by `x-standin` of the operation, of its path, or of the description.
 */
export function isAcceptStrict(api: ApiModel, operation: Operation, overrides: Overrides): boolean {
  const { root } = api.document;
  const path = parentPointer(operation.pointer) ?? '';
  const mode =
    overrides.operations.get(operation)?.accept ??
    overrides.accept ??
    acceptMode(getAtPointer(root, operation.pointer)) ??
    acceptMode(getAtPointer(root, path)) ??
    acceptMode(root);
  return mode === undefined ? operation.responses.has('406') : mode === 'strict';
}

function acceptMode(owner: JsonValue | undefined): AcceptMode | undefined {
  const hint = isJsonObject(owner) ? owner[HINT] : undefined;
  const stated = isJsonObject(hint) ? hint['accept'] : undefined;
  return ACCEPT_MODES.find((mode) => mode === stated);
}
