import type { Command } from 'commander';
import type { DescriptionOptions } from '../adapters/description-options';
import { collect } from './option-values';

/** Flags that say how a description is read. */
export interface DescriptionFlags {
  readonly allowRemote?: readonly string[];
  readonly lenient?: true;
}

/** Adds them to a command. */
export function addDescriptionFlags(command: Command): Command {
  return command
    .option('--allow-remote <host>', 'a host that references of the description may lead to; may be repeated', collect)
    .option('--lenient', 'take what can be modelled in spite of errors in the description');
}

export function descriptionOptions({ allowRemote, lenient }: DescriptionFlags): DescriptionOptions {
  return { allowRemote, lenient };
}
