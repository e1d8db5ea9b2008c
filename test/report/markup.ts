interface Node {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Node[];
  text: string;
}

// What XML 1.0 §2.2 allows.
const LEGAL = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;
const TOKEN = /<\?[^?]*\?>|<(\/?)([a-z][a-z-]*)((?: [a-z-]+="[^"<]*")*)(\/?)>|([^<]+)/gy;

/** Reads the elements of an XML document, and throws where it is not well-formed. */
export function parseXml(xml: string): Node {
  if (!LEGAL.test(xml)) throw new Error('a character that XML does not allow');
  const root: Node = { name: '#root', attributes: {}, children: [], text: '' };
  const open: Node[] = [root];
  let end = 0;
  for (const match of xml.matchAll(TOKEN)) {
    if (match.index !== end) break;
    end += match[0].length;
    take(match, open);
  }
  if (end !== xml.length || open.length !== 1)
    throw new Error(`not well-formed at ${end}: ${xml.slice(end, end + 60)}`);
  return root.children[0]!;
}

function take([, slash, name, attributes = '', selfClosing, text]: RegExpMatchArray, open: Node[]): void {
  const parent = open.at(-1)!;
  if (text !== undefined) parent.text += decode(text);
  else if (slash === '/') {
    if (open.pop()?.name !== name) throw new Error(`</${name}> closes another element`);
  } else if (name !== undefined) {
    const pairs = [...attributes.matchAll(/ ([a-z-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [
      key,
      decode(value),
    ]);
    const node: Node = { name, attributes: Object.fromEntries(pairs), children: [], text: '' };
    parent.children.push(node);
    if (selfClosing === '') open.push(node);
  }
}

function decode(text: string): string {
  if (text.includes(']]>')) throw new Error(']]> in text');
  return text.replace(
    /&(?:(amp|lt|gt|quot)|#(\d+))?;?/g,
    (reference, name: string | undefined, code: string | undefined) => {
      if (!reference.endsWith(';')) throw new Error(`an ampersand that begins nothing: ${text}`);
      return name === undefined ? String.fromCodePoint(Number(code)) : { amp: '&', lt: '<', gt: '>', quot: '"' }[name]!;
    },
  );
}

export function elements(node: Node, name: string): Node[] {
  return [...(node.name === name ? [node] : []), ...node.children.flatMap((child) => elements(child, name))];
}
