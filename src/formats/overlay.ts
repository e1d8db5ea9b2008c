import type * as JsonP3 from 'json-p3';
import { messageOf } from '../errors/error-facts';
import type { SourceFinding } from '../errors/source-finding';
import type { JsonValue } from '../json/json-value';
import type { SourceDocument } from '../openapi/source-document';
import { FormatJudge, MemberReader, type PlacedValue } from './member-reader';

/** On every finding about an overlay. */
export const RULE = 'overlay-format';

/** Versions of the Overlay Specification whose documents are read: https://spec.openapis.org/overlay/v1.0.0.html */
const VERSION = /^1\.0\.\d+$/;

/** Something that is done to every place of a description that a query finds. */
export interface OverlayAction {
  /** A query of JSONPath (RFC 9535), as it is written. */
  readonly target: string;
  /** JSON pointer of the action in its file. */
  readonly pointer: string;
  /** What is merged into an object, or added to a list; `undefined` for none. */
  readonly update: JsonValue | undefined;
  readonly removes: boolean;
  /** Finds the places: member names and indexes that lead to each. */
  find(root: JsonValue): readonly (readonly (string | number)[])[];
}

/** What is changed in a description before it is judged. */
export interface Overlay {
  readonly document: SourceDocument;
  readonly actions: readonly OverlayAction[];
}

const MEMBERS = ['overlay', 'info', 'extends', 'actions'];
const INFO_MEMBERS = ['title', 'version'];
const ACTION_MEMBERS = ['target', 'description', 'update', 'remove'];

/**
 * Reads an overlay of version 1.0 of the Overlay Specification.
 *
 * @param findings - gets what does not fit the format; with any of them the overlay is not to be used
 */
export function readOverlay(document: SourceDocument, findings: SourceFinding[]): Overlay {
  const judge = new FormatJudge(document, RULE);
  const root = MemberReader.open(withoutExtensions({ value: document.root, pointer: '' }), 'overlay', MEMBERS, judge);
  const actions = root === undefined ? [] : readMembers(root, judge);
  findings.push(...judge.findings);
  return { document, actions };
}

function readMembers(root: MemberReader, judge: FormatJudge): OverlayAction[] {
  const version = root.value('overlay');
  if (typeof version !== 'string' || !VERSION.test(version)) root.refuse('overlay', 'overlay: 1.0.0');
  if (root.has('extends')) root.text('extends');
  const info = root.value('info');
  if (info === undefined) root.refuse('info', 'an object with title and version');
  else {
    const members = MemberReader.open(
      withoutExtensions({ value: info, pointer: root.at('info') }),
      'info',
      INFO_MEMBERS,
      judge,
    );
    for (const name of INFO_MEMBERS)
      if (members !== undefined && typeof members.value(name) !== 'string') members.refuse(name, 'a string');
  }
  if (root.has('actions') && root.list('actions').length === 0 && Array.isArray(root.value('actions')))
    root.refuse('actions', 'at least one action');
  if (!root.has('actions')) root.refuse('actions', 'a list of actions');
  return root.list('actions').flatMap((action) => readAction(action, judge) ?? []);
}

function readAction(placed: PlacedValue, judge: FormatJudge): OverlayAction | undefined {
  const members = MemberReader.open(withoutExtensions(placed), 'action', ACTION_MEMBERS, judge);
  if (members === undefined) return undefined;
  if (members.has('description') && typeof members.value('description') !== 'string')
    members.refuse('description', 'a string');
  const target = members.text('target');
  if (!members.has('target')) members.refuse('target', 'a query of JSONPath, such as $.paths');
  const remove = members.value('remove');
  if (remove !== undefined && typeof remove !== 'boolean') members.refuse('remove', 'true or false');
  const update = members.value('update');
  if (update === undefined && remove !== true)
    judge.refuse(members.pointer, 'The action changes nothing', 'update or remove: true');
  const query = target === undefined ? undefined : compile(target, members);
  if (target === undefined || query === undefined) return undefined;
  return {
    target,
    pointer: members.pointer,
    update,
    removes: remove === true,
    find: (root) => query.query(root as never).nodes.map(({ location }) => location),
  };
}

function compile(target: string, members: MemberReader): JsonP3.JSONPathQuery | undefined {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded for those alone who have an overlay
  const { jsonpath } = require('json-p3') as typeof JsonP3;
  try {
    return jsonpath.compile(target);
  } catch (error) {
    members.refuse('target', `a query of JSONPath (RFC 9535): ${messageOf(error)}`);
    return undefined;
  }
}

/** Members that begin with `x-` may stand everywhere, and mean nothing here. */
function withoutExtensions({ value, pointer }: PlacedValue): PlacedValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { value, pointer };
  const members = Object.entries(value as Record<string, JsonValue>).filter(([name]) => !name.startsWith('x-'));
  return { value: Object.fromEntries(members), pointer };
}
