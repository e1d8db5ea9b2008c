import { joinPointer, parsePointer } from '../../core/json/json-pointer';
import type { JsonValue } from '../../core/json/json-value';
import { getOrCreate } from '../../core/text/memoize';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Operation, Parameter, Property, Schema } from '../../openapi/model/operation';
import { schemaOfItems } from '../../openapi/view/schema-shape';
import type { Violation } from '../../schema/validator';
import type { Warnings } from './warnings';

/** The violations of a body without those that only miss what may be missing. */
export type ViolationFilter = (violations: readonly Violation[]) => readonly Violation[];

/** Nothing may be missing. */
export const KEEP_ALL_VIOLATIONS: ViolationFilter = (violations) => violations;

/**
 * Required properties of a body that are not asked for all the same: whose value the path says, and those that the
 * description shows to be optional, see {@link isOptional}. Each is reported by a warning.
 *
 * @param schema - of the body
 * @param inPath - names of the variables of the path
 */
export function ignoreMissingOptional(
  api: ApiModel,
  schema: Schema | undefined,
  inPath: readonly string[],
  warnings: Warnings,
): ViolationFilter {
  return (violations) => {
    if (violations.length === 0) return violations;
    const isNamed = matchesPathVariable(inPath);
    return violations.filter(({ keyword, pointer, property }) => {
      if (keyword !== 'required' || property === undefined) return true;
      if (isNamed(property)) return !warnings.allows('member_in_path', property);
      return (
        !isEffectivelyOptional(api, schemaOf(api, schema, pointer), property) ||
        !warnings.allows('missing_optional', `The body lacks ${joinPointer(pointer, property)}`)
      );
    });
  };
}

/**
 * Can a required property be done without? See {@link isOptional}. A truth value and a word of an `enum` can, where others
 * that are called required are optional beside it.
 */
function isEffectivelyOptional(api: ApiModel, owner: Schema | undefined, property: string): boolean {
  if (owner === undefined) return false;
  const spared = getOrCreate(EFFECTIVELY_OPTIONAL, owner, () => {
    const properties = [...api.propertiesOf(owner).values()].filter(({ required }) => required);
    const isShownOptional = ({ pointer }: Property): boolean => isOptional(api.schemaAt(pointer));
    const isOneShown = properties.some(isShownOptional);
    const isFree = (own: Property): boolean => isShownOptional(own) || (isOneShown && hasKnownValues(own));
    return new Set(properties.filter(isFree).map(({ name }) => name));
  });
  return spared.has(property);
}

/** Names of the properties of each schema that can be done without. */
const EFFECTIVELY_OPTIONAL = new WeakMap<Schema, ReadonlySet<string>>();

/** Does the service know every value that there can be, so that it has one for what is not sent? */
function hasKnownValues({ schema }: Property): boolean {
  return schema['type'] === 'boolean' || Array.isArray(schema['enum']);
}

/** Can a required parameter be done without? See {@link isOptional}. */
export function isOptionalParameter({ in: place, schema, description }: Parameter): boolean {
  return place !== 'path' && isOptional(schema, description);
}

/** Has the body of an operation a property of the name of a query parameter, so that either will do? */
export function isAlsoBodyProperty({ requestBody }: Operation, { in: place, name }: Parameter): boolean {
  const bodies = place === 'query' ? (requestBody?.content ?? []) : [];
  return bodies.some(({ shape }) => shape.names.includes(name));
}

/** What is said of something that need not be sent. */
const DESCRIBED_AS_OPTIONAL =
  /^\W*optional\b|\(optional\)|\bis optional\b|\bif (?:it is )?(?:not |un)(?:given|provided|sent|set|specified)\b|\b(?:if|when) omitted\b/i;

/**
 * A description made by a program often calls everything required that its language has as a property. It shows what it
 * means where it has a value for what is not sent, where nothing (`null`) is a value, or where its prose says so.
 */
function isOptional(schema: Schema | undefined, told: unknown = schema?.value['description']): boolean {
  if (typeof told === 'string' && DESCRIBED_AS_OPTIONAL.test(told)) return true;
  if (schema === undefined) return false;
  return schema.value['default'] !== undefined || schema.value['example'] === null || isNullable(schema);
}

const NON_NULL_SAMPLES: readonly JsonValue[] = [0, '', [], {}];

/** Is `null` allowed, by a schema that does not allow just anything? */
function isNullable(schema: Schema): boolean {
  const allows = (value: JsonValue): boolean => schema.accepts(value, 'request');
  return allows(null) && !NON_NULL_SAMPLES.every(allows);
}

/** The schema of a property, which is looked for along the properties and items that lead to it. */
function schemaOf(api: ApiModel, schema: Schema | undefined, pointer: string): Schema | undefined {
  let found = schema;
  for (const name of parsePointer(pointer)) {
    if (found === undefined) return undefined;
    const property = api.propertiesOf(found).get(name);
    found = property === undefined ? schemaOfItems(api, found) : api.schemaAt(property.pointer);
  }
  return found;
}

/** Words behind the name of a thing in the name of its key. */
const KEY_SUFFIX = /[-_]?(?:id|gid|sid|uuid|key)$/i;

/**
 * Is a property one whose value the path says: `project` below `/projects/{project_id}`?
 *
 * @param inPath - names of the variables of the path
 */
function matchesPathVariable(inPath: readonly string[]): (property: string) => boolean {
  const things = new Set(inPath.map(withoutKeySuffix).filter((name) => name !== ''));
  return (member) => things.has(withoutKeySuffix(member));
}

function withoutKeySuffix(name: string): string {
  return name.replace(KEY_SUFFIX, '').toLowerCase();
}
