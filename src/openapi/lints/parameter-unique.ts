import type { SourceFinding } from '../../errors/source-finding';
import { resolveObject, type Located } from '../references';
import { findingAt, type SourceDocument } from '../source-document';
import { items, member, textOr } from '../walk';
import type { Lint } from './lint';

/** A list of parameters has each name and location once: a second one would silently replace the first. */
export const parameterUnique: Lint = {
  id: 'parameter-unique',
  source: 'OAS 3.0.3 §4.7.9 Path Item Object, §4.7.10 Operation Object',
  run({ document, objects }) {
    const findings: SourceFinding[] = [];
    for (const { kind, at } of objects) {
      if (kind === 'pathItem' || kind === 'operation') findings.push(...repeatedIn(member(at, 'parameters'), document));
    }
    return findings;
  },
};

function repeatedIn(list: Located | undefined, document: SourceDocument): SourceFinding[] {
  const seen = new Map<string, string>();
  return items(list).flatMap((item): SourceFinding[] => {
    const parameter = resolveObject(document, item)?.value;
    const location = textOr(parameter?.['in'], '');
    const name = textOr(parameter?.['name'], '');
    if (name === '' || location === '') return [];
    // Names of headers mean the same in any case (RFC 9110 §5.1).
    const identity = `${location} ${location === 'header' ? name.toLowerCase() : name}`;
    const earlier = seen.get(identity);
    if (earlier === undefined) {
      seen.set(identity, item.pointer);
      return [];
    }
    return [
      findingAt(document, item.pointer, {
        rule: 'parameter-unique',
        message: `The ${location} parameter "${name}" is in this list already`,
        expected: 'each name and location once',
        hint: `Compare with ${earlier}.`,
      }),
    ];
  });
}
