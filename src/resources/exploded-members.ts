import type { Operation, Parameter } from '../openapi/model';
import { hasOwnMembers } from '../openapi/parameter-style';
import type { SchemaReader } from './schema-reader';

/**
 * The parameters that the members of an exploded object are, since each is sent under its own name (OAS 3.0.3 "Style
 * Examples"). A name that is declared as a parameter belongs to that one, and what is an object has no form.
 *
 * @returns none for a parameter that is sent under its own name
 */
export function explodedMembers({ parameters }: Operation, holder: Parameter, reader: SchemaReader): Parameter[] {
  const schema = reader.unwrap(holder.schema);
  if (holder.in !== 'query' || schema === undefined || !hasOwnMembers(holder)) return [];
  return [...reader.members(schema).values()].flatMap((property): Parameter[] => {
    const { name, pointer, required } = property;
    const shape = holder.shape.property(name);
    const isTaken = parameters.some((each) => each.in === 'query' && each.name === name);
    if (isTaken || shape === undefined || (shape.kind === 'object' && shape.scalars.length === 0)) return [];
    const own = reader.member(property);
    return [
      {
        ...holder,
        name,
        key: name,
        required: holder.required && required,
        pointer,
        schema: own,
        shape,
        allowEmptyValue: false,
        defaultValue: own?.value['default'],
        items: own === undefined ? undefined : reader.items(own)?.value,
        holder: holder.name,
      },
    ];
  });
}
