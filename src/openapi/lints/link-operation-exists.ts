import type { SourceFinding } from '../../errors/source-finding';
import { similarName } from '../../errors/similar-name';
import { findingAt } from '../source-document';
import { member, members, objectMember, rawOperations } from '../walk';
import { resolveObject } from '../references';
import type { Lint } from './lint';

/** A link by operationId names an operation of this description. */
export const linkOperationExists: Lint = {
  id: 'link-operation-exists',
  source: 'OAS 3.0.3 §4.7.20 Link Object',
  run({ document }) {
    const operations = rawOperations(document);
    const ids = operations.flatMap(({ operation }) => {
      const id = operation.value['operationId'];
      return typeof id === 'string' ? [id] : [];
    });
    return operations.flatMap(({ operation }) =>
      members(member(operation, 'responses'))
        .flatMap(({ name }) => {
          const responses = objectMember(document, operation, 'responses');
          const response = responses === undefined ? undefined : objectMember(document, responses, name);
          return response === undefined ? [] : members(member(response, 'links'));
        })
        .flatMap((located): SourceFinding[] => {
          const link = resolveObject(document, located);
          const id = link === undefined ? undefined : member(link, 'operationId');
          if (typeof id?.value !== 'string' || ids.includes(id.value)) return [];
          const near = similarName(id.value, ids);
          return [
            findingAt(document, id.pointer, {
              rule: 'link-operation-exists',
              message: `The link leads to the operation "${id.value}" that does not exist`,
              expected: 'an operationId of this description',
              hint: near === undefined ? undefined : `Did you mean "${near}"?`,
            }),
          ];
        }),
    );
  },
};
