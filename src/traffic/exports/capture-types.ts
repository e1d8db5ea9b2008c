import { parsePointer } from '../../core/json/json-pointer';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Schema } from '../../openapi/model/operation';
import { findResponse, jsonContent } from '../../openapi/view/responses';
import { resolveSchema } from '../../openapi/read/references';
import type { ExportedCapture, ExportedStep } from './exported-steps';
import { markedName } from './template';

/**
 * Types of captured values as the description has them, for formats that write a value in quotes or without them before
 * it is known.
 */
export class CaptureTypes {
  private readonly types = new Map<string, unknown>();
  private readonly api: ApiModel;

  constructor(api: ApiModel, steps: readonly ExportedStep[]) {
    this.api = api;
    for (const step of steps)
      for (const capture of step.captures) this.types.set(capture.name, this.typeOf(step, capture));
  }

  /** What is not known is taken for a text. */
  isText(name: string): boolean {
    const type = this.types.get(name);
    return !['integer', 'number', 'boolean', 'object', 'array'].includes(String(type));
  }

  private typeOf(step: ExportedStep, { expression, pattern, known }: ExportedCapture): unknown {
    if (pattern !== undefined) return 'string';
    if (expression.kind === 'status') return 'integer';
    if (expression.kind === 'body') return this.typeAt(step, expression.pointer);
    // What is sent once more has the type of what it was made of.
    const source = typeof known === 'string' ? markedName(known) : undefined;
    return source === undefined ? 'string' : this.types.get(source);
  }

  private typeAt({ operation, statuses }: ExportedStep, pointer: string): unknown {
    const [status = 200] = statuses;
    const response = operation === undefined ? undefined : findResponse(operation, status);
    let schema = jsonContent(response)?.schema;
    for (const token of parsePointer(pointer)) {
      if (schema === undefined) return undefined;
      schema = this.part(schema, token);
    }
    const type = schema?.value['type'];
    return Array.isArray(type) ? type.find((each) => each !== 'null') : type;
  }

  private part(schema: Schema, token: string): Schema | undefined {
    const property = this.api.propertiesOf(schema).get(token);
    const pointer = property?.pointer ?? (/^\d+$/.test(token) ? `${schema.pointer}/items` : undefined);
    const found = pointer === undefined ? undefined : this.api.schemaAt(pointer);
    const resolved = found === undefined ? undefined : resolveSchema(this.api.document, found);
    return resolved === undefined ? found : this.api.schemaOf(resolved);
  }
}
