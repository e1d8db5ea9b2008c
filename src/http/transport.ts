import type { HttpRequest, HttpResponse } from './message';

/**
 * The only way to a target: whoever sends a request sends it through this, and cannot tell a socket from a mock in
 * the same process.
 */
export interface Transport {
  /**
   * Sends one request and gives the whole response. Any status is a response; the promise rejects only when no
   * response came.
   */
  send(request: HttpRequest): Promise<HttpResponse>;
}
