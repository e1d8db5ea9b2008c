import { didYouMean, similarName } from '../../core/text/similar-name';
import { operationFinder, writtenPointer, type OperationFinder } from '../model/api-model';
import { fieldOf, type Located, referenceOf } from '../read/references';
import type { Lint, LintContext, LintFinding } from './lint';

/** A link by operationId or operationRef leads to an operation of this description. */
export const linkOperationExists: Lint = {
  id: 'link-operation-exists',
  source: 'OAS 3.0.3 §4.7.20 Link Object',
  severity: 'warning',
  run(context) {
    const ids = new Set<string>();
    for (const raw of context.operations) {
      const id = raw.operation.value['operationId'];
      if (typeof id === 'string') ids.add(id);
    }
    const find = operationFinder(context.document, context.operations);
    return context.objects.flatMap(({ kind, at }) => {
      if (kind !== 'link' || referenceOf(at.value) !== undefined) return [];
      return checkOperationId(at, ids) ?? checkOperationRef(context, at, find) ?? [];
    });
  },
};

function checkOperationId(link: Located, ids: ReadonlySet<string>): LintFinding | undefined {
  const id = fieldOf(link, 'operationId');
  if (typeof id?.value !== 'string' || ids.has(id.value)) return undefined;
  return {
    pointer: id.pointer,
    message: `The link leads to the operation "${id.value}" that does not exist`,
    expected: 'an operationId of this description',
    hint: didYouMean(id.value, [...ids]),
  };
}

/** What leads to another description is not looked at. */
function checkOperationRef({ operations }: LintContext, link: Located, find: OperationFinder): LintFinding | undefined {
  const reference = fieldOf(link, 'operationRef');
  if (typeof reference?.value !== 'string') return undefined;
  const target = find(reference.value, link.pointer);
  if (target.kind !== 'nowhere') return undefined;
  const near = similarName(target.pointer, operations.map(writtenPointer));
  return {
    pointer: reference.pointer,
    message: `The link leads to "${reference.value}", where no operation stands`,
    expected: 'a reference such as #/paths/~1books~1%7BbookId%7D/get, with ~1 for each / of the path',
    hint: near === undefined ? undefined : `Did you mean "#${encodeURI(near)}"?`,
  };
}
