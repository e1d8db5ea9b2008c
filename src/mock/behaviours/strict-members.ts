import { problem, type Problem } from '../../checks/problem';
import { joinPointer } from '../../json/json-pointer';
import { isJsonObject } from '../../json/json-value';
import type { Call } from '../call';
import type { PlannedBehaviour } from '../operation-plan';

/** With `handling=strict`, members that would be ignored are refused instead (RFC 7240 §4.4). */
export function checkStrictMembers(call: Call, { resource, input }: PlannedBehaviour): Problem | undefined {
  if (!call.isStrict) return undefined;
  const sent = input.sent(call);
  if (!isJsonObject(sent) || resource.isOpen) return undefined;
  const declared = input.properties(call);
  const place = input.path.reduce(joinPointer, '');
  for (const name of Object.keys(sent)) {
    const property = declared.get(name);
    const pointer = joinPointer(place, name);
    if (property?.readOnly === true || (property === undefined && resource.properties.get(name)?.readOnly === true)) {
      return problem('invalid_field', `The field ${pointer} is read-only, and handling=strict was asked for`, {
        pointer,
      });
    }
    if (property === undefined) {
      return problem('invalid_field', `The field ${pointer} is not known, and handling=strict was asked for`, {
        pointer,
      });
    }
  }
  return undefined;
}
