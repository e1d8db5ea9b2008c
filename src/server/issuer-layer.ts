import type { Request, RequestHandler, Response } from 'express';
import { ConfigError } from '../core/errors/standin-error';
import type { RequestHead } from '../core/http/message';
import type { JsonValue } from '../core/json/json-value';
import { problem } from '../core/http/problem';
import { parseTarget } from '../core/http/request-target';
import type * as IssuerModule from '../issuer/issuer';
import type { MockParts } from '../mock/create-mock';
import type { IssuerTokens } from '../security/credential-check';
import type { CurrentMock } from './controls/sandbox-controls';
import type { TokenControls } from './controls/token-controls';
import type { OnResponse } from './request-handler';
import { writeResponse } from './response-delivery';

/** An issuer as a part of the server. */
export interface BesideApi {
  readonly controls: TokenControls;
  readonly tokens: IssuerTokens | undefined;
  /** The components of a description with the addresses of the issuer in them. */
  readonly withIssuer: ((components: JsonValue, address: string) => JsonValue) | undefined;
  /** They answer what is for the issuer, and hand everything else on. */
  layers(onAnswered: OnResponse | undefined): readonly RequestHandler[];
}

/** Nobody signs in, and no request is looked at for that. */
const NO_ISSUER: BesideApi = {
  controls: {
    tokenFor() {
      throw new ConfigError('CONFIG_INVALID', 'There is no issuer that could sign a token', {
        hint: 'Start with one: createMockServer({ issuer: true }).',
      });
    },
  },
  tokens: undefined,
  withIssuer: undefined,
  layers: () => [],
};

/** @param options - `undefined` where nobody signs in */
export function issuerBeside(
  options: IssuerModule.IssuerOptions | undefined,
  current: CurrentMock,
  reportDefect: MockParts['reportDefect'],
): BesideApi {
  if (options === undefined) return NO_ISSUER;
  // oxlint-disable-next-line typescript/no-require-imports -- loaded only by who has people sign in
  const { Issuer } = require('../issuer/issuer') as typeof IssuerModule;
  const issuer = new Issuer(current, options, (error) => {
    reportDefect(error, { method: 'GET', target: '(the issuer)', headers: {}, rawHeaders: [] });
  });
  return {
    tokens: issuer,
    withIssuer: (components, address) => issuer.withAddresses(components, address),
    controls: { tokenFor: (request = {}) => issuer.tokenFor(request) },
    layers: (onAnswered) => [
      (request, response, next) => {
        const place = issuer.placeOf(parseTarget(request.url)?.path ?? '');
        if (place === undefined) {
          next();
          return;
        }
        const head = logged(request, response, onAnswered);
        issuer.handle(place, request, response).catch((error: unknown) => {
          reportDefect(error, head);
          if (response.headersSent) response.destroy();
          else writeResponse(response, current().engine.refuse(problem('internal_error', 'The issuer met a defect')));
        });
      },
    ],
  };
}

/** @returns the head of a request, which is logged when it is answered */
function logged(request: Request, response: Response, onAnswered: OnResponse | undefined): RequestHead {
  const startedAt = process.hrtime.bigint();
  const { method, originalUrl: target, headers, rawHeaders } = request;
  const head = { method, target, headers, rawHeaders };
  if (onAnswered !== undefined)
    response.on('finish', () => {
      onAnswered(head, { status: response.statusCode, headers: [], body: undefined }, startedAt);
    });
  return head;
}
