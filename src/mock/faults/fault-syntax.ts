import { similarName } from '../../core/text/similar-name';
import type { Fault } from './fault';
import { FaultSyntaxError, readDuration, readWhole } from './fault-kind';
import { FAULT_REGISTRY } from './registry';

export type ParsedFaults =
  | { readonly kind: 'parsed'; readonly faults: readonly Fault[] }
  /** The message names the part, and what may stand there. */
  | { readonly kind: 'malformed'; readonly message: string };

const SETTINGS = ['for', 'times', 'operation', 'method', 'path'] as const;
type SettingName = (typeof SETTINGS)[number];

/** No request and no flag means so many. */
const MAX_FAULTS = 20;
const MAX_LENGTH = 2000;

/**
 * Reads faults, the one grammar for the flag, the admin route, the library and the header:
 *
 *     faults  = fault *( "," fault ) | "none"
 *     fault   = kind *( ":" argument ) *( ";" setting )
 *     setting = "for=" duration | "times=" n | "operation=" id | "method=" token | "path=" template
 *
 * In an argument and in a setting, `%2C`, `%3B` and `%25` stand for a comma, a semicolon and a percent sign.
 */
export function parseFaults(text: string): ParsedFaults {
  if (text.length > MAX_LENGTH)
    return { kind: 'malformed', message: `The faults have more than ${MAX_LENGTH} characters` };
  if (text.trim() === 'none') return { kind: 'parsed', faults: [] };
  const parts = text.split(',').map((part) => part.trim());
  if (parts.length > MAX_FAULTS) return { kind: 'malformed', message: `There are more than ${MAX_FAULTS} faults` };
  try {
    return { kind: 'parsed', faults: parts.map(parseFault) };
  } catch (error) {
    if (error instanceof FaultSyntaxError) return { kind: 'malformed', message: error.message };
    throw error;
  }
}

function parseFault(text: string): Fault {
  const [start = '', ...settings] = text.split(';').map((part) => part.trim());
  const colon = start.indexOf(':');
  const kind = colon === -1 ? start : start.slice(0, colon);
  const known = FAULT_REGISTRY.get(kind);
  if (known === undefined) throw new FaultSyntaxError(unknownWord('fault', kind, [...FAULT_REGISTRY.keys(), 'none']));
  const action = known.read(colon === -1 ? undefined : decode(start.slice(colon + 1)), start);
  const values = readSettings(settings);
  const times = values.get('times');
  const duration = values.get('for');
  return {
    text: [start, ...settings].join(';'),
    action,
    operation: values.get('operation'),
    method: values.get('method')?.toUpperCase(),
    path: values.get('path'),
    forMs: duration === undefined ? undefined : readDuration(duration, `for=${duration}`, Infinity),
    times: times === undefined ? undefined : readWhole(times, `times=${times}`),
  };
}

function readSettings(settings: readonly string[]): Map<SettingName, string> {
  const values = new Map<SettingName, string>();
  for (const setting of settings) {
    const at = setting.indexOf('=');
    const name = SETTINGS.find((known) => known === setting.slice(0, at).trim());
    if (name === undefined)
      throw new FaultSyntaxError(
        unknownWord(
          'setting',
          setting,
          SETTINGS.map((known) => `${known}=…`),
        ),
      );
    const value = decode(setting.slice(at + 1).trim());
    if (value === '') throw new FaultSyntaxError(`The setting ${name}= is empty`);
    if (values.has(name)) throw new FaultSyntaxError(`The setting ${name}= stands there twice`);
    values.set(name, value);
  }
  return values;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new FaultSyntaxError(`"${text.slice(0, 80)}" has a percent sign without two hex digits behind it; write %25`);
  }
}

function unknownWord(what: string, word: string, known: readonly string[]): string {
  const near = similarName(word, known);
  const question = near === undefined ? '' : ` (did you mean ${near}?)`;
  return `There is no ${what} "${word.slice(0, 80)}"${question}; there are ${known.join(', ')}`;
}
