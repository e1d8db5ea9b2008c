import type { SourceFinding } from '../errors/source-finding';
import { getAtPointer } from '../json/json-pointer';
import type { JsonValue } from '../json/json-value';
import type { SourceDocument } from '../openapi/source-document';
import { FormatJudge, MemberReader } from './member-reader';

/** Version of the format, written in the file. */
export const PACK_FORMAT = 'pack/1';

/** Name of the file that makes a folder a pack. */
export const PACK_FILE = 'pack.yaml';

/** On every finding about a pack. */
export const RULE = 'pack-format';

/** What the file of a pack says of it. */
export interface PackManifest {
  readonly name: string;
  /** What it is for, in a line. */
  readonly about: string;
  /** Titles of the descriptions that it suits. */
  readonly titles: readonly string[];
}

const MEMBERS = ['standin', 'name', 'about', 'titles'];

/**
 * Reads the `pack.yaml` of a pack.
 *
 * @param findings - gets what does not fit the format; with any of them the pack is not to be used
 */
export function readPack(document: SourceDocument, findings: SourceFinding[]): PackManifest {
  const judge = new FormatJudge(document, RULE);
  const root = MemberReader.open({ value: document.root, pointer: '' }, 'pack', MEMBERS, judge);
  if (root !== undefined && root.value('standin') !== PACK_FORMAT) root.refuse('standin', `standin: ${PACK_FORMAT}`);
  const text = (name: string): string => {
    if (root?.has(name) === false) root.refuse(name, 'a string that is not empty');
    return root?.text(name) ?? '';
  };
  const manifest = {
    name: text('name'),
    about: text('about'),
    titles: (root?.list('titles') ?? []).flatMap(({ value, pointer }) => {
      if (typeof value === 'string') return [value];
      judge.refuse(pointer, 'The title is no text', 'a title that descriptions have');
      return [];
    }),
  };
  findings.push(...judge.findings);
  return manifest;
}

/** The title that a description has, as it is compared with those of packs; `undefined` where it has none. */
export function titleOf(root: JsonValue): string | undefined {
  const title = getAtPointer(root, '/info/title');
  return typeof title === 'string' ? title.trim() : undefined;
}
