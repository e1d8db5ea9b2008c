import { isJsonNumber, toLexeme } from '../../json/exact-number';
import type { ObjectKind } from '../object-grammar';
import type { Mend } from './mend';

/** Members that are texts, and are easily written without the quotes that make a text of digits. */
const TEXTS: Readonly<Partial<Record<ObjectKind, readonly string[]>>> = {
  parameter: ['name'],
  operation: ['operationId'],
};

/** `operationId: 12`: a number without quotes in the place of a text. */
export const numbersForTexts: Mend = ({ kind, value, tell, set }) => {
  for (const name of TEXTS[kind] ?? []) {
    const written = value[name];
    if (!isJsonNumber(written)) continue;
    const text = toLexeme(written);
    tell(name, {
      message: `"${name}" is a number and is read as the text "${text}"`,
      hint: `Write ${name}: '${text}'`,
    });
    set(name, text);
  }
};
