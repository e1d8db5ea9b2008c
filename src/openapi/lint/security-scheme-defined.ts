import { didYouMean } from '../../core/text/similar-name';
import { readSecuritySchemes, schemeNameOf } from '../model/security-schemes';
import { itemsOf, fieldOf, fieldsOf, rootOf } from '../read/references';
import type { Lint, LintFinding } from './lint';

/** Every scheme that a security requirement names is defined. */
export const securitySchemeDefined: Lint = {
  id: 'security-scheme-defined',
  source: 'OAS 3.0.3 §4.7.30 Security Requirement Object',
  severity: 'error',
  run({ document, operations }) {
    const defined = [...readSecuritySchemes(document).keys()];
    const owners = [rootOf(document), ...operations.map(({ operation }) => operation)];
    const requirements = owners.flatMap((owner) => itemsOf(fieldOf(owner, 'security')));
    return requirements.flatMap((requirement) =>
      fieldsOf(requirement).flatMap(({ name, pointer }): LintFinding[] => {
        if (defined.includes(schemeNameOf(document, name))) return [];
        return [
          {
            pointer,
            message: `The security scheme "${name}" is not defined`,
            expected:
              defined.length === 0 ? 'a definition under components/securitySchemes' : `one of ${defined.join(', ')}`,
            hint: didYouMean(name, defined),
          },
        ];
      }),
    );
  },
};
