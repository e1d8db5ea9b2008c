import { scalarText } from '../json/scalar-text';
import type { JsonValue } from '../json/json-value';
import { joinPointer } from '../json/json-pointer';
import type { NamedParent } from './contract';
import type { FormatJudge, MemberReader } from './member-reader';
import { isScalar } from './placeholders';
import type { KnownOperation } from './read-step';

/** Variables of paths that something can stand below: what a name in `within` can be. */
export function parentVariables(operations: readonly KnownOperation[]): string[] {
  const names = operations.flatMap(({ parameters }) => parameters.filter(({ in: place }) => place === 'path'));
  return [...new Set(names.map(({ name }) => name))];
}

/** `within: { server_id: localhost }`, or a list of values. */
export function readWithin(
  members: MemberReader,
  operations: readonly KnownOperation[],
  judge: FormatJudge,
): NamedParent[] {
  const known = parentVariables(operations);
  if (members.has('within') && members.entries('within').length === 0) {
    members.refuse('within', 'at least one variable of a path, such as server_id: localhost');
  }
  return members.entries('within').flatMap(({ name: variable, value, pointer }) => {
    if (!known.includes(variable)) {
      judge.refuseName(pointer, `No path of the description has the variable "${variable}"`, variable, known);
      return [];
    }
    const values: readonly JsonValue[] = Array.isArray(value) ? value : [value];
    if (values.length === 0)
      judge.refuse(pointer, `"${variable}" names nothing`, 'the name of something that is there');
    return values.flatMap((each, index) => {
      const text = isScalar(each) ? scalarText(each) : '';
      if (text !== '') return [{ variable, value: text }];
      const at = Array.isArray(value) ? joinPointer(pointer, index) : pointer;
      judge.refuse(at, `"${variable}" names nothing`, 'the name of something that is there: a text or a number');
      return [];
    });
  });
}
