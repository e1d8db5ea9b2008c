import { createContext, Script, type Context } from 'node:vm';

/** A text that takes longer is not judged. */
const LIMIT_MS = 50;
/** Texts up to this length are judged without a clock: the worst pattern is through with them in no time. */
const SHORT = 12;

/** What came of looking for a pattern in a text. */
export type PatternVerdict = 'matches' | 'differs' | 'undecided';

/**
 * A pattern that only the engine of Node can read, and that some texts keep busy for ever: after 50 ms it is stopped.
 * A text as long as one that was given up is not tried again, so that a hundred of them take no longer than one.
 */
export function timedPattern(regExp: RegExp): (text: string) => PatternVerdict {
  let context: Context | undefined;
  let script: Script | undefined;
  let givenUpAt = Infinity;
  return (text) => {
    if (text.length <= SHORT) return regExp.test(text) ? 'matches' : 'differs';
    if (text.length >= givenUpAt) return 'undecided';
    context ??= createContext({ regExp });
    script ??= new Script('regExp.test(text)');
    context['text'] = text;
    try {
      return script.runInContext(context, { timeout: LIMIT_MS }) === true ? 'matches' : 'differs';
    } catch {
      givenUpAt = text.length;
      return 'undecided';
    }
  };
}
