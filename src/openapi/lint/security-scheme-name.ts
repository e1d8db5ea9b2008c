import { isPossibleName, readSecuritySchemes } from '../model/security-schemes';
import { joinPointer } from '../../core/json/json-pointer';
import type { Lint, LintFinding } from './lint';

/** A request can have the header or cookie of each API key. */
export const securitySchemeName: Lint = {
  id: 'security-scheme-name',
  source: 'RFC 9110 §5.1, RFC 6265 §4.1.1',
  severity: 'warning',
  run({ document }) {
    return [...readSecuritySchemes(document).values()].flatMap((scheme): LintFinding[] => {
      const { name, type, in: location, parameterName } = scheme;
      if (type !== 'apiKey' || parameterName === undefined || isPossibleName(scheme)) return [];
      return [
        {
          pointer: joinPointer('/components/securitySchemes', name),
          message: `No request can have a ${location ?? 'header'} named "${parameterName}", so that the security scheme "${name}" is left out`,
          expected: 'a name of letters, digits and -',
          hint: /^authorization\W/i.test(parameterName)
            ? 'For "Authorization: Bearer …" the scheme has type http and scheme bearer.'
            : undefined,
        },
      ];
    });
  },
};
