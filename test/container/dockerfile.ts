import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export const ROOT = join(__dirname, '..', '..');

/** An instruction of a Dockerfile, its lines joined. */
export interface Instruction {
  /** In capitals. */
  readonly name: string;
  readonly text: string;
}

/** What is built after one `FROM`. */
export interface Stage {
  readonly image: string;
  readonly name: string | undefined;
  readonly instructions: readonly Instruction[];
}

/** The stages of a Dockerfile, as far as ours has its syntax: no heredocs, no variables, no parser directives. */
export function stagesOf(text: string): Stage[] {
  const lines = text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: (Stage & { readonly instructions: Instruction[] })[] = [];
  for (const line of lines) {
    const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    const [, image = '', as] = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(rest) ?? [];
    if (name.toUpperCase() === 'FROM') stages.push({ image, name: as, instructions: [] });
    else stages.at(-1)?.instructions.push({ name: name.toUpperCase(), text: rest });
  }
  return stages;
}

export const dockerfile = (): string => readFileSync(join(ROOT, 'Dockerfile'), 'utf8');

/** The words of an instruction in its exec form; `undefined` where it is in its shell form. */
export function execForm(text: string): readonly string[] | undefined {
  const at = text.indexOf('[');
  if (at === -1) return undefined;
  try {
    return JSON.parse(text.slice(at)) as readonly string[];
  } catch {
    return undefined;
  }
}

/** A service of compose.yaml, as far as ours has members. */
interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly depends_on?: readonly string[] | Readonly<Record<string, object>>;
  readonly volumes?: readonly string[];
  readonly read_only?: boolean;
}

export function composeServices(): Readonly<Record<string, Service>> {
  const text = readFileSync(join(ROOT, 'compose.yaml'), 'utf8');
  return (parse(text) as { readonly services: Readonly<Record<string, Service>> }).services;
}
