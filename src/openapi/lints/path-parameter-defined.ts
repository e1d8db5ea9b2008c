import type { SourceFinding } from '../../errors/source-finding';
import { templateVariables } from '../route-table';
import { findingAt } from '../source-document';
import { rawParameters, textOr } from '../walk';
import type { Lint } from './lint';

/** Every variable of a template has a path parameter, and every path parameter has its variable. */
export const pathParameterDefined: Lint = {
  id: 'path-parameter-defined',
  source: 'OAS 3.0.3 §4.7.12 Parameter Object, "Path Templating"',
  run({ document, operations }) {
    const findings: SourceFinding[] = [];
    for (const raw of operations) {
      const defined = rawParameters(document, raw).filter(({ value }) => value['in'] === 'path');
      const names = new Set(defined.map(({ value }) => textOr(value['name'], '')));
      const variables = templateVariables(raw.path);
      const title = `${raw.method} ${raw.path}`;
      for (const variable of variables) {
        if (names.has(variable)) continue;
        findings.push(
          findingAt(document, raw.operation.pointer, {
            rule: 'path-parameter-defined',
            message: `${title} does not define the path parameter "${variable}"`,
            expected: `a parameter { name: ${variable}, in: path, required: true }`,
            hint: 'Define it at the operation or at its path item.',
          }),
        );
      }
      for (const { value, pointer } of defined) {
        if (variables.includes(textOr(value['name'], ''))) continue;
        findings.push(
          findingAt(document, pointer, {
            rule: 'path-parameter-defined',
            message: `${title} defines the path parameter "${textOr(value['name'], '')}" that its path does not have`,
            expected: variables.length === 0 ? 'no path parameters' : `one of ${variables.join(', ')}`,
          }),
        );
      }
    }
    return findings;
  },
};
