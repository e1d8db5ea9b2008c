import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './source-files';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The first sentence of a page, without links. */
function firstSentence(path: string): string {
  const [, ...paragraphs] = read(path).split(/\n{2,}/);
  const text = paragraphs.find((each) => /^(?:(?!Measured at commit)[A-Z]|`(?!``))/.test(each)) ?? '';
  const plain = text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('\n', ' ');
  // What is too short to say anything goes on with the next one.
  return (/^.{15,}?[.:](?=\s|$)/.exec(plain)?.[0] ?? plain).replace(/:$/, '.');
}

function title(path: string): string {
  return /^# (.+)$/m.exec(read(path))?.[1] ?? path;
}

/** The documentation as agents read it (https://llmstxt.org): the pages of docs/README.md with what each begins with. */
export function llmsText(): string {
  const sections = read('docs/README.md').split(/^## /m).slice(1, 4);
  const parts = sections.map((section) => {
    const links = [...section.matchAll(/\]\(([^)#]+\.md)(?:#[^)]*)?\)/g)].map(([, target = '']) =>
      join('docs', target),
    );
    const pages = [...new Set(links)];
    const lines = pages.map((path) => `- [${title(path)}](${path}): ${firstSentence(path)}`);
    return [`## ${section.split('\n')[0] ?? ''}`, '', ...lines, ''].join('\n');
  });
  return [
    '# standin',
    '',
    '> A stateful mock server made from an OpenAPI description, and a runner that checks a real deployment against it.',
    '',
    'Commands: `standin mock DESCRIPTION`, `standin verify CONTRACTS --spec DESCRIPTION --base-url URL`, `standin explain DESCRIPTION METHOD PATH`, `standin check DESCRIPTION`, `standin grade CONTRACTS --spec DESCRIPTION`, `standin mcp DESCRIPTION`; `standin COMMAND --help` has the flags. In a program: `createMockServer` of `standin/express`, `runContract` of `standin`, `describeContract` of `standin/jest`.',
    '',
    ...parts,
  ].join('\n');
}
