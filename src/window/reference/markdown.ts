/** Elements that Markdown makes; others are replaced by what is in them. */
const ELEMENTS: ReadonlyMap<string, string> = new Map(
  (
    'p br hr em strong del s sub sup code pre kbd samp blockquote ul ol li dl dt dd ' +
    'table thead tbody tr th td details summary'
  )
    .split(' ')
    .map((name) => [name, name]),
);
const HEADINGS = 'h1,h2,h3,h4,h5,h6';
/** The title of the description stands above them. */
const FIRST_LEVEL = 3;

/** Elements whose text is nothing to read. */
const SILENT: ReadonlySet<string> = new Set(['script', 'style', 'template', 'iframe', 'object', 'noscript', 'title']);

const CODE = /(```[\s\S]*?```|~~~[\s\S]*?~~~|`[^`\n]*`)/;
const SILENT_TAGS = new RegExp(`<(${[...SILENT].join('|')})\\b[\\s\\S]*?</\\1\\s*>`, 'gi');
const TAG = /<(\/?)([a-z][a-z0-9]*)\b([^>]*)>/gi;

/**
 * Markdown whose HTML has no attributes but addresses of links. The browser tells of each other one that the policy of the
 * page keeps from acting, even where it is only read; what is harmless is decided by {@link harmlessHtml}.
 */
export function withPlainTags(source: unknown): unknown {
  if (typeof source !== 'string' || !source.includes('<')) return source;
  return source
    .split(CODE)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(SILENT_TAGS, '').replaceAll(TAG, plainTag)))
    .join('');
}

function plainTag(_: string, slash: string, written: string, attributes: string): string {
  const name = written.toLowerCase();
  if (ELEMENTS.has(name) || /^h[1-6]$/.test(name)) return `<${slash}${name}>`;
  const value = (attribute: string): string =>
    new RegExp(`\\b${attribute}\\s*=\\s*["']([^"'<]*)["']`, 'i').exec(attributes)?.[1] ?? '';
  if (name === 'img') return value('alt');
  if (name !== 'a') return '';
  return slash === '' ? `<a href="${value('href')}">` : '</a>';
}

/**
 * What a description says, with no more than a text needs: nothing that is fetched, run, styled or named, and links to
 * pages elsewhere alone. A link to a place of this page would lead to another view.
 *
 * @param html - made from Markdown
 */
export function harmlessHtml(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  const target = document.implementation.createHTMLDocument('').body;
  copyChildren(body, target, headingsOf(body));
  return target.innerHTML;
}

/** Names of headings, with those that stand for them here: none is left out between two levels. */
type Headings = ReadonlyMap<string, string>;

function headingsOf(body: Element): Headings {
  const names = [...new Set([...body.querySelectorAll(HEADINGS)].map(({ localName }) => localName))].sort();
  return new Map(names.map((name, index) => [name, `h${Math.min(FIRST_LEVEL + index, 6)}`]));
}

function copyChildren(from: Element, to: Element, headings: Headings): void {
  for (const node of from.childNodes) {
    if (node instanceof Text) to.append(node.data);
    else if (node instanceof Element) copyElement(node, to, headings);
  }
}

function copyElement(element: Element, to: Element, headings: Headings): void {
  const name = element.localName;
  if (SILENT.has(name)) return;
  if (name === 'img') {
    to.append(element.getAttribute('alt') ?? '');
    return;
  }
  const made = name === 'a' ? linkLike(element, to) : (headings.get(name) ?? ELEMENTS.get(name));
  if (made === undefined) {
    copyChildren(element, to, headings);
    return;
  }
  const copy = typeof made === 'string' ? to.ownerDocument.createElement(made) : made;
  copyChildren(element, copy, headings);
  to.append(copy);
}

function linkLike(element: Element, { ownerDocument }: Element): Element | undefined {
  const href = element.getAttribute('href') ?? '';
  if (!URL.canParse(href) || !/^(?:https?|mailto):$/.test(new URL(href).protocol)) return undefined;
  const link = ownerDocument.createElement('a');
  link.href = href;
  link.target = '_blank';
  link.rel = 'noopener noreferrer';
  return link;
}
