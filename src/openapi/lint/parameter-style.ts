import { joinPointer } from '../../core/json/json-pointer';
import { defaultStyle } from '../model/build-operation';
import type { ParameterLocation } from '../model/operation';
import { fieldOf, type LocatedObject, resolveObject, stringOr } from '../read/references';
import { textShape, type TextShape } from '../parameters/text-shape';
import type { Lint, LintFinding } from './lint';

type Kind = TextShape['kind'];

const EVERYTHING: readonly Kind[] = ['scalar', 'array', 'object'];
const LISTS: readonly Kind[] = ['array', 'object'];

/** The table of OAS 3.2.0 §4.12.4: for which values a style has a form, where it stands. */
const FORMS: Readonly<Record<string, Readonly<Record<string, readonly Kind[]>>>> = {
  path: { simple: EVERYTHING, label: EVERYTHING, matrix: EVERYTHING },
  query: { form: EVERYTHING, spaceDelimited: LISTS, pipeDelimited: LISTS, deepObject: ['object'] },
  header: { simple: EVERYTHING },
  cookie: { form: EVERYTHING, cookie: EVERYTHING },
};

/** A parameter is written in a way that the standard defines. What it does not define, every tool reads as it likes. */
export const parameterStyle: Lint = {
  id: 'parameter-style',
  source: 'OAS 3.2.0 §4.12.4 Style Values; OAS 3.0.3 §4.7.12.3',
  severity: 'warning',
  run({ document, objects }) {
    const findings: LintFinding[] = [];
    for (const { kind, at } of objects) {
      const parameter = kind === 'parameter' ? resolveObject(document, at) : undefined;
      // What is behind a reference is visited where it stands.
      if (parameter === undefined || parameter.pointer !== at.pointer || fieldOf(parameter, 'schema') === undefined)
        continue;
      const fault = styleViolation(parameter, textShape(document, fieldOf(parameter, 'schema')));
      if (fault === undefined) continue;
      const { field: name, ...facts } = fault;
      const pointer = name in parameter.value ? joinPointer(parameter.pointer, name) : parameter.pointer;
      findings.push({ pointer, ...facts });
    }
    return findings;
  },
};

interface StyleViolation {
  readonly field: string;
  readonly message: string;
  readonly expected: string;
  readonly hint?: string;
}

function styleViolation({ value }: LocatedObject, shape: TextShape): StyleViolation | undefined {
  const location = stringOr(value['in'], '');
  const style = stringOr(value['style'], defaultStyle(location as ParameterLocation));
  const forms = Object.hasOwn(FORMS, location) ? FORMS[location] : undefined;
  if (forms === undefined) return undefined;
  const title = `the ${location} parameter "${stringOr(value['name'], '')}"`;
  const kinds = Object.hasOwn(forms, style) ? forms[style] : undefined;
  if (kinds === undefined) {
    const message = `The style ${style} has no form in ${title}`;
    return { field: 'style', message, expected: `one of ${Object.keys(forms).join(', ')}` };
  }
  if (!kinds.includes(shape.kind)) {
    const message = `The style ${style} has no form for ${title}, which is ${NOUNS[shape.kind]}`;
    const hint = style === 'deepObject' && shape.kind === 'array' ? 'It is read as name[]=a&name[]=b.' : undefined;
    return { field: 'style', message, expected: 'style: form', ...(hint === undefined ? {} : { hint }) };
  }
  if (/Delimited$/.test(style) && value['explode'] === true) {
    const message = `The style ${style} has no form with explode, which ${title} has`;
    return { field: 'explode', message, expected: 'explode: false' };
  }
  return nestedViolation(shape, style, title);
}

function nestedViolation(shape: TextShape, style: string, title: string): StyleViolation | undefined {
  const nested = nestedPart(shape, style);
  if (nested === undefined) return undefined;
  const effect = style === 'deepObject' ? 'further brackets are read as one' : 'requests that send one are rejected';
  const message = `No style has a form for ${nested} in ${title}; ${effect}`;
  return { field: 'schema', message, expected: 'content: { application/json: … }' };
}

const NOUNS: Readonly<Record<Kind, string>> = { scalar: 'no list and no object', array: 'a list', object: 'an object' };

/** What stands deeper than a style can write. */
function nestedPart(shape: TextShape, style: string): string | undefined {
  if (shape.kind === 'array') {
    const item = shape.item(0);
    return item.kind === 'scalar' || item.scalars.length > 0 ? undefined : `lists of ${plural(item.kind)}`;
  }
  // A list in an exploded object is sent by repetition, which everybody understands.
  const bad = style === 'deepObject' || style === 'form' ? ['object'] : ['object', 'array'];
  const name = shape.names.find((candidate) => {
    const property = shape.property(candidate);
    return property !== undefined && property.scalars.length === 0 && bad.includes(property.kind);
  });
  return name === undefined
    ? undefined
    : `the property "${name}", which is ${NOUNS[shape.property(name)?.kind ?? 'scalar']}`;
}

function plural(kind: Kind): string {
  return kind === 'object' ? 'objects' : 'lists';
}
