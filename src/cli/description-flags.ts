import type { Command } from 'commander';
import type { DescriptionOptions } from '../adapters/description-options';
import { collect } from './option-values';

/** Flags that say what a description is made of: where it may lead to, and what changes it. */
export interface ReferenceFlags {
  readonly allowRemote?: readonly string[];
  readonly allowFiles?: readonly string[];
  readonly overlay?: readonly string[];
  readonly pack?: readonly string[];
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
    )
    .option('--overlay <file>', 'changes of the description, an overlay of OpenAPI; may be repeated', collect)
    .option(
      '--pack <name|folder>',
      'what the API means beyond its description: a pack by name or folder, "off" for none; may be repeated',
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

export function descriptionOptions(flags: DescriptionFlags): DescriptionOptions {
  const { allowRemote, allowFiles, lenient, overlay, pack } = flags;
  const packs = pack?.includes('off') === true ? 'off' : pack;
  return { allowRemote, allowFiles, lenient, overlays: overlay, packs };
}
