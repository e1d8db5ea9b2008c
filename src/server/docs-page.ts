import { formatHttpDate } from '../core/http/http-date';
import { stringifyJson } from '../core/json/stringify-json';
import { htmlText as escape } from '../core/text/printable';
import type { ApiModel } from '../openapi/model/api-model';
import type { Operation, Parameter, RequestBody } from '../openapi/model/operation';

const ADMIN_LINKS = ['state', 'journal', 'diff', 'sandboxes', 'faults', 'health'] as const;

/**
 * One page that shows the operations to people, without a script: the links of a deprecated operation lead here, which
 * any program may follow. Each operation leads on to the reference of the window, where it can be tried.
 */
export function docsPage(api: ApiModel): string {
  const sections = api.operations.map(section).join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escape(api.title)} ${escape(api.version)}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 48rem; margin: 2rem auto; padding: 0 1rem; }
h2 { font-size: 1.1rem; border-top: 1px solid #ccc; padding-top: 1rem; }
code { font-size: 1rem; } .mark { background: #fde68a; border-radius: 4px; padding: 0 .4rem; font-size: .8rem; }
p { white-space: pre-line; } pre { white-space: pre-wrap; background: #f4f4f5; padding: .5rem; }
dt { font-size: .9rem; } dd { font-size: .9rem; color: #555; }
</style>
</head>
<body>
<h1>${escape(api.title)} ${escape(api.version)}</h1>
<p><a href="./#/api">try the operations</a> · ${ADMIN_LINKS.map((name) => `<a href="${name}">${name}</a>`).join(' · ')}</p>
${sections}
</body>
</html>
`;
}

function section(operation: Operation): string {
  const { id, method, path, summary, description, parameters, requestBody, responses } = operation;
  const shown = lifecycleLabels(operation).map((mark) => ` <span class="mark">${escape(mark)}</span>`);
  return `<section id="${escape(encodeURIComponent(id))}">
<h2><code>${escape(method)} ${escape(path)}</code> ${escape(summary)}${shown.join('')}</h2>
<p>${escape(description.trim())}</p>
<p><a href="./#/api/${escape(encodeURIComponent(id))}">${operation.lifecycle.tryIt ? 'Try it' : 'Reference'}</a></p>
<dl>
${parameters.map(parameterEntry).join('\n')}
${requestBody === undefined ? '' : bodyEntry(requestBody)}
<dt>Responses</dt><dd>${escape([...responses.keys()].join(', '))}</dd>
</dl>
</section>`;
}

function parameterEntry({ name, in: location, required, description = '', schema }: Parameter): string {
  const about = [`in ${location}`, ...typeText(schema?.value['type']), ...(required ? ['required'] : [])].join(', ');
  return `<dt><code>${escape(name)}</code> ${escape(about)}</dt><dd>${escape(description.trim())}</dd>`;
}

function typeText(type: unknown): string[] {
  return typeof type === 'string' ? [type] : [];
}

function bodyEntry({ required, mediaTypes, content }: RequestBody): string {
  const examples = content.flatMap((entry) => entry.examples.map(({ value }) => stringifyJson(value)));
  const example = examples.find((text) => text.length <= LONGEST_EXAMPLE);
  const sample = example === undefined ? '' : `<pre>${escape(example)}</pre>`;
  return `<dt>Body ${escape(mediaTypes.join(', '))}${required ? ', required' : ''}</dt><dd>${sample}</dd>`;
}

/** A longer one is no help on a page with every operation. */
const LONGEST_EXAMPLE = 2000;

/** What a caller should know before relying on an operation: `deprecated`, `until …`, `beta`. */
export function lifecycleLabels({ lifecycle }: Operation): string[] {
  const { deprecated, sunset, stability, tryIt } = lifecycle;
  const result: string[] = [];
  if (deprecated) result.push('deprecated');
  if (sunset !== undefined) result.push(`until ${formatHttpDate(sunset)}`);
  if (stability !== 'stable') result.push(stability);
  if (!tryIt) result.push('no try-it');
  return result;
}
