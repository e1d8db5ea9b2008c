import { escapeSegment, getAtPointer, joinPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value';
import { isJsonNumber } from '../../core/json/exact-number';
import { scalarText } from '../../core/json/stringify-json';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Operation } from '../../openapi/model/operation';
import { credentialLocations } from '../../security/credential-locations';
import { expressionText, headerCriteria } from './arazzo-criteria';
import { LeftOut, obstacleOf, plainMediaType } from './arazzo-obstacles';
import { toConditions } from './conditions';
import type { Losses } from './export-kind';
import { type ExportedStep, mediaTypeOf } from './exported-steps';
import { jsonPathDialect } from './jsonpath-dialect';
import { plainText, renderTemplate, splitPlaceholders, toTemplate, wholePlaceholder } from './template';

/** A Step Object while it is made: later steps may ask for more outputs. */
interface ArazzoStep extends JsonObject {
  readonly stepId: string;
  readonly outputs: Record<string, JsonValue>;
}

/** Steps of a contract as Step Objects (Arazzo 1.0.1 §4.6.5). */
export class ArazzoSteps {
  private readonly api: ApiModel;
  private readonly inputs: ReadonlyMap<string, string>;
  private readonly losses: Losses;
  private readonly leftOut = new LeftOut();
  /** Expressions for captured values, of the last step that captures each. */
  private readonly captured = new Map<string, string>();
  /** Where a text with placeholders was sent first: criteria cannot put one together. */
  private readonly sent = new Map<string, { readonly step: ArazzoStep; readonly pointer: string }>();

  /** @param inputs - names of inputs by those of values that are given from outside */
  constructor(api: ApiModel, inputs: ReadonlyMap<string, string>, losses: Losses) {
    this.api = api;
    this.inputs = inputs;
    this.losses = losses;
  }

  write(steps: readonly ExportedStep[]): JsonObject[] {
    const written = steps.flatMap((step, index) => {
      const reason = this.obstacle(step);
      if (reason === undefined) return [{ step, object: this.writeStep(step, index) }];
      this.losses.add(step.name, `left out: ${reason}`);
      this.leftOut.add(step);
      return [];
    });
    const cleanup = written.find(({ step }) => step.phase === 'cleanup')?.object.stepId;
    return written.map(({ step, object }, index) => {
      const next = step.phase === 'setup' ? cleanup : written[index + 1]?.object.stepId;
      const { outputs, ...others } = object;
      return {
        ...others,
        ...(Object.keys(outputs).length === 0 ? {} : { outputs }),
        ...(next === undefined ? {} : { onFailure: [{ name: 'go-on', type: 'goto', stepId: next }] }),
      };
    });
  }

  /** Why a step is left out; `undefined` when it is not. */
  private obstacle(step: ExportedStep): string | undefined {
    const missing = step.needs.find((name) => !this.captured.has(name) && !this.inputs.has(name));
    if (missing !== undefined) return `it needs \${${missing}}, which no step here captures`;
    const changed = this.leftOut.seenBy(step);
    return changed === undefined ? obstacleOf(step) : `what it shows depends on "${changed}", which is left out`;
  }

  private writeStep(step: ExportedStep, index: number): ArazzoStep {
    const stepId = `${step.phase}-${index + 1}`;
    const object: ArazzoStep = {
      stepId,
      description: step.name,
      ...this.target(step.operation as Operation),
      parameters: this.parameters(step),
      ...this.requestBody(step),
      successCriteria: [],
      outputs: {},
    };
    this.noteTexts(step, object);
    const criteria = this.criteria(step, object);
    this.addOutputs(step, object);
    return { ...Object.assign(object, { successCriteria: criteria }) };
  }

  private target({ id, pointer, method }: Operation): JsonObject {
    const written = getAtPointer(this.api.document.root, pointer);
    if (isJsonObject(written) && written['operationId'] === id) return { operationId: id };
    const path = pointer.split('/').slice(0, -1).join('/');
    return { operationPath: `{$sourceDescriptions.api.url}#${path}/${method.toLowerCase()}` };
  }

  private parameters(step: ExportedStep): JsonValue[] {
    const { headers, operation, observed } = step;
    const { request, headers: own } = step.step;
    const ownNames = new Set(own.map(({ name }) => name.toLowerCase()));
    const lines = headers.filter(({ name }) => {
      const lower = name.toLowerCase();
      return lower !== 'content-type' && (lower !== 'accept' || ownNames.has(lower));
    });
    const inUrl =
      request.kind === 'operation'
        ? request.parameters
            .filter(({ in: place }) => place === 'path' || place === 'query')
            .map(({ name, in: place, value }) => ({ name, in: place, value: this.parameterValue(value) }))
        : this.observedParameters(operation as Operation, observed);
    return [
      ...inUrl,
      ...this.keysInQuery(observed.url),
      ...lines.map(({ name, value }) => ({
        name,
        in: 'header',
        value: renderTemplate(value, (use) => this.embedded(use.name)),
      })),
    ];
  }

  private observedParameters({ path }: Operation, observed: ExportedStep['observed']): JsonValue[] {
    const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
    const keys = credentialLocations(this.api).query;
    const pairs = [...new URL(observed.url).searchParams].filter(([name]) => !keys.has(name));
    return [
      ...names.map((name) => ({ name, in: 'path', value: this.markedText(observed.pathParameter(name) ?? '') })),
      ...pairs.map(([name, value]) => ({ name, in: 'query', value: this.markedText(value) })),
    ];
  }

