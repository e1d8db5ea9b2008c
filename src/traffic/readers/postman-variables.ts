import { wordsOf } from '../../core/text/inflection';
import type { JsonObject } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import { objectsAt, textAt } from './loose-values';
import type { VariableMarks } from './variable-marks';

/** Values of a collection, and of its folders, by name. */
export type PostmanValues = ReadonlyMap<string, string>;

/** Begins the value of a variable that Postman marks as a secret; it is in no text of a file. */
const SECRET_SIGN = '\u0000';

/** The enabled ones of a list of variables that have a value; an empty one is none, as where a secret was not exported. */
export function valuesOf(object: JsonObject, name = 'variable'): PostmanValues {
  const values = objectsAt(object, name).flatMap((variable) => {
    const key = textAt(variable, 'key') ?? textAt(variable, 'id') ?? '';
    const isOff = variable['disabled'] === true || variable['enabled'] === false;
    const { value } = variable;
    if (key === '' || isOff || value === undefined || value === null || typeof value === 'object') return [];
    const text = scalarText(value);
    const sign = variable['type'] === 'secret' ? SECRET_SIGN : '';
    return text === '' ? [] : [[key, sign + text] as const];
  });
  return new Map(values);
}

const VARIABLE = /\{\{\s*([^{}]+?)\s*\}\}/g;
/** Values may have variables in them, and those again; in a circle they have none. */
const MOST_LEVELS = 10;

/**
 * Fills in the variables of a text: `{{baseUrl}}` is the value of it, `{{$guid}}` one that Postman would make up, the
 * same at each import, and one without a value is a mark.
 */
export class PostmanVariables {
  private readonly values: PostmanValues;
  private readonly marks: VariableMarks;
  private readonly environment: PostmanValues;

  /** @param environment - comes before all others */
  constructor(values: PostmanValues, marks: VariableMarks, environment: PostmanValues) {
    this.values = values;
    this.marks = marks;
    this.environment = environment;
  }

  /** The same with those of a folder before them. */
  with(nearer: PostmanValues): PostmanVariables {
    return nearer.size === 0
      ? this
      : new PostmanVariables(new Map([...this.values, ...nearer]), this.marks, this.environment);
  }

  fill(text: string): string {
    return text.includes('{{') ? this.filled(text, MOST_LEVELS) : text;
  }

  private filled(text: string, levels: number): string {
    return text.replace(VARIABLE, (_, name: string) => {
      const value =
        this.environment.get(name) ??
        this.values.get(name) ??
        (name.startsWith('$') ? madeUp(name.slice(1)) : undefined);
      if (value === undefined || levels === 0) return this.marks.markOf(name);
      const [isSecret, plain] = [value.startsWith(SECRET_SIGN), value.replace(SECRET_SIGN, '')];
      const whole = plain.includes('{{') ? this.filled(plain, levels - 1) : plain;
      return isSecret ? this.secret(name, whole) : whole;
    });
  }

  /** The mark of what the file calls secret, by its name. */
  secret(name: string, value: string): string {
    return this.marks.markOfSecret(
      wordsOf(name)
        .join('_')
        .replace(/^x_(?=.)/, ''),
      value,
    );
  }
}

/** One value for each kind of dynamic variable, so that the same collection gives the same requests. */
const MADE_UP: Readonly<Record<string, string>> = {
  guid: '6929bb52-3ab2-448a-9796-d6480ecad36b',
  randomUUID: '6929bb52-3ab2-448a-9796-d6480ecad36b',
  timestamp: '1735689600',
  isoTimestamp: '2025-01-01T00:00:00.000Z',
  randomInt: '42',
  randomBoolean: 'true',
  randomEmail: 'someone@example.com',
  randomExampleEmail: 'someone@example.com',
  randomUrl: 'https://example.com',
  randomIP: '192.0.2.1',
  randomPrice: '42.00',
  randomPhoneNumber: '555-0100',
};

function madeUp(name: string): string {
  if (Object.hasOwn(MADE_UP, name)) return MADE_UP[name] ?? '';
  if (/Date/.test(name)) return '2025-01-01';
  // `randomFirstName` is "first name".
  return name
    .replace(/^random/, '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
}

/** What a request of a collection stands in. */
export interface PostmanContext {
  readonly variables: PostmanVariables;
  /** The nearest `auth` above the request; `undefined` where there is none. */
  readonly auth: JsonObject | undefined;
  /** A file by its path; `undefined` where it cannot be read. */
  readonly file: (path: string) => Uint8Array | undefined;
  /** Does a GET send its body? Postman leaves it out unless told. */
  readonly keepsBody: boolean;
}

/** Tells what is wrong with a request, and what was done about it, in words as of a `ReadProblem`. */
export type Tell = (problem: string, done: string) => void;
