import { isJsonObject } from '../../json/json-value';
import { commonError, errorRole, promisedErrors } from '../../openapi/error-schema';
import type { ApiModel } from '../../openapi/model';
import type { ObservedExchange } from './observed-exchange';

/** The type of a problem that says no more than its status does (RFC 9457 §4.2.1): a code for every status, and so none. */
const NO_TYPE = 'about:blank';

/** The code of an error answer, out of the member that its schema keeps it in; `undefined` when it has none. */
export function errorCode(api: ApiModel, { operation: id, status, body }: ObservedExchange): string | undefined {
  if (status === undefined || status < 400 || !isJsonObject(body)) return undefined;
  const operation = id === undefined ? undefined : api.operationById(id);
  const schema = promisedErrors(operation, status, commonError(api))[0]?.schema;
  const names = schema === undefined ? [] : [...api.propertiesOf(schema).keys()];
  const name = names.find((candidate) => errorRole(candidate) === 'code');
  const code = name === undefined ? undefined : body[name];
  return typeof code === 'string' && code !== '' && code !== NO_TYPE ? code : undefined;
}