  private keysInQuery(url: string): JsonValue[] {
    const keys = credentialLocations(this.api).query;
    return [...new URL(url).searchParams].flatMap(([name, value]) => {
      return keys.has(name) ? [{ name, in: 'query', value: this.markedText(value) }] : [];
    });
  }

  private markedText(text: string): string {
    return renderTemplate(toTemplate(text), (use) => this.embedded(use.name));
  }

  /** As text, so that no digit of a number is lost. */
  private parameterValue(value: JsonValue): JsonValue {
    if (Array.isArray(value)) return value.map((item) => this.parameterValue(item));
    return isJsonNumber(value) ? scalarText(value) : this.value(value);
  }

  private requestBody(step: ExportedStep): JsonObject {
    const { body } = step.step;
    const mediaType = mediaTypeOf(step);
    if (body === undefined || mediaType === undefined) return {};
    const contentType = plainMediaType(mediaType);
    if (contentType !== mediaType) this.losses.add(step.name, `headers.Content-Type: sent as ${contentType}`);
    const value = body.kind === 'json' ? body.value : body.kind === 'form' ? body.fields : undefined;
    if (body.kind === 'text') {
      this.losses.add(step.name, 'text: a tool may send it as a JSON string');
      return { requestBody: { contentType, payload: this.value(body.text) } };
    }
    return { requestBody: { contentType, payload: this.value(value ?? null) } };
  }

  /** A value of the contract with runtime expressions in the place of its placeholders. */
  private value(value: JsonValue): JsonValue {
    if (typeof value === 'string') {
      const whole = wholePlaceholder(value);
      if (whole !== undefined) return this.expression(whole);
      return splitPlaceholders(value)
        .map((piece) => (typeof piece === 'string' ? piece : this.embedded(piece.name)))
        .join('');
    }
    if (Array.isArray(value)) return value.map((item) => this.value(item));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, property]) => [name, this.value(property)]));
  }

  private expression(name: string): string {
    return this.captured.get(name) ?? `$inputs.${this.inputs.get(name) ?? name}`;
  }

  private embedded(name: string): string {
    return `{${this.expression(name)}}`;
  }

  /** What criteria may compare with: a text that is put together can be had from the request that sent it. */
  private noteTexts({ step }: ExportedStep, object: ArazzoStep): void {
    if (step.body?.kind !== 'json') return;
    for (const [text, pointer] of composedTexts(step.body.value, '')) {
      if (!this.sent.has(text)) this.sent.set(text, { step: object, pointer });
    }
  }

  private reference(text: string, current: ArazzoStep): string | undefined {
    const whole = wholePlaceholder(text);
    if (whole !== undefined) return this.embedded(whole);
    const sent = this.sent.get(text);
    if (sent === undefined) return undefined;
    if (sent.step === current) return `{$request.body#${sent.pointer}}`;
    const name = `sent${sent.pointer.replace(/\W+/g, '_')}`;
    sent.step.outputs[name] = `$request.body#${sent.pointer}`;
    return `{$steps.${sent.step.stepId}.outputs.${name}}`;
  }

  private criteria(step: ExportedStep, object: ArazzoStep): JsonValue[] {
    const { statuses, expectedBody, expectedHeaders, name } = step;
    const dialect = jsonPathDialect((text) => this.reference(text, object));
    const { conditions, lost } =
      expectedBody === undefined ? { conditions: [], lost: [] } : toConditions(expectedBody, '@', dialect);
    for (const what of lost) this.losses.add(name, `expect.body ${what}`);
    return [
      { condition: statuses.map((status) => `$statusCode == ${status}`).join(' || ') },
      ...conditions.map(({ text }) => ({ context: '$response.body', type: 'jsonpath', condition: `$[?${text}]` })),
      ...expectedHeaders.flatMap((header) => this.headerCriteria(name, header)),
    ];
  }

  private headerCriteria(step: string, { name, matcher }: ExportedStep['expectedHeaders'][number]): JsonValue[] {
    const { criteria, lost } = headerCriteria(name, matcher, (placeholder) => this.expression(placeholder));
    for (const what of lost) this.losses.add(step, `expect.headers ${name}: ${what}`);
    return criteria;
  }

  private addOutputs({ captures, name: step }: ExportedStep, object: ArazzoStep): void {
    for (const { name, pattern, expression } of captures) {
      if (pattern !== undefined) {
        this.losses.add(step, `capture.${name}: a part of a text cannot be taken`);
        continue;
      }
      object.outputs[name] = expressionText(expression);
      this.captured.set(name, `$steps.${object.stepId}.outputs.${name}`);
    }
  }
}

function composedTexts(value: JsonValue, pointer: string): [text: string, pointer: string][] {
  if (typeof value === 'string') {
    const isComposed = plainText(value) === undefined && wholePlaceholder(value) === undefined;
    return isComposed ? [[value, pointer]] : [];
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => composedTexts(item, joinPointer(pointer, index)));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, property]) =>
    composedTexts(property, `${pointer}/${escapeSegment(name)}`),
  );
}
