import type { JsonObject } from '../json/json-value';
import type { Property } from '../openapi/model';
import { wordsOf } from './inflection';
import { typesOf, type SchemaReader } from './schema-reader';
import { isStateName } from './state-words';

/** A member of items that is an object and holds their state: `state: { status, running }`. */
export interface StatePart {
  readonly name: string;
  readonly members: ReadonlyMap<string, Property>;
}

/** The parts of an item that hold its state. */
export function stateParts(members: ReadonlyMap<string, Property>, reader: SchemaReader): StatePart[] {
  return [...members.values()].flatMap((property): StatePart[] => {
    const inner = isStateName(property.name) ? reader.member(property) : undefined;
    const own = inner === undefined ? undefined : reader.members(inner);
    return own === undefined || own.size === 0 ? [] : [{ name: property.name, members: own }];
  });
}

/** A state with the flags beside it that name one of its words: `running` is true where it is `running`, else false. */
export function withFlags(part: StatePart, member: string, word: string): JsonObject {
  const listed = part.members.get(member)?.schema['enum'];
  const words = new Set(
    (Array.isArray(listed) ? listed : [word]).map((each) => (typeof each === 'string' ? wordsOf(each).join('') : '')),
  );
  const flags = [...part.members.values()].flatMap(({ name, schema }): [string, boolean][] => {
    const meant = wordsOf(name)
      .filter((each) => each !== 'is')
      .join('');
    const isFlag = typesOf(schema).includes('boolean') && words.has(meant);
    return isFlag ? [[name, meant === wordsOf(word).join('')]] : [];
  });
  return { ...Object.fromEntries(flags), [member]: word };
}
