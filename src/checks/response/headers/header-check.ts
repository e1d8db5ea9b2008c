import { headerValues } from '../../../core/http/headers';
import { previewText } from '../../../core/json/value-preview';
import type { ResponseCheck } from '../../response-check';

/** What a check of one header needs to know, which is sent once or not at all. */
interface HeaderRule extends Pick<ResponseCheck, 'id' | 'source'> {
  /** As the RFC spells it. */
  readonly name: string;
  readonly severity?: 'error' | 'warning';
  /** Says what the header must be: `an HTTP-date`. */
  readonly what: string;
  /** With an example: `one date such as @1767225600`. */
  readonly expected: string;
  readonly isValid: (value: string) => boolean;
  /** What is probably meant by an invalid value. */
  readonly hint?: (value: string) => string | undefined;
}

/** A check that a header, where there is one, is sent once and is valid, whatever the description says of it. */
export function headerCheck({ id, source, name, severity, what, expected, isValid, hint }: HeaderRule): ResponseCheck {
  const key = name.toLowerCase();
  return {
    id,
    source,
    basis: 'http',
    run({ headers, documented, operation }) {
      const lines = headerValues(headers, key);
      const [value, another] = lines;
      if (value === undefined) return undefined;
      if (another === undefined && isValid(value)) return [];
      return [
        {
          severity: severity ?? 'error',
          at: `/response/headers/${key}`,
          message: another === undefined ? `${name} must be ${what}` : `${name} must not be sent twice`,
          expected,
          actual: previewText(lines.join(', ')),
          spec: documented?.headers.get(key)?.pointer ?? operation?.pointer,
          hint: another === undefined ? hint?.(value) : undefined,
        },
      ];
    },
  };
}
