import { inGroup } from '../core/options/option-table';
import { booleanValue, pathsOrObjects, stringList, stringListOrOff } from '../core/options/option-types';

/** Options that say what a description is made of: where its references may lead to, and what changes it. */
export const REFERENCE_OPTIONS = inGroup('Description', {
  allowRemote: {
    flag: '--allow-remote <host>',
    doc: 'a host that references of the description may lead to',
    type: stringList,
    isRepeated: true,
  },
  allowFiles: {
    flag: '--allow-files <folder>',
    doc: 'a folder that references of the description may lead into, beside its own and the documents of its project',
    type: stringList,
    isRepeated: true,
    path: 'file',
  },
  overlays: {
    flag: '--overlay <file>',
    doc: 'changes of the description, an OpenAPI Overlay',
    type: pathsOrObjects,
    isRepeated: true,
    path: 'file',
  },
  packs: {
    flag: '--pack <name|folder>',
    doc: 'what the API means beyond its description: a pack by name or folder; "off" for none',
    type: stringListOrOff,
    isRepeated: true,
    path: 'name-or-file',
  },
});

/** The same, and how a description is read. */
export const DESCRIPTION_OPTIONS = {
  ...REFERENCE_OPTIONS,
  ...inGroup('Description', {
    strict: {
      flag: '--strict',
      doc: 'exit code 2 if the description has errors; without it they disable the operations that need the part',
      type: booleanValue,
    },
    lenient: {
      flag: '--lenient',
      doc: 'start despite errors in the description, as without --strict',
      type: booleanValue,
    },
  }),
};
