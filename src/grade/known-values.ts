import { decodedText } from '../core/http/request-target';
import { escaped } from '../traffic/contract/run-names';
import { headerValue } from '../core/http/headers';
import { getAtPointer, joinPointer } from '../core/json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json/json-value';
import { scalarText } from '../core/json/stringify-json';
import type { Step } from '../formats/contract/contract';
import { jsonIn, sentJson } from './mutants/mutant';
import type { Answered } from './service';

/** The course of a contract so far. */
interface Course {
  readonly conforming: readonly Answered[];
}

/** A value that an earlier step has to take out of its response. */
export interface NeededCapture {
  readonly step: Step;
  readonly capture: JsonObject;
}

/** Where a value came from: what a contract can write in its place, so that it holds at any deployment. */
export class KnownValues {
  private readonly runId: string;
  /** By text, what stands for it. */
  private readonly captured = new Map<string, string>();
  private readonly sent = new Set<string>();
  /** By text, the step that shows it, and where. */
  private readonly shown = new Map<string, { readonly step: Step; readonly pointer: string }>();
  private needed: NeededCapture[] = [];

  constructor({ conforming }: Course, index: number, stepAt: (index: number) => Step | undefined, runId: string) {
    this.runId = runId;
    for (const [at, { request, response }] of conforming.slice(0, index + 1).entries()) {
      this.addSent(sentJson(request));
      for (const part of request.target.split(/[/?&=]/)) this.sent.add(decodedText(part));
      const step = at < index ? stepAt(at) : undefined;
      if (step === undefined) continue;
      const body = jsonIn(response);
      for (const { name, text } of step.captures) {
        const value = captured(text, response, body);
        if (value !== undefined && !this.captured.has(scalarText(value))) this.captured.set(scalarText(value), name);
      }
      if (response.status < 300) this.addShown(step, body, '');
    }
  }

  /** Would a value be the same at another deployment, written so? */
  isKnown(value: JsonValue | undefined): boolean {
    if (value === undefined || (typeof value === 'object' && value !== null)) return false;
    const text = scalarText(value);
    return typeof value === 'boolean' || this.captured.has(text) || this.sent.has(text) || text.includes(this.runId);
  }

  /** Does it show that something is the contract's own: a key that it captured, or a name with the id of the run? */
  isOwn(value: JsonValue): boolean {
    if (value === null || typeof value === 'boolean' || typeof value === 'object') return false;
    const text = scalarText(value);
    return text.includes(this.runId) || this.captured.has(text);
  }

  /** May it be written in a contract for any deployment, though nobody knows where it comes from? What looks made up may not. */
  isPortable(value: JsonValue): boolean {
    if (value === null || typeof value !== 'object') {
      const text = value === null ? '' : scalarText(value);
      return (
        this.isKnown(value) || this.shown.has(text) || typeof value !== 'string' || /^\p{L}[\p{L} ,.'_-]*$/u.test(text)
      );
    }
    return false;
  }

  /** A text with what stands for the id of the run in it. */
  inText(text: string): string {
    return escaped(text).replaceAll(this.runId, () => '${runId}');
  }

  /** A scalar as a contract writes it; other values as they are. */
  written(value: JsonValue): JsonValue {
    if (typeof value === 'object' && value !== null) return value;
    const text = scalarText(value);
    const name = this.captured.get(text);
    if (typeof value === 'boolean' || value === null) return value;
    if (name !== undefined) return `\${${name}}`;
    if (typeof value === 'string' && text.includes(this.runId)) return this.inText(text);
    const shown = this.sent.has(text) ? undefined : this.shown.get(text);
    if (shown === undefined) return typeof value === 'string' ? escaped(value) : value;
    const fresh = nameFor(shown.pointer, new Set(this.captured.values()));
    this.needed.push({ step: shown.step, capture: { [fresh]: `$response.body#${shown.pointer}` } });
    return `\${${fresh}}`;
  }

  /** What earlier steps have to capture for what was written since {@link forget}. */
  captures(): readonly NeededCapture[] {
    return this.needed;
  }

  forget(): void {
    this.needed = [];
  }

  private addSent(value: JsonValue | undefined): void {
    if (Array.isArray(value)) for (const item of value) this.addSent(item);
    else if (isJsonObject(value)) for (const item of Object.values(value)) this.addSent(item);
    else if (value !== undefined && value !== null) this.sent.add(scalarText(value));
  }

  private addShown(step: Step, value: JsonValue | undefined, pointer: string): void {
    if (isJsonObject(value))
      for (const [name, item] of Object.entries(value)) this.addShown(step, item, joinPointer(pointer, name));
    // Of a list nobody knows which item it is.
    else if (value !== undefined && value !== null && !Array.isArray(value) && !this.shown.has(scalarText(value)))
      this.shown.set(scalarText(value), { step, pointer });
  }
}

function captured(
  expression: string,
  { headers }: Answered['response'],
  body: JsonValue | undefined,
): JsonValue | undefined {
  const header = /^\$response\.header\.(.+)$/.exec(expression)?.[1];
  if (header !== undefined) return headerValue(headers, header);
  const pointer = /^\$response\.body#(.*)$/.exec(expression)?.[1];
  const value = pointer === undefined || body === undefined ? undefined : getAtPointer(body, pointer);
  return typeof value === 'object' ? undefined : value;
}

function nameFor(pointer: string, taken: ReadonlySet<string>): string {
  const last = pointer.split('/').at(-1) ?? '';
  const plain = last.replaceAll(/\W+/g, '_').replace(/^(?=\d)|^$/, 'value');
  let name = plain;
  for (let number = 2; taken.has(name); number++) name = `${plain}${number}`;
  return name;
}
