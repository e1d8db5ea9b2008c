/** Elements that Markdown makes; others are replaced by what is in them. Headings stand below those of the page. */
const ELEMENTS: ReadonlyMap<string, string> = new Map(
  (
    'p br hr em strong del s sub sup code pre kbd samp blockquote ul ol li dl dt dd ' +
    'table thead tbody tr th td details summary'
  )
    .split(' ')
    .map((name) => [name, name]),
);
const HEADINGS: Readonly<Record<string, string>> = { h1: 'h4', h2: 'h5', h3: 'h6', h4: 'h6', h5: 'h6', h6: 'h6' };

/** Elements whose text is nothing to read. */
const SILENT: ReadonlySet<string> = new Set(['script', 'style', 'template', 'iframe', 'object', 'noscript', 'title']);

/**
 * What a description says, with no more than a text needs: nothing that is fetched, run, styled or named, and links to
 * pages elsewhere alone. A link to a place of this page would lead to another view.
 *
 * @param html - made from Markdown
 */
export function harmlessHtml(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  const target = document.implementation.createHTMLDocument('').body;
  copyChildren(body, target);
  return target.innerHTML;
}

function copyChildren(from: Element, to: Element): void {
  for (const node of from.childNodes) {
    if (node instanceof Text) to.append(node.data);
    else if (node instanceof Element) copyElement(node, to);
  }
}

function copyElement(element: Element, to: Element): void {
  const name = element.localName;
  if (SILENT.has(name)) return;
  if (name === 'img') {
    to.append(element.getAttribute('alt') ?? '');
    return;
  }
  const made = name === 'a' ? linkLike(element, to) : (HEADINGS[name] ?? ELEMENTS.get(name));
  if (made === undefined) {
    copyChildren(element, to);
    return;
  }
  const copy = typeof made === 'string' ? to.ownerDocument.createElement(made) : made;
  copyChildren(element, copy);
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
