import { checkResponse } from '../../src/checks/response/registry';
import { observeResponse } from '../../src/checks/response-check';
import { StandinError } from '../../src/core/errors/standin-error';
import type { HttpRequest, HttpResponse, Transport } from '../../src/core/http/message';
import type { Operation } from '../../src/openapi/model/operation';
import type { ApiModel } from '../../src/openapi/model/api-model';
import { requestFor, type MakeValue } from './request-for';
import type { Complaint } from './trial';

export interface Calls {
  readonly answered: number;
  readonly succeeded: number;
  readonly wrong: readonly Complaint[];
  readonly failed: readonly Complaint[];
}

/** What a request led to, judged by every check that `standin verify` has. */
export interface Answer {
  /** `undefined` when no answer came. */
  readonly response: HttpResponse | undefined;
  readonly complaints: readonly Complaint[];
}

export function nameOf({ method, written: path }: Operation): string {
  return `${method} ${path}`;
}

/** Calls every operation once with a good request. */
export async function callOperations(
  api: ApiModel,
  base: string,
  transport: Transport,
  makeValue: MakeValue,
): Promise<Calls> {
  const wrong: Complaint[] = [];
  const failed: Complaint[] = [];
  let answered = 0;
  let succeeded = 0;
  for (const operation of api.operations) {
    const made = requestFor(api, operation, base, makeValue);
    if (made.kind === 'not-made') {
      failed.push({ operation: nameOf(operation), kind: 'no request', detail: made.reason });
      continue;
    }
    const { response, complaints } = await call(api, operation, made.request, transport);
    wrong.push(...complaints);
    if (response === undefined) failed.push({ operation: nameOf(operation), kind: 'no response', detail: '' });
    else if (response.status >= 500) {
      const detail = bodyText(response);
      failed.push({ operation: nameOf(operation), kind: `answers ${response.status}`, detail });
    } else answered += 1;
    if (response !== undefined && response.status < 400) succeeded += 1;
    else if (response !== undefined && response.status < 500 && !isLawful(operation, response.status)) {
      failed.push({ operation: nameOf(operation), kind: `rejects ${response.status}`, detail: bodyText(response) });
    }
  }
  return { answered, succeeded, wrong, failed };
}

/**
 * Refusals that say nothing about the request itself: no such item, or a rule of the service that the description
 * documents.
 */
export function isLawful(operation: Operation, status: number): boolean {
  return status === 404 || ((status === 409 || status === 422) && operation.responses.has(String(status)));
}

export async function call(
  api: ApiModel,
  operation: Operation,
  request: HttpRequest,
  transport: Transport,
): Promise<Answer> {
  let response: HttpResponse;
  try {
    response = await transport.send(request);
  } catch (error) {
    if (!(error instanceof StandinError)) throw error;
    return {
      response: undefined,
      complaints: [{ operation: nameOf(operation), kind: error.code, detail: error.message }],
    };
  }
  return { response, complaints: judge(api, operation, request, response) };
}

function judge(api: ApiModel, operation: Operation, { method }: HttpRequest, response: HttpResponse): Complaint[] {
  try {
    const observed = observeResponse(api, { operation, method, response, expected: undefined });
    return (
      checkResponse(observed)
        .findings.filter(({ severity, check }) => severity === 'error' && check !== 'no-server-error')
        // A description cannot name every refusal; that the mock says 400 where it is silent is no fault of its body.
        .filter(({ check }) => !(check === 'status-documented' && response.status >= 400))
        .map(({ check, at, message }) => ({
          operation: nameOf(operation),
          kind: check,
          detail: `${response.status} ${at} ${message}`.slice(0, 300),
        }))
    );
  } catch (error) {
    if (!(error instanceof StandinError)) throw error;
    return [{ operation: nameOf(operation), kind: error.code, detail: error.message.slice(0, 300) }];
  }
}

export function bodyText({ body }: HttpResponse): string {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  return text.slice(0, 300);
}
