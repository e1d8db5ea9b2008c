import { previewStatus, type ResponseCheck } from '../../response-check';

/**
 * Statuses that HTTP itself may answer with, whatever the operation (RFC 9110 §15.5, RFC 6585). A description need
 * not list them with each operation.
 */
const PROTOCOL_STATUSES = new Set([405, 406, 408, 413, 414, 415, 417, 428, 429, 431, 503]);

/** The status is one that the operation documents. */
export const statusDocumented: ResponseCheck = {
  id: 'status-documented',
  source: 'OAS 3.0.3 §4.7.16 Responses Object',
  basis: 'description',
  priority: -1,
  run(observed) {
    const { operation, documented, status, method } = observed;
    if (operation === undefined) return undefined;
    // A service that has no HEAD is not the one that its GET describes.
    if (method === 'HEAD' && operation.method === 'GET' && status === 404) return [];
    if (documented !== undefined || PROTOCOL_STATUSES.has(status)) return [];
    return [
      {
        at: '/response/status',
        message: `${operation.id} does not document the status ${status}`,
        expected: [...operation.responses.keys()].join(', '),
        actual: previewStatus(observed),
        spec: `${operation.pointer}/responses`,
        hint: 'Document this status, or correct the server.',
      },
    ];
  },
};
