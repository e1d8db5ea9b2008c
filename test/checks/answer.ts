import { loadApi } from '../../src/files/load-api';
import { findingsByCheck, RESPONSE_CHECKS } from '../../src/checks/response/registry';
import { observeResponse, type ObservedResponse, type RequestFacts } from '../../src/checks/response-check';
import type { Expectation } from '../../src/formats/contract/contract';
import { type ApiModel, buildModel } from '../../src/openapi/model/api-model';
import { readSource } from '../../src/openapi/read/read-source';

const { api: PETSTORE } = loadApi();

/** An answer to be judged. */
export interface Answer extends RequestFacts {
  /** The bundled description unless another is given. */
  readonly api?: ApiModel;
  /** `undefined` for a request that no operation describes. */
  readonly of?: string | undefined;
  readonly method?: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | readonly string[];
  readonly body?: string | Uint8Array;
  /** Statuses that a contract expects. */
  readonly expects?: readonly number[];
}

export interface CheckCases {
  /** Answers that the check finds fault with, and the beginnings of what it says. */
  readonly speaks: readonly (readonly [name: string, answer: Answer, ...findings: string[]])[];
  /** Answers that it judges and finds right. */
  readonly silent: readonly (readonly [name: string, answer: Answer])[];
  /** Answers that it has nothing to say about. */
  readonly idle: readonly (readonly [name: string, answer: Answer])[];
}

export const JSON_TYPE = { 'Content-Type': 'application/json' };
export const PET = '{"id":1,"name":"Zoë","categoryId":1,"status":"available"}';
export const NOT_FOUND = '{"code":"resource_not_found","message":"no pet has the id 9","status":404}';

/** The pet that was asked for. */
export function pet(more: Partial<Answer> = {}): Answer {
  return { of: 'getPet', status: 200, headers: JSON_TYPE, body: PET, ...more };
}

/** A refusal of a read. */
export function refusal(status: number, message = 'no', more: Partial<Answer> = {}): Answer {
  const body = JSON.stringify({ code: 'refused', message, status });
  return { of: 'getPet', status, headers: JSON_TYPE, body, ...more };
}

export function describeApi(text: string): ApiModel {
  return buildModel(readSource(text, 'shop.yaml'));
}

export function observe(answer: Answer): ObservedResponse {
  const { api = PETSTORE, of: id, method, status, headers = {}, body, expects, ...facts } = answer;
  const operation = id === undefined ? undefined : api.operationById(id);
  if (id !== undefined && operation === undefined) throw new Error(`no operation ${id}`);
  const nothingElse: Omit<Expectation, 'statuses'> = { codes: [], body: undefined, headers: [] };
  return observeResponse(api, {
    ...facts,
    operation,
    method: method ?? operation?.method ?? 'GET',
    response: { status, headers: Array.isArray(headers) ? headers : Object.entries(headers).flat(), body },
    expected: expects === undefined ? undefined : { statuses: expects, ...nothingElse },
  });
}

/** What one check says of an answer: `undefined` when it has nothing to judge. */
export function run(id: string, answer: Answer): readonly string[] | undefined {
  if (!RESPONSE_CHECKS.some((check) => check.id === id)) throw new Error(`no check ${id}`);
  return findingsByCheck(observe(answer))
    .get(id)
    ?.map(({ severity, at, message }) => `${severity} ${at}: ${message}`);
}
