import type { Operation, ResponseSpec } from './model';

/** The documented response for a status: the code itself, else its range, else `default` (OAS 3.0.3 §4.7.16). */
export function findResponse(operation: Operation, status: number): ResponseSpec | undefined {
  const text = String(status);
  return (
    operation.responses.get(text) ??
    operation.responses.get(`${text.charAt(0)}XX`) ??
    operation.responses.get('default')
  );
}

const BARE = new WeakMap<ResponseSpec, ResponseSpec>();

/** The same as it can be sent: a 204, 205 or 304 has no content, whatever is documented (RFC 9110 §6.4.1, §15.3.6). */
export function findSendable(operation: Operation, status: number): ResponseSpec | undefined {
  const response = findResponse(operation, status);
  const mayHaveContent = status !== 204 && status !== 205 && status !== 304;
  if (response === undefined || mayHaveContent || response.content.length === 0) return response;
  let bare = BARE.get(response);
  if (bare === undefined) BARE.set(response, (bare = { ...response, content: [], mediaTypes: [] }));
  return bare;
}
