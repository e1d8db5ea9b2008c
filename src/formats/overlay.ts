import type * as JsonP3 from 'json-p3';
import { messageOf, type SourceFinding } from '../core/errors/standin-error';
import type { JsonValue } from '../core/json/json-value';
import { findingAt, type SourceDocument } from '../openapi/read/source-document';
import { decode } from './decode';

/** On every finding about an overlay. */
export const OVERLAY_RULE = 'overlay-format';

/** A change of every location of a description that a query finds: https://spec.openapis.org/overlay/v1.0.0.html */
export interface OverlayAction {
  /** A query of JSONPath (RFC 9535), as it is written. */
  readonly target: string;
  /** JSON pointer of the action in its file. */
  readonly pointer: string;
  /** What is merged into an object, or added to an array; `undefined` for none. */
  readonly update: JsonValue | undefined;
  readonly removes: boolean;
  /** Finds the locations, each as the property names and indexes that lead to it. */
  find(root: JsonValue): readonly (readonly (string | number)[])[];
}

/** What is changed in a description before it is validated. */
export interface Overlay {
  readonly document: SourceDocument;
  readonly actions: readonly OverlayAction[];
}

/**
 * Reads an overlay of version 1.0 of the Overlay Specification.
 *
 * @param findings - gets what does not fit the format; with any of them the overlay is not to be used
 */
export function readOverlay(document: SourceDocument, findings: SourceFinding[]): Overlay {
  const errors = decode(document, 'overlay');
  findings.push(...errors);
  if (errors.length > 0) return { document, actions: [] };
  const { actions } = document.root as unknown as { readonly actions: readonly JsonValue[] };
  return { document, actions: actions.flatMap((action, index) => toAction(action, index, document, findings) ?? []) };
}

function toAction(
  action: JsonValue,
  index: number,
  document: SourceDocument,
  findings: SourceFinding[],
): OverlayAction | undefined {
  const { target, update, remove } = action as Pick<OverlayAction, 'target'> & Readonly<Record<string, JsonValue>>;
  const pointer = `/actions/${index}`;
  const query = compile(target);
  if (typeof query === 'string') {
    const message = `"target" must be a JSONPath query (RFC 9535), got "${target}": ${query}`;
    findings.push(findingAt(document, `${pointer}/target`, { rule: OVERLAY_RULE, message }));
    return undefined;
  }
  const find: OverlayAction['find'] = (root) => query.query(root as never).nodes.map(({ location }) => location);
  return { target, pointer, update, removes: remove === true, find };
}

/** @returns a query, or why the text is none */
function compile(target: string): JsonP3.JSONPathQuery | string {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded only with overlays
  const { jsonpath } = require('json-p3') as typeof JsonP3;
  try {
    return jsonpath.compile(target);
  } catch (error) {
    return messageOf(error);
  }
}
