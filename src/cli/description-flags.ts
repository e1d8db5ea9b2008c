import type { Command } from 'commander';
import type { DescriptionOptions } from '../adapters/description-options';
import { collect } from './option-values';

/** Flags that say where a description may lead to. */
export interface ReferenceFlags {
  readonly allowRemote?: readonly string[];
  readonly allowFiles?: readonly string[];
}

/** Flags that say how a description is read. */
export interface DescriptionFlags extends ReferenceFlags {
  readonly lenient?: true;
}

/** Adds those of {@link ReferenceFlags} to a command. */
export function addReferenceFlags(command: Command): Command {
  return command
    .option('--allow-remote <host>', 'a host that references of the description may lead to; may be repeated', collect)
    .option(
      '--allow-files <folder>',
      'a folder that references of the description may lead into, beside its own and the documents of its project; may be repeated',
      collect,
    );
}

/** Adds those of {@link DescriptionFlags} to a command. */
export function addDescriptionFlags(command: Command): Command {
  return addReferenceFlags(command).option(
    '--lenient',
    'take what can be modelled in spite of errors in the description',
  );
}

export function descriptionOptions({ allowRemote, allowFiles, lenient }: DescriptionFlags): DescriptionOptions {
  return { allowRemote, allowFiles, lenient };
}
