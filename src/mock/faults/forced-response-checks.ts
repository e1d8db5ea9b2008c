import type { ConfigError } from '../../core/errors/standin-error';
import { headerValue } from '../../core/http/headers';
import type { RawHeaders } from '../../core/http/message';
import type { JsonValue } from '../../core/json/json-value';
import { counted } from '../../core/text/printable';
import { similarName } from '../../core/text/similar-name';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Operation, ResponseSpec } from '../../openapi/model/operation';
import { findSendableResponse } from '../../openapi/view/responses';
import type { PayloadSource } from '../../payload/payload-source';
import type { ForcedAnswer, RespondOptions } from './forced-response-queue';
import { judgeBody, type JudgedBody, NotJsonError, toJson, violationsOf } from './given-body';
import { demandOption, listed, shown, wrongOption } from './wrong-option';

/** What forced responses are held against. */
export interface ResponseReference {
  readonly api: ApiModel;
  readonly payloads: Pick<PayloadSource, 'sample'>;
  successStatusOf(operation: Operation): number;
}

const VIOLATES = 'Give "violates": true to break the description on purpose.';

/** What an operation is to answer in place of what it does, and whether that breaks the description. */
export interface ReadAnswer {
  /** `undefined` for the natural response. */
  readonly answer: ForcedAnswer | undefined;
  readonly isViolation: boolean;
}

/** Reads status, example and body of a forced response, and holds them against the description. */
export class AnswerReader {
  private readonly reference: ResponseReference;
  private readonly operation: Operation;
  private readonly options: RespondOptions;

  constructor(reference: ResponseReference, operation: Operation, options: RespondOptions) {
    this.reference = reference;
    this.operation = operation;
    this.options = options;
  }

  /** @throws ConfigError `CONFIG_INVALID` */
  read(headers: RawHeaders): ReadAnswer {
    const { status, example, violates = false }: Record<string, unknown> = { ...this.options };
    demandOption(this.operation, 'violates', violates, typeof violates === 'boolean', 'true or false');
    const hasBody = 'body' in this.options;
    if (status === undefined && example === undefined && !hasBody) return { answer: undefined, isViolation: false };
    if (example !== undefined && hasBody) throw this.wrong('example', 'an example and a body are given', 'one of them');
    return this.readFor(this.status(), headers);
  }

  private readFor(status: number, headers: RawHeaders): ReadAnswer {
    const { example, violates } = this.options;
    const response = findSendableResponse(this.operation, status);
    if (response === undefined && violates !== true)
      throw this.wrong('status', `the status ${status} is not documented`, this.documented(), VIOLATES);
    const isUndocumented = response === undefined;
    if ('body' in this.options) {
      const { answer, isViolation } = this.body(response, status, headers);
      return { answer, isViolation: isUndocumented || isViolation };
    }
    const answer = { status, example, body: undefined };
    if (example !== undefined) return { answer, isViolation: this.isBadExample(response, status, example) };
    this.demandBody(response, status);
    return { answer, isViolation: isUndocumented };
  }

  /** That of an example, or of a success, where none is given. */
  private status(): number {
    const { status, example } = this.options;
    if (status !== undefined) {
      const isStatus = Number.isInteger(status) && status >= 200 && status <= 599;
      demandOption(this.operation, 'status', status, isStatus, 'a whole number from 200 to 599');
      return status;
    }
    const success = this.reference.successStatusOf(this.operation);
    if (example === undefined || namesIn(findSendableResponse(this.operation, success)).includes(example))
      return success;
    const having = [...this.operation.responses.values()].filter((response) => namesIn(response).includes(example));
    if (having.length === 0) throw this.unknownExample(example, this.examples());
    const [only] = having;
    if (only !== undefined && having.length === 1 && /^\d+$/.test(only.status)) return Number(only.status);
    const where = having.map((response) => response.status).join(' and ');
    throw this.wrong('status', `the example "${example}" is one of ${where}`, 'the status too');
  }

