import type { Contract } from '../formats/contract';
import { scalarText } from '../json/scalar-text';
import type { NamedKey } from './redact';

/** A value from outside that no report may show. */
export interface SecretVariable extends NamedKey {
  /** `long`: a short value is shown, because it may stand anywhere by chance. */
  readonly length: 'long' | 'any';
}

/** Values of variables that contracts call secret, and of the environment. */
export function secretsOf(contracts: readonly Contract[]): SecretVariable[] {
  return contracts.flatMap(({ variables }) =>
    variables.flatMap(({ name, value, secret }): SecretVariable[] => {
      if (value === undefined || secret === 'no') return [];
      const length = secret === 'always' ? 'any' : 'long';
      return [{ name: name.replace(/^env\./, ''), key: scalarText(value), length }];
    }),
  );
}
