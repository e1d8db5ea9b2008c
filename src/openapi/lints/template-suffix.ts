import type { SourceFinding } from '../../errors/source-finding';
import { joinPointer } from '../../json/json-pointer';
import { findingAt, type SourceDocument } from '../source-document';
import { splitTemplate, tellingParts } from '../telling-parts';
import { rawParameters, textOr, type RawOperation } from '../walk';
import type { Lint } from './lint';

/** A path template has neither a fragment, which is never sent, nor a query. One finding for each path behind them. */
export const templateSuffix: Lint = {
  id: 'template-suffix',
  source: 'OAS 3.0.3 §4.7.8 Paths Object; RFC 9110 §4.2.5',
  run({ document, operations }) {
    const byPath = new Map<string, RawOperation[]>();
    for (const raw of operations) {
      const { path } = splitTemplate(raw.path);
      if (path === raw.path) continue;
      const known = byPath.get(path);
      if (known === undefined) byPath.set(path, [raw]);
      else known.push(raw);
    }
    return [...byPath].map(([path, raws]) => finding(document, path, raws));
  },
};

function finding(document: SourceDocument, path: string, raws: readonly RawOperation[]): SourceFinding {
  const templates = [...new Set(raws.map((raw) => raw.path))];
  const [first = ''] = templates;
  const { fragment } = splitTemplate(first);
  const what = fragment === '' ? 'a query' : 'a fragment, which no request sends';
  const others = templates.length === 1 ? '' : `, and so do ${templates.length - 1} more on ${path}`;
  return findingAt(document, joinPointer('/paths', first), {
    rule: 'template-suffix',
    message: `The template ${first} holds ${what}${others}`,
    expected: 'a path alone',
    hint: howToldApart(document, path, raws),
  });
}

function howToldApart(document: SourceDocument, path: string, raws: readonly RawOperation[]): string {
  const names = raws.flatMap((raw) => {
    const parameters = rawParameters(document, raw).map(({ value }) => {
      const name = textOr(value['name'], '');
      return { name, in: textOr(value['in'], ''), key: name.toLowerCase() };
    });
    return tellingParts(splitTemplate(raw.path), parameters).map(({ name, in: place }) => `${place} ${name}`);
  });
  const distinct = [...new Set(names)];
  const shown = distinct.slice(0, 3).join(', ') + (distinct.length > 3 ? ', …' : '');
  return distinct.length === 0
    ? `Requests to ${path} are answered by method, and by the parameters and the body that an operation takes.`
    : `Requests to ${path} are told apart by: ${shown}.`;
}