  private isBadExample(response: ResponseSpec | undefined, status: number, example: string): boolean {
    const content = (response?.content ?? []).flatMap((entry) =>
      entry.examples.flatMap(({ name, value }) => (name === example ? [{ entry, value }] : [])),
    );
    if (content.length === 0)
      throw this.unknownExample(example, `${status}: ${namesIn(response).join(', ') || 'none'}`);
    return content.every(({ entry, value }) => violationsOf(entry, value).length > 0);
  }

  private unknownExample(example: unknown, there: string): ConfigError {
    const all = [...this.operation.responses.values()].flatMap(namesIn);
    const near = typeof example === 'string' ? similarName(example, all) : undefined;
    return wrongOption(
      this.operation,
      {
        pointer: '/example',
        message: `there is no example ${shown(example)}`,
        expected: `the name of an example (${there})`,
      },
      near === undefined ? undefined : `Did you mean "${near}"?`,
    );
  }

  private body(
    response: ResponseSpec | undefined,
    status: number,
    headers: RawHeaders,
  ): { readonly answer: ForcedAnswer; readonly isViolation: boolean } {
    if (status === 204 || status === 205 || status === 304 || this.operation.method === 'HEAD') {
      const what = this.operation.method === 'HEAD' ? 'HEAD' : status;
      throw this.wrong('body', `a response ${what} has no body in HTTP`, 'no body');
    }
    const value = this.bodyValue();
    const contentType = headerValue(headers, 'content-type');
    const judged =
      response === undefined
        ? { mediaTypes: contentType === undefined ? [] : [contentType], violations: [] }
        : judgeBody(response, value, contentType);
    const isViolation = judged.violations.length > 0;
    if (isViolation && this.options.violates !== true) throw this.badBody(status, judged.violations, value);
    return { answer: { status, example: undefined, body: { value, mediaTypes: judged.mediaTypes } }, isViolation };
  }

  private bodyValue(): JsonValue {
    try {
      return toJson(this.options.body);
    } catch (error) {
      if (!(error instanceof NotJsonError)) throw error;
      const pointer = `/body${error.pointer}`;
      throw wrongOption(this.operation, {
        pointer,
        message: `the body${placeOf(error.pointer)} ${error.message}`,
        expected: 'what JSON can hold',
      });
    }
  }

  private badBody(status: number, violations: JudgedBody['violations'], value: JsonValue): ConfigError {
    const [first = { pointer: '', message: '' }] = violations;
    const more = violations.length > 1 ? `, and ${counted(violations.length - 1, 'more fault')}` : '';
    const isText = typeof value === 'string' && /^\s*[[{]/.test(value);
    const asText = isText ? 'It is a text: give the value itself, not its JSON. ' : '';
    return wrongOption(
      this.operation,
      {
        pointer: `/body${first.pointer}`,
        message: `the body breaks the response ${status}: it${placeOf(first.pointer)} ${first.message}${more}`,
      },
      `${asText}${VIOLATES}`,
      violations.map(({ pointer, message }) => ({ pointer: `/body${pointer}`, message })),
    );
  }

  /** A status alone is answered with an example, or with what its schema allows. */
  private demandBody(response: ResponseSpec | undefined, status: number): void {
    if (status >= 400) return;
    const made = this.reference.payloads.sample(this.operation, response, status, undefined);
    if ('code' in made) throw this.wrong('body', `a body is needed for ${status}: ${made.message}`, 'a body');
  }

  private wrong(option: string, message: string, expected: string, hint?: string): ConfigError {
    return wrongOption(this.operation, { pointer: `/${option}`, message, expected }, hint);
  }

  private documented(): string {
    const statuses = [...this.operation.responses.keys()];
    return statuses.length === 0 ? 'a documented one; there is none' : `one of ${statuses.join(', ')}`;
  }

  private examples(): string {
    const all = [...this.operation.responses.values()].flatMap((response) => {
      const names = namesIn(response);
      return names.length === 0 ? [] : [`${response.status}: ${names.join(', ')}`];
    });
    return all.length === 0 ? 'it has none' : listed(all, '; ');
  }
}

function namesIn(response: ResponseSpec | undefined): string[] {
  return [...new Set((response?.content ?? []).flatMap(({ examples }) => examples.flatMap(({ name }) => name ?? [])))];
}

function placeOf(pointer: string): string {
  return pointer === '' ? '' : ` at ${pointer}`;
}
