import { fieldOf, itemsOf, type Located, resolveObject, stringOr } from '../read/references';
import type { SourceDocument } from '../read/source-document';
import type { Lint, LintFinding } from './lint';

/** A list of parameters has each name and location once: a second one would silently replace the first. */
export const parameterUnique: Lint = {
  id: 'parameter-unique',
  source: 'OAS 3.0.3 §4.7.9 Path Item Object, §4.7.10 Operation Object',
  severity: 'error',
  run({ document, objects }) {
    const findings: LintFinding[] = [];
    for (const { kind, at } of objects) {
      if (kind === 'pathItem' || kind === 'operation')
        findings.push(...repeatedIn(fieldOf(at, 'parameters'), document));
    }
    return findings;
  },
};

function repeatedIn(list: Located | undefined, document: SourceDocument): LintFinding[] {
  const seen = new Map<string, string>();
  return itemsOf(list).flatMap((item): LintFinding[] => {
    const parameter = resolveObject(document, item)?.value;
    const location = stringOr(parameter?.['in'], '');
    const name = stringOr(parameter?.['name'], '');
    if (name === '' || location === '') return [];
    // Names of headers mean the same in any case (RFC 9110 §5.1).
    const identity = `${location} ${location === 'header' ? name.toLowerCase() : name}`;
    const earlier = seen.get(identity);
    if (earlier === undefined) {
      seen.set(identity, item.pointer);
      return [];
    }
    return [
      {
        pointer: item.pointer,
        message: `The ${location} parameter "${name}" is in this list already`,
        expected: 'each name and location once',
        hint: `Compare with ${earlier}.`,
      },
    ];
  });
}
