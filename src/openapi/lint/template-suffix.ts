import { joinPointer } from '../../core/json/json-pointer';
import type { SourceDocument } from '../read/source-document';
import { splitTemplate, operationSelectors } from '../model/operation-selection';
import { rawParameters, stringOr, type RawOperation } from '../read/references';
import type { Lint, LintFinding } from './lint';

/** A path template has neither a fragment, which is never sent, nor a query. One finding for each path behind them. */
export const templateSuffix: Lint = {
  id: 'template-suffix',
  source: 'OAS 3.0.3 §4.7.8 Paths Object; RFC 9110 §4.2.5',
  severity: 'warning',
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

function finding(document: SourceDocument, path: string, raws: readonly RawOperation[]): LintFinding {
  const templates = [...new Set(raws.map((raw) => raw.path))];
  const [first = ''] = templates;
  const { fragment } = splitTemplate(first);
  const what = fragment === '' ? 'a query' : 'a fragment, which no request sends';
  const others = templates.length === 1 ? '' : `, and so do ${templates.length - 1} more on ${path}`;
  return {
    pointer: joinPointer('/paths', first),
    message: `The template ${first} holds ${what}${others}`,
    expected: 'a path alone',
    hint: selectionHint(document, path, raws),
  };
}

function selectionHint(document: SourceDocument, path: string, raws: readonly RawOperation[]): string {
  const names = raws.flatMap((raw) => {
    const parameters = rawParameters(document, raw).map(({ value }) => {
      const name = stringOr(value['name'], '');
      return { name, in: stringOr(value['in'], ''), key: name.toLowerCase() };
    });
    return operationSelectors(splitTemplate(raw.path), parameters).map(({ name, in: place }) => `${place} ${name}`);
  });
  const distinct = [...new Set(names)];
  const shown = distinct.slice(0, 3).join(', ') + (distinct.length > 3 ? ', …' : '');
  return distinct.length === 0
    ? `Requests to ${path} are distinguished by method, and by the parameters and the body that an operation takes.`
    : `Requests to ${path} are distinguished by: ${shown}.`;
}
