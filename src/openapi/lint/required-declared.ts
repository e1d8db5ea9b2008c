import { typoOf } from '../../core/text/similar-name';
import { gatherProperties } from '../model/properties';
import { fieldOf, itemsOf, resolveParts } from '../read/references';
import type { Lint, LintFinding } from './lint';

/**
 * No name in `required` is a slip of a property that the schema declares. A required property need not be declared (JSON
 * Schema Validation §6.5.3), so that every value without the misspelt one is rejected and nothing says why.
 */
export const requiredDeclared: Lint = {
  id: 'required-declared',
  source: 'OAS 3.0.3 §4.7.24 Schema Object; JSON Schema 2020-12 Validation §6.5.3',
  severity: 'warning',
  run({ document, objects }) {
    const findings: LintFinding[] = [];
    for (const { kind, at } of objects) {
      const list = kind === 'schema' ? itemsOf(fieldOf(at, 'required')) : [];
      const schema = list.length === 0 ? undefined : resolveParts(document, at);
      if (schema === undefined || schema.pointer !== at.pointer) continue;
      const declared = gatherProperties(document, schema);
      // A property that is required by its own name is not what another name means.
      const required = new Set(list.map(({ value }) => value));
      const others = [...declared.keys()].filter((name) => !required.has(name));
      for (const { value, pointer } of list) {
        if (typeof value !== 'string' || declared.has(value)) continue;
        const meant = typoOf(value, others);
        if (meant === undefined) continue;
        findings.push({
          pointer,
          message: `"${value}" is required and not declared: a value that has "${meant}" alone is not valid`,
          expected: 'the name of a property in properties',
          hint: `Did you mean "${meant}"?`,
        });
      }
    }
    return findings;
  },
};
