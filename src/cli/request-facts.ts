import type { HttpResponse, RequestHead } from '../http/message';
import { parseTarget } from '../http/request-target';
import { JsonSyntaxError } from '../json/json-syntax-error';
import { isJsonObject, type JsonObject } from '../json/json-value';
import { parseJson } from '../json/parse-json';
import { errorRole, type ErrorRole } from '../openapi/error-schema';
import type { ApiModel } from '../openapi/model';

/** What a line of the log says beside method, target and status; what is not known is left out. */
export interface RequestFacts {
  /** operationId. */
  readonly operation?: string;
  /** Of a refusal, as its body has it: the answer to HEAD has none. */
  readonly code?: string;
  readonly message?: string;
}

/** Tells of an answered request which operation it was for and why it was refused. */
export type TellFacts = (head: RequestHead, response: HttpResponse) => RequestFacts;

/** @param basePath - path before every path of the description */
export function requestFacts(api: ApiModel, basePath: string): TellFacts {
  return (head, { status, body }) => {
    const operation = operationOf(api, basePath, head);
    const error = status >= 400 && typeof body === 'string' ? objectIn(body) : undefined;
    const code = textOf(error, 'code');
    const message = textOf(error, 'message');
    return {
      ...(operation === undefined ? {} : { operation }),
      ...(code === undefined ? {} : { code }),
      ...(message === undefined ? {} : { message }),
    };
  };
}

function operationOf(api: ApiModel, basePath: string, { method, target }: RequestHead): string | undefined {
  const path = parseTarget(target)?.path;
  if (path === undefined || !path.startsWith(`${basePath}/`)) return undefined;
  const operations = api.routes.match(path.slice(basePath.length))?.route.operations;
  return (operations?.get(method) ?? (method === 'HEAD' ? operations?.get('GET') : undefined))?.id;
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
