import { slipOf } from '../../errors/similar-name';
import type { SourceFinding } from '../../errors/source-finding';
import { gatherProperties } from '../properties';
import { resolveObject } from '../references';
import { findingAt } from '../source-document';
import { items, member } from '../walk';
import type { Lint } from './lint';

/**
 * No name in `required` is a slip of a member that the schema declares. A required member need not be declared (JSON
 * Schema Validation §6.5.3), so that every value without the misspelt one is refused and nothing says why.
 */
export const requiredDeclared: Lint = {
  id: 'required-declared',
  source: 'OAS 3.0.3 §4.7.24 Schema Object; JSON Schema 2020-12 Validation §6.5.3',
  run({ document, objects }) {
    const findings: SourceFinding[] = [];
    for (const { kind, at } of objects) {
      const list = kind === 'schema' ? items(member(at, 'required')) : [];
      const schema = list.length === 0 ? undefined : resolveObject(document, at);
      if (schema === undefined || schema.pointer !== at.pointer) continue;
      const declared = gatherProperties(document, schema);
      // A member that is required by its own name is not what another name means.
      const required = new Set(list.map(({ value }) => value));
      const others = [...declared.keys()].filter((name) => !required.has(name));
      for (const { value, pointer } of list) {
        if (typeof value !== 'string' || declared.has(value)) continue;
        const meant = slipOf(value, others);
        if (meant === undefined) continue;
        findings.push(
          findingAt(document, pointer, {
            rule: 'required-declared',
            severity: 'warning',
            message: `"${value}" is required and not declared: a value that has "${meant}" alone is not valid`,
            expected: 'the name of a member in properties',
            hint: `Did you mean "${meant}"?`,
          }),
        );
      }
    }
    return findings;
  },
};
