import { templateVariables } from '../model/route-table';
import { rawParameters, stringOr } from '../read/references';
import type { Lint, LintFinding } from './lint';

/** Every variable of a template has a path parameter, and every path parameter has its variable. */
export const pathParameterDefined: Lint = {
  id: 'path-parameter-defined',
  source: 'OAS 3.0.3 §4.7.12 Parameter Object, "Path Templating"',
  severity: 'warning',
  run({ document, operations }) {
    const findings: LintFinding[] = [];
    for (const raw of operations) {
      const defined = rawParameters(document, raw).filter(({ value }) => value['in'] === 'path');
      const names = new Set(defined.map(({ value }) => stringOr(value['name'], '')));
      const variables = templateVariables(raw.path);
      const title = `${raw.method} ${raw.path}`;
      for (const variable of variables) {
        if (names.has(variable)) continue;
        findings.push({
          pointer: raw.operation.pointer,
          message: `${title} does not define the path parameter "${variable}"`,
          expected: `a parameter { name: ${variable}, in: path, required: true }`,
          hint: 'Define it at the operation or at its path item.',
        });
      }
      for (const { value, pointer } of defined) {
        if (variables.includes(stringOr(value['name'], ''))) continue;
        findings.push({
          pointer,
          message: `${title} defines the path parameter "${stringOr(value['name'], '')}" that its path does not have`,
          expected: variables.length === 0 ? 'no path parameters' : `one of ${variables.join(', ')}`,
        });
      }
    }
    return findings;
  },
};
