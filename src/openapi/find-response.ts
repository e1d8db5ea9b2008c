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
