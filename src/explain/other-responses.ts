import { checkParameters, isRequired } from '../checks/request/parameters';
import type { RequestHead } from '../core/http/message';
import { type Problem, problem, type ProblemCode } from '../core/http/problem';
import { locationText } from './data-origins';
import type { MockContext } from '../mock/context/context';
import { fitStatus } from '../mock/context/error-response';
import { authenticate, checkSunset } from '../mock/pipeline/admission';
import { missingBody } from '../checks/request/content-type';
import { documentsHeader } from '../mock/plans/documented-responses';
import type { OperationPlan } from '../mock/plans/operation-plan';
import type { ApiModel } from '../openapi/model/api-model';
import type { Operation, Parameter, RequiredScheme } from '../openapi/model/operation';
import { findResponse } from '../openapi/view/responses';
import { kindOf } from '../security/registry';

/**
 * What a request for an operation is rejected with that lacks one thing; `undefined` where that is not asked for. Asks the
 * very checks of a request, with one that says nothing; in the order in which they speak.
 */
function rejectionsOf(
  context: MockContext,
  operation: Operation,
): Record<'credentials' | 'sunset' | 'parameters' | 'body', RejectionExplanation | undefined> {
  const { requestBody } = operation;
  const isBodyMissed = requestBody?.required === true && requestBody.content.length > 0;
  const fitted = (problem: Problem | undefined): RejectionExplanation | undefined => {
    if (problem === undefined) return undefined;
    const { status, code, message } = fitStatus(problem, operation, context.api);
    return { status, code, message };
  };
  return {
    credentials: fitted(checkedCredentials(context, operation)),
    sunset: fitted(checkSunset(context, operation)),
    parameters: fitted(checkedParameters(operation)),
    body: isBodyMissed ? fitted(missingBody(requestBody)) : undefined,
  };
}

function checkedCredentials(context: MockContext, operation: Operation): Problem | undefined {
  const checked = authenticate(context, operation, bareHead(operation), '');
  return checked.kind === 'refused' ? checked.problem : undefined;
}

/** Without what the path template says itself: a request that lacks this is one for another operation. */
function checkedParameters(operation: Operation): Problem | undefined {
  const told = new Set(operation.selectors.map(({ in: place, name }) => `${place} ${name.toLowerCase()}`));
  const parameters = operation.parameters.filter(
    ({ in: place, name }) => place !== 'path' && !told.has(`${place} ${name.toLowerCase()}`),
  );
  const input = { head: bareHead(operation), pathParameters: {}, query: '', strict: false };
  const checked = checkParameters({ ...operation, parameters }, input);
  return checked.kind === 'refused' ? checked.problem : undefined;
}

function bareHead({ method, path }: Operation): RequestHead {
  return { method, target: path, headers: {}, rawHeaders: [] };
}

export interface RejectionExplanation {
  readonly status: number;
  /** One of those in docs/reference/errors.md, or of the rules file. */
  readonly code: string;
  readonly message: string;
}

/** What a request needs before anything else is looked at, and what becomes of one without it. */
export interface RequirementsExplanation {
  /** One of the alternatives is needed; `undefined` where anybody is let in. */
  readonly credentials:
    | {
        readonly anyOf: readonly string[];
        /** `undefined`: callers without any are let in as well. */
        readonly without: RejectionExplanation | undefined;
      }
    | undefined;
  /** Required parameters but those of the path, without which no path would match. */
  readonly parameters:
    | {
        readonly required: readonly {
          readonly name: string;
          readonly in: string;
          readonly place: string | undefined;
        }[];
        readonly without: RejectionExplanation;
      }
    | undefined;
  readonly body:
    | {
        readonly mediaTypes: readonly string[];
        readonly place: string | undefined;
        /** `undefined` for a body that may be left out. */
        readonly without: RejectionExplanation | undefined;
      }
    | undefined;
  /** Why no request is answered any more. */
  readonly ended: RejectionExplanation | undefined;
}

export function explainRequirements(context: MockContext, operation: Operation): RequirementsExplanation {
  const { api } = context;
  const { security, requestBody, parameters } = operation;
  const rejections = rejectionsOf(context, operation);
  const required = parameters.filter((parameter) => isRequired(parameter) && parameter.in !== 'path');
  return {
    credentials:
      security.length === 0
        ? undefined
        : {
            anyOf: security.map(
              (schemes) => schemes.map((scheme) => schemeText(api, scheme)).join(' and ') || 'nothing',
            ),
            without: rejections.credentials,
          },
    parameters:
      rejections.parameters === undefined
        ? undefined
        : {
            required: required.map(({ name, in: location, pointer }) => {
              return { name, in: location, place: locationText(api.document, pointer) };
            }),
            without: rejections.parameters,
          },
    body:
      requestBody === undefined
        ? undefined
        : {
            mediaTypes: requestBody.mediaTypes,
            place: locationText(api.document, requestBody.pointer),
            without: rejections.body,
          },
    ended: rejections.sunset,
  };
}

/** `apiKeyBearer (header Authorization: Bearer …, scopes read)`. */
function schemeText({ securitySchemes }: ApiModel, { name, scopes }: RequiredScheme): string {
  const scheme = securitySchemes.get(name);
  if (scheme === undefined) return `${name} (not described: not asked for)`;
  const asked = scopes.length === 0 ? '' : `, scopes ${scopes.join(' ')}`;
  return `${name} (${kindOf(scheme)?.explain(scheme) ?? 'unknown type: not asked for'}${asked})`;
}

