import type { FlatSchema, TypeName } from './flat-schema';

/** The type that a schema without `type` speaks of; none when it says nothing of any. */
export function typesMeant(flat: FlatSchema): readonly TypeName[] {
  if (speaksOfMembers(flat)) return ['object'];
  if (flat.items.length + flat.prefixItems.length + flat.contains.length + flat.minItems > 0) return ['array'];
  if (flat.patterns.length > 0 || flat.minLength > 0 || flat.maxLength < Infinity) return ['string'];
  if (speaksOfSize(flat)) return ['number'];
  const [format] = flat.formats;
  if (format === undefined) return [];
  return [/^int/.test(format) ? 'integer' : /^(?:float|double)$/.test(format) ? 'number' : 'string'];
}

function speaksOfMembers(flat: FlatSchema): boolean {
  const named = flat.properties.size + flat.required.size + flat.patternProperties.length + flat.propertyNames.length;
  return named + flat.additional.length + flat.closures.length + flat.minProperties > 0;
}

function speaksOfSize({ multiples, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: FlatSchema): boolean {
  const limits = [minimum, maximum, exclusiveMinimum, exclusiveMaximum, ...multiples];
  return limits.some((limit) => limit !== undefined);
}
