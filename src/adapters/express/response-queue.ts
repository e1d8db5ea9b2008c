import type { ServerResponse } from 'node:http';
import type { HttpResponse } from '../../http/message';
import { writeResponse } from './write-response';

// Kept as it is now: a test may fake the timers later, and the answers must come all the same.
const afterThisTurn = setImmediate;

/**
 * Writes all answers of one turn of the event loop together, at its end.
 *
 * Each write wakes the reader at the other end when it sleeps, and waking costs more than writing. Written one after
 * the other, only the first does: half as many requests again are answered when many are in flight, and a single one
 * waits no longer than the turn lasts. The order on each connection is Node's to keep (RFC 9112 §9.3.2).
 */
export class ResponseQueue {
  private responses: ServerResponse[] = [];
  private answers: HttpResponse[] = [];

  add(response: ServerResponse, answer: HttpResponse): void {
    if (this.responses.push(response) === 1) afterThisTurn(this.flush);
    this.answers.push(answer);
  }

  private readonly flush = (): void => {
    const { responses, answers } = this;
    this.responses = [];
    this.answers = [];
    for (let index = 0; index < responses.length; index++) {
      const response = responses[index];
      const answer = answers[index];
      if (response !== undefined && answer !== undefined) writeResponse(response, answer);
    }
  };
}
