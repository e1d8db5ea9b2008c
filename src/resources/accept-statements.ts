import { getAtPointer, parentPointer } from '../json/json-pointer';
import { isJsonObject, type JsonValue } from '../json/json-value';
import type { ApiModel, Operation } from '../openapi/model';
import { HINT } from './hints';
import { ACCEPT_MODES, type AcceptMode, type Overrides } from './statements';

/**
 * How the requests of an operation are taken: as the overrides say of it or of all, else as `x-standin` says of it, of its
 * path, or of the whole description.
 *
 * @returns `undefined` where nothing is said: leniently, unless a refusal is documented
 */
export function acceptModeOf(api: ApiModel, operation: Operation, overrides: Overrides): AcceptMode | undefined {
  const { root } = api.document;
  return (
    overrides.operations.get(operation)?.accept ??
    overrides.accept ??
    hintedMode(getAtPointer(root, operation.pointer)) ??
    hintedMode(getAtPointer(root, parentPointer(operation.pointer) ?? '')) ??
    hintedMode(root)
  );
}

function hintedMode(owner: JsonValue | undefined): AcceptMode | undefined {
  const hint = isJsonObject(owner) ? owner[HINT] : undefined;
  const stated = isJsonObject(hint) ? hint['accept'] : undefined;
  return ACCEPT_MODES.find((mode) => mode === stated);
}
