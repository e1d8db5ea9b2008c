import type { SourceFinding } from '../../errors/source-finding';
import { similarName } from '../../errors/similar-name';
import { readSecuritySchemes, schemeNameOf } from '../security';
import { findingAt } from '../source-document';
import { items, member, members, rootOf } from '../walk';
import type { Lint } from './lint';

/** Every scheme that a security requirement names is defined. */
export const securitySchemeDefined: Lint = {
  id: 'security-scheme-defined',
  source: 'OAS 3.0.3 §4.7.30 Security Requirement Object',
  run({ document, operations }) {
    const defined = [...readSecuritySchemes(document).keys()];
    const owners = [rootOf(document), ...operations.map(({ operation }) => operation)];
    const requirements = owners.flatMap((owner) => items(member(owner, 'security')));
    return requirements.flatMap((requirement) =>
      members(requirement).flatMap(({ name, pointer }): SourceFinding[] => {
        if (defined.includes(schemeNameOf(document, name))) return [];
        const near = similarName(name, defined);
        return [
          findingAt(document, pointer, {
            rule: 'security-scheme-defined',
            message: `The security scheme "${name}" is not defined`,
            expected:
              defined.length === 0 ? 'a definition under components/securitySchemes' : `one of ${defined.join(', ')}`,
            hint: near === undefined ? undefined : `Did you mean "${near}"?`,
          }),
        ];
      }),
    );
  },
};
