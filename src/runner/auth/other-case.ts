import { keyed } from './probe-kind';
import type { ProbeKind, RequestCredentials } from './scheme';

const SHORTEST = 8;
/** Digits of a number or a UUID may be compared as what they stand for. */
const NUMBER_LIKE = /^[\da-f-]+$/i;

/**
 * A key in capitals, or in small letters where it is in capitals itself, which is another key: who takes it for the same
 * makes keys easier to guess, and mixes up callers whose keys differ by case.
 *
 * @returns `undefined` for a key without letters, a short one, and what may be a number
 */
export function otherCase(key: string): string | undefined {
  const other = key === key.toUpperCase() ? key.toLowerCase() : key.toUpperCase();
  return other === key || key.length < SHORTEST || NUMBER_LIKE.test(key) ? undefined : other;
}

/** The shell's word for such a key: `${NAME^^}`, which is the text of NAME in capitals. */
export function otherCaseVariable(name: string, key: string): string {
  return `\${${name}${key === key.toUpperCase() ? ',,' : '^^'}}`;
}

/** Asked once: it tells how keys are compared. */
export function otherCaseKind(put: (key: string) => RequestCredentials, advice?: string): ProbeKind {
  const kind = keyed('with the key in another case', 'refused', (key) => {
    const other = otherCase(key);
    return other === undefined ? undefined : put(other);
  });
  return { ...kind, advice, isOnce: true };
}
