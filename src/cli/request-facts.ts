import type { HttpResponse, RequestHead } from '../http/message';
import { parseTarget } from '../http/request-target';
import { JsonSyntaxError } from '../json/json-syntax-error';
import { isJsonObject, type JsonObject } from '../json/json-value';
import { parseJson } from '../json/parse-json';
import { errorRole, type ErrorRole } from '../openapi/error-schema';
import { operationOf } from '../openapi/operation-choice';
import type { Mount } from '../openapi/server-url';

/** What a line of the log says beside method, target and status; what is not known is left out. */
export interface RequestFacts {
  /** operationId. */
  readonly operation?: string;
  /** Of a refusal, as its body has it, else as the mock knows it. */
  readonly code?: string;
  readonly message?: string;
  /** What the client should know although it was answered. */
  readonly warnings?: HttpResponse['warnings'];
}

/** Tells of an answered request which operation it was for and why it was refused. */
export type TellFacts = (head: RequestHead, response: HttpResponse) => RequestFacts;

/** @param mounts - what answers where, in the order that a request looks for it */
export function requestFacts(mounts: readonly Mount[]): TellFacts {
  return (head, { status, body, untold, warnings }) => {
    const operation = idOf(mounts, head);
    const error = status >= 400 && typeof body === 'string' ? objectIn(body) : undefined;
    const code = untold?.code ?? textOf(error, 'code');
    const message = untold?.message ?? textOf(error, 'message');
    return {
      ...(operation === undefined ? {} : { operation }),
      ...(code === undefined ? {} : { code }),
      ...(message === undefined ? {} : { message }),
      ...(warnings === undefined || warnings.length === 0 ? {} : { warnings }),
    };
  };
}

function idOf(mounts: readonly Mount[], { method, target, headers }: RequestHead): string | undefined {
  const { path, query = '' } = parseTarget(target) ?? {};
  const inside = mounts.filter(({ basePath }) => path?.startsWith(`${basePath}/`) === true);
  const match = inside.map(({ basePath, routes }) => routes.match(path?.slice(basePath.length) ?? ''));
  const route = match.find((each) => each !== undefined)?.route;
  if (route === undefined) return undefined;
  const asked = method === 'HEAD' && !route.operations.has('HEAD') ? 'GET' : method;
  return operationOf(route, asked, query, headers)?.id;
}

function objectIn(body: string): JsonObject | undefined {
  try {
    const value = parseJson(body);
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

/** The member that has the role by its exact name, else the first one that could have it. */
function textOf(error: JsonObject | undefined, role: Exclude<ErrorRole, 'status'>): string | undefined {
  if (error === undefined) return undefined;
  const exact = role === 'message' ? ['message', 'detail'] : ['code'];
  const names = [...exact, ...Object.keys(error).filter((name) => errorRole(name) === role)];
  for (const name of names) {
    const value = Object.hasOwn(error, name) ? error[name] : undefined;
    if (typeof value === 'string') return value;
  }
  return undefined;
}