/** A status that an operation documents beside that of its success. */
export interface OtherResponse {
  /** As the description writes it: `404`, `4XX`, `default`. */
  readonly status: string;
  /** Header of a request that gets it. */
  readonly prefer: string | undefined;
  /** Names of examples, each of which can be asked for. */
  readonly examples: readonly string[];
  /** Requests that get it without asking for it, as far as they are known. */
  readonly when: readonly string[];
  readonly place: string | undefined;
}

/** @param usual - statuses of the success */
export function explainOtherResponses(
  api: ApiModel,
  plan: OperationPlan,
  needs: RequirementsExplanation,
  usual: readonly number[],
): OtherResponse[] {
  const { document } = api;
  const { operation } = plan;
  return [...operation.responses.values()]
    .filter((response) => !usual.some((status) => findResponse(operation, status) === response))
    .map((response) => {
      const code = codeFor(operation, response.status);
      const names = response.content.flatMap(({ examples }) => examples.flatMap(({ name }) => name ?? []));
      return {
        status: response.status,
        prefer: code === undefined ? undefined : `Prefer: code=${code}`,
        examples: [...new Set(names)],
        when: occasions(api, plan, needs)
          .filter(({ status }) => findResponse(operation, status) === response)
          .map(({ when }) => when),
        place: locationText(document, response.pointer),
      };
    });
}

/** A status that only this response is for; for `default`, one that is a failure. */
function codeFor(operation: Operation, status: string): number | undefined {
  if (/^[2-5]\d\d$/.test(status)) return Number(status);
  const first = /^[2-5]XX$/.test(status) ? Number(status.charAt(0)) * 100 : status === 'default' ? 500 : undefined;
  if (first === undefined) return undefined;
  const response = operation.responses.get(status);
  for (let code = first; code < first + 100; code++) if (findResponse(operation, code) === response) return code;
  return undefined;
}

interface Occasion {
  readonly status: number;
  readonly when: string;
}

/** What is known to lead to a status, from what a request needs and from what the operation does. */
function occasions(api: ApiModel, plan: OperationPlan, needs: RequirementsExplanation): Occasion[] {
  const { credentials, parameters, body, ended } = needs;
  const { operation } = plan;
  const fitting = (code: ProblemCode): number => fitStatus(problem(code, ''), operation, api).status;
  return [
    ...rejectedWith(credentials?.without, 'without credentials'),
    ...rejectedWith(parameters?.without, 'without a required parameter'),
    ...when(
      fitting('invalid_parameter'),
      operation.parameters.some(isConstrained),
      'a parameter that breaks its schema',
    ),
    ...rejectedWith(body?.without, 'without a body'),
    ...when(fitting('invalid_field'), body !== undefined, 'a body that breaks its schema'),
    ...stateOccasions(plan.behaviour, operation),
    ...(plan.parentItem === undefined
      ? []
      : when(404, true, `an item of ${plan.parentItem.resource} in the path that is not there`)),
    ...when(406, plan.offered.length > 0, 'an Accept that leaves out what there is'),
    ...when(413, body !== undefined, 'a body that is too large'),
    ...when(415, body !== undefined, 'a body of another media type'),
    ...when(429, true, 'standin mock --rate-limit, once it is used up'),
    ...(ended === undefined ? endOccasions(operation) : rejectedWith(ended, 'every request, since its sunset')),
  ];
}

function stateOccasions(behaviour: OperationPlan['behaviour'], operation: Operation): Occasion[] {
  if (behaviour === undefined) return [];
  const { binding, takesIfMatch, kind, resource } = behaviour;
  const isOne = binding.keyParameter !== undefined && kind !== 'upsert';
  const isBelow = resource.scope.some(({ parent }) => parent !== undefined);
  return [
    ...when(404, isOne, `{${binding.keyParameter ?? ''}} that no item has`),
    ...when(404, isBelow, 'an item in the path above that is not there'),
    ...when(
      304,
      kind === 'read' && documentsHeader(operation, 'if-none-match'),
      'If-None-Match with the ETag of the item',
    ),
    ...when(412, takesIfMatch && isOne, 'If-Match with another ETag than that of the item'),
  ];
}

function endOccasions({ lifecycle: { deprecated, sunset } }: Operation): Occasion[] {
  if (!deprecated || sunset === undefined) return [];
  return when(410, true, `every request, from ${new Date(sunset).toISOString()} on`);
}

function when(status: number, isSo: boolean, text: string): Occasion[] {
  return isSo ? [{ status, when: text }] : [];
}

function rejectedWith(rejection: RejectionExplanation | undefined, text: string): Occasion[] {
  return rejection === undefined ? [] : [{ status: rejection.status, when: text }];
}

const ANNOTATIONS: ReadonlySet<string> = new Set(['type', 'description', 'example', 'examples', 'default', 'title']);

/** Is there a value that its schema rejects? A plain text is taken whatever it says. */
function isConstrained({ schema }: Parameter): boolean {
  const { type } = schema?.value ?? {};
  if (schema === undefined || type === undefined) return false;
  return (
    type !== 'string' || Object.keys(schema.value).some((name) => !ANNOTATIONS.has(name) && !name.startsWith('x-'))
  );
}
