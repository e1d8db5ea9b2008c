import { joinPointer, parsePointer } from '../../json/json-pointer';
import { isJsonObject, type JsonValue } from '../../json/json-value';
import type { Violation } from '../../json-schema/violation';
import type { ApiModel, Operation, Parameter, Property, Schema } from '../../openapi/model';
import type { Warnings } from '../warnings';
import { namesInPath } from './named-in-path';

/** The violations of a body without those that only miss what may be missing. */
export type MissingMembers = (violations: readonly Violation[]) => readonly Violation[];

/** Nothing may be missing. */
export const NOTHING_MISSING: MissingMembers = (violations) => violations;

/**
 * Required members of a body that are not asked for all the same: whose value the path says, and those that the
 * description shows to be optional, see {@link isOptional}. Each is told by a warning.
 *
 * @param schema - of the body
 * @param inPath - names of the variables of the path
 */
export function missingMembers(
  api: ApiModel,
  schema: Schema | undefined,
  inPath: readonly string[],
  warnings: Warnings,
): MissingMembers {
  return (violations) => {
    if (violations.length === 0) return violations;
    const isNamed = namesInPath(inPath);
    return violations.filter(({ keyword, pointer, member }) => {
      if (keyword !== 'required' || member === undefined) return true;
      if (isNamed(member))
        return !warnings.allows('member_in_path', `The body lacks "${member}", which the path names`);
      const place = joinPointer(pointer, member);
      const message = `The body lacks ${place}, which is required and shown to be optional`;
      return !isSpared(api, schemaOf(api, schema, pointer), member) || !warnings.allows('missing_optional', message);
    });
  };
}

/**
 * Can a required member be done without? See {@link isOptional}. A truth value and a word of an `enum` can, where others
 * that are called required are optional beside it.
 */
function isSpared(api: ApiModel, owner: Schema | undefined, member: string): boolean {
  if (owner === undefined) return false;
  let spared = SPARED.get(owner);
  if (spared === undefined) {
    const members = [...api.propertiesOf(owner).values()].filter(({ required }) => required);
    const isShownOptional = ({ pointer }: Property): boolean => isOptional(api.schemaAt(pointer));
    const isOneShown = members.some(isShownOptional);
    const isFree = (own: Property): boolean => isShownOptional(own) || (isOneShown && isClosed(own));
    spared = new Set(members.filter(isFree).map(({ name }) => name));
    SPARED.set(owner, spared);
  }
  return spared.has(member);
}

/** Names of the members of each schema that can be done without. */
const SPARED = new WeakMap<Schema, ReadonlySet<string>>();

/** Does the service know every value that there can be, so that it has one for what is not sent? */
function isClosed({ schema }: Property): boolean {
  return schema['type'] === 'boolean' || Array.isArray(schema['enum']);
}

/** Can a required parameter be done without? See {@link isOptional}. */
export function mayBeMissing({ in: place, schema, description }: Parameter): boolean {
  return place !== 'path' && isOptional(schema, description);
}

/** Has the body of an operation a member of the name of a query parameter, so that either will do? */
export function isInBody({ requestBody }: Operation, { in: place, name }: Parameter): boolean {
  const bodies = place === 'query' ? (requestBody?.content ?? []) : [];
  return bodies.some(({ schema }) => {
    const properties = schema?.value['properties'];
    return properties !== undefined && isJsonObject(properties) && Object.hasOwn(properties, name);
  });
}

/** What is said of something that need not be sent. */
const TOLD_OPTIONAL =
  /^\W*optional\b|\(optional\)|\bis optional\b|\bif (?:it is )?(?:not |un)(?:given|provided|sent|set|specified)\b|\b(?:if|when) omitted\b/i;

/**
 * A description made by a program often calls everything required that its language has as a member. It shows what it
 * means where it has a value for what is not sent, where nothing (`null`) is a value, or where its prose says so.
 */
function isOptional(schema: Schema | undefined, told: unknown = schema?.value['description']): boolean {
  if (typeof told === 'string' && TOLD_OPTIONAL.test(told)) return true;
  if (schema === undefined) return false;
  return schema.value['default'] !== undefined || schema.value['example'] === null || isNullable(schema);
}

const OTHERS: readonly JsonValue[] = [0, '', [], {}];

/** Is `null` allowed, by a schema that does not allow just anything? */
function isNullable(schema: Schema): boolean {
  const allows = (value: JsonValue): boolean => schema.validate('request')(value).length === 0;
  return allows(null) && !OTHERS.every(allows);
}

/** The schema of a member, which is looked for along the members and items that lead to it. */
function schemaOf(api: ApiModel, schema: Schema | undefined, pointer: string): Schema | undefined {
  let found = schema;
  for (const name of parsePointer(pointer)) {
    if (found === undefined) return undefined;
    const at = api.propertiesOf(found).get(name)?.pointer ?? `${found.pointer}/items`;
    found = api.schemaAt(at);
  }
  return found;
}
