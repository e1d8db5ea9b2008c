import { observeResponse, type ResponseCheck } from '../../checks/response-check';
import { findingsByCheck } from '../../checks/response/registry';
import { bodyExpected, headersExpected } from '../../checks/response/expected/expectations';
import { bodyJson, bodyPresent } from '../../checks/response/body/body-presence';
import { undocumentedProperties } from '../../checks/response/body/body-properties';
import { bodySchema } from '../../checks/response/body/body-schema';
import { contentType } from '../../checks/response/headers/content-type';
import { headersSchema } from '../../checks/response/headers/headers-schema';
import type { Finding } from '../../core/errors/finding';
import type { EventExpectation } from '../../formats/contract/contract';
import type { ApiModel } from '../../openapi/model/api-model';
import type { DocumentedEvent } from '../../openapi/model/documented-events';
import type { ResponseSpec } from '../../openapi/model/operation';
import { verifySignature } from '../../security/message-signature';
import { EVENT_SIGNATURE } from '../result/runner-checks';
import type { ReceivedEvent } from '../transport/event-inbox';

/** What of a response is true of a request as well. */
const CHECKS: readonly ResponseCheck[] = [
  bodyExpected,
  headersExpected,
  contentType,
  bodyJson,
  bodySchema,
  undocumentedProperties,
  headersSchema,
];

/** A message is old for those who verify it (Standard Webhooks 1.0.0). */
const TOLERANCE_S = 300;

/**
 * What is wrong with an event that came, by the description and by the contract: judged as the answer that it would be.
 *
 * @param expected - its placeholders are filled in
 */
export function judgeEvent(
  api: ApiModel,
  event: DocumentedEvent,
  received: ReceivedEvent,
  expected: EventExpectation,
): Finding[] {
  const documented = specOf(event);
  const response = { status: STATUS, headers: received.headers, body: received.body };
  const wanted = { statuses: [STATUS], codes: [], body: expected.body, headers: expected.headers };
  const observed = observeResponse(api, {
    operation: undefined,
    method: event.request.method,
    response,
    expected: wanted,
  });
  const all = { ...observed, documented, commonError: undefined };
  const checked = [...findingsByCheck(all, CHECKS).values()].flat();
  const isMissing = observed.body.kind === 'empty' && event.request.requestBody?.required === true;
  const bodies: Finding[] = isMissing
    ? [
        {
          check: bodyPresent.id,
          severity: 'error',
          at: '/response/body',
          message: 'It has no body',
          expected: documented.mediaTypes.join(' or '),
          actual: 'no body',
          spec: documented.pointer,
        },
      ]
    : [];
  return [...bodies, ...checked, ...signatureFindings(received, expected, documented.pointer)].map((finding) =>
    ofEvent(event, finding),
  );
}

/** It stands for no status: what is sent is no answer. */
const STATUS = 200;

/** What is documented of a message, as if it were answered. */
function specOf({ request, pointer }: DocumentedEvent): ResponseSpec {
  const { requestBody, parameters } = request;
  const headers = parameters.filter((parameter) => parameter.in === 'header');
  return {
    status: String(STATUS),
    pointer: requestBody?.pointer ?? pointer,
    description: '',
    content: requestBody?.content ?? [],
    mediaTypes: requestBody?.mediaTypes ?? [],
    headers: new Map(headers.map((header) => [header.name.toLowerCase(), header])),
    links: [],
  };
}

/** A finding about a message that came: it stands in the step that caused it. */
export function ofEvent({ name }: Pick<DocumentedEvent, 'name'>, finding: Finding): Finding {
  return {
    ...finding,
    at: finding.at.replace(/^\/response/, '/event'),
    message: `The event ${name}: ${finding.message}`,
    identity: finding.identity && { ...finding.identity, subject: `${name}: ${finding.identity.subject ?? ''}` },
  };
}

function signatureFindings({ headers, body }: ReceivedEvent, { secret }: EventExpectation, spec: string): Finding[] {
  if (secret === undefined) return [];
  const verdict = verifySignature(headers, body, secret);
  const about = { check: EVENT_SIGNATURE.id, severity: 'error', at: '/event/headers', spec } as const;
  const expected = 'a signature (HMAC-SHA-256) with the secret, over the bytes that are sent';
  switch (verdict.kind) {
    case 'unsigned':
      return [{ ...about, message: 'It is not signed', expected, actual: 'no header that holds a signature' }];
    case 'wrong':
      return [
        {
          ...about,
          message: 'Its signature is not that of the secret',
          expected,
          actual: `another one in ${verdict.headers.join(', ')}`,
          hint: 'Is it made of the bytes that are sent, and not of JSON that was written anew?',
        },
      ];
    case 'signed': {
      const age = verdict.seconds === undefined ? 0 : Math.abs(Date.now() / 1000 - verdict.seconds);
      if (age <= TOLERANCE_S) return [];
      return [
        {
          ...about,
          severity: 'warning',
          message: 'Who verifies its signature takes it for old',
          expected: `a time within ${TOLERANCE_S} s of now`,
          actual: `${Math.round(age)} s beside it`,
        },
      ];
    }
  }
}
