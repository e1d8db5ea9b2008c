import type { Problem } from '../checks/problem';
import { isNeeded } from '../checks/request/parameters';
import type { MockContext } from '../mock/context';
import { refusalsOf } from '../mock/refusals';
import type { ApiModel, Operation, RequiredScheme } from '../openapi/model';
import { placeText } from './reason';

/** How a request is refused. */
export interface RefusalExplanation {
  readonly status: number;
  /** One of those in docs/errors.md, or of the rules file. */
  readonly code: string;
  readonly message: string;
}

/** What a request needs before anything else is looked at, and what becomes of one without it. */
export interface NeedsExplanation {
  /** One of the alternatives is needed; `undefined` where anybody is let in. */
  readonly credentials:
    | {
        readonly anyOf: readonly string[];
        /** `undefined`: callers without any are let in as well. */
        readonly without: RefusalExplanation | undefined;
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
        readonly without: RefusalExplanation;
      }
    | undefined;
  readonly body:
    | {
        readonly mediaTypes: readonly string[];
        readonly place: string | undefined;
        /** `undefined` for a body that may be left out. */
        readonly without: RefusalExplanation | undefined;
      }
    | undefined;
  /** Why no request is answered any more. */
  readonly ended: RefusalExplanation | undefined;
}

export function explainNeeds(context: MockContext, operation: Operation): NeedsExplanation {
  const { api } = context;
  const { security, requestBody, parameters } = operation;
  const refusals = refusalsOf(context, operation);
  const required = parameters.filter((parameter) => isNeeded(parameter) && parameter.in !== 'path');
  return {
    credentials:
      security.length === 0
        ? undefined
        : {
            anyOf: security.map(
              (schemes) => schemes.map((scheme) => schemeText(api, scheme)).join(' and ') || 'nothing',
            ),
            without: refusalFrom(refusals.credentials),
          },
    parameters:
      refusals.parameters === undefined
        ? undefined
        : {
            required: required.map(({ name, in: location, pointer }) => {
              return { name, in: location, place: placeText(api.document, pointer) };
            }),
            without: toRefusal(refusals.parameters),
          },
    body:
      requestBody === undefined
        ? undefined
        : {
            mediaTypes: requestBody.mediaTypes,
            place: placeText(api.document, requestBody.pointer),
            without: refusalFrom(refusals.body),
          },
    ended: refusalFrom(refusals.sunset),
  };
}

function refusalFrom(problem: Problem | undefined): RefusalExplanation | undefined {
  return problem === undefined ? undefined : toRefusal(problem);
}

function toRefusal({ status, code, message }: Problem): RefusalExplanation {
  return { status, code, message };
}

/** `apiKeyBearer (header Authorization: Bearer …)`. */
function schemeText({ securitySchemes }: ApiModel, { name, scopes }: RequiredScheme): string {
  const scheme = securitySchemes.get(name);
  if (scheme === undefined) return `${name} (not described: not asked for)`;
  const asked = scopes.length === 0 ? '' : `, scopes ${scopes.join(' ')}`;
  switch (scheme.type) {
    case 'apiKey':
      return `${name} (${scheme.in ?? ''} ${scheme.parameterName ?? ''})`;
    case 'http':
      return `${name} (header Authorization: ${httpScheme(scheme.scheme ?? '')} …${asked})`;
    case 'mutualTLS':
      return `${name} (a certificate of the connection: not asked for)`;
    default:
      return `${name} (header Authorization: Bearer …${asked})`;
  }
}

function httpScheme(scheme: string): string {
  return `${scheme.slice(0, 1).toUpperCase()}${scheme.slice(1)}`;
}
