import type { SourceFinding } from '../../errors/source-finding';
import { similarName } from '../../errors/similar-name';
import { operationFinder, writtenPointer, type OperationFinder } from '../operation-reference';
import { referenceOf, type Located } from '../references';
import { findingAt } from '../source-document';
import { member } from '../walk';
import type { Lint, LintContext } from './lint';

/** A link by operationId or operationRef leads to an operation of this description. */
export const linkOperationExists: Lint = {
  id: 'link-operation-exists',
  source: 'OAS 3.0.3 §4.7.20 Link Object',
  run(context) {
    const ids = new Set<string>();
    for (const raw of context.operations) {
      const id = raw.operation.value['operationId'];
      if (typeof id === 'string') ids.add(id);
    }
    const find = operationFinder(context.document, context.operations);
    return context.objects.flatMap(({ kind, at }) => {
      if (kind !== 'link' || referenceOf(at.value) !== undefined) return [];
      return faultOfId(context, at, ids) ?? faultOfReference(context, at, find) ?? [];
    });
  },
};

function faultOfId({ document }: LintContext, link: Located, ids: ReadonlySet<string>): SourceFinding | undefined {
  const id = member(link, 'operationId');
  if (typeof id?.value !== 'string' || ids.has(id.value)) return undefined;
  const near = similarName(id.value, [...ids]);
  return findingAt(document, id.pointer, {
    rule: 'link-operation-exists',
    message: `The link leads to the operation "${id.value}" that does not exist`,
    expected: 'an operationId of this description',
    hint: near === undefined ? undefined : `Did you mean "${near}"?`,
  });
}

/** What leads to another description is not looked at. */
function faultOfReference(
  { document, operations }: LintContext,
  link: Located,
  find: OperationFinder,
): SourceFinding | undefined {
  const reference = member(link, 'operationRef');
  if (typeof reference?.value !== 'string') return undefined;
  const target = find(reference.value, link.pointer);
  if (target.kind !== 'nowhere') return undefined;
  const near = similarName(target.pointer, operations.map(writtenPointer));
  return findingAt(document, reference.pointer, {
    rule: 'link-operation-exists',
    message: `The link leads to "${reference.value}", where no operation stands`,
    expected: 'a reference such as #/paths/~1books~1%7BbookId%7D/get, with ~1 for each / of the path',
    hint: near === undefined ? undefined : `Did you mean "#${encodeURI(near)}"?`,
  });
}
