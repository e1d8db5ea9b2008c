import { parseJson } from '../../core/json/parse-json';
import { stringifyJsonPretty } from '../../core/json/stringify-json';
import { harmlessHtml, withPlainTags } from './markdown';
import type { Collection, Component, Element, Plugin, System } from './swagger-ui';

/** What a caller should know of an operation, as the mock reads it from the description. */
export interface ShownOperation {
  readonly id: string;
  readonly method: string;
  /** As the description writes it. */
  readonly path: string;
  readonly marks: readonly { readonly text: string; readonly kind: 'bad' | 'moved' | 'plain' }[];
  readonly isTryItOffered: boolean;
}

export interface PluginParts {
  operation(method: string, path: string): ShownOperation | undefined;
  /** @param key - as the renderer names an operation: `operations`, its tag, its id */
  onShow(key: readonly string[], isShown: boolean): void;
}

export const LAYOUT = 'ReferenceLayout';

/** What tells an operation from all others. */
export function placeOf(method: string, path: string): string {
  return `${method.toUpperCase()} ${path}`;
}

/** What is different from how Swagger UI shows a description by itself. */
export function referencePlugin(parts: PluginParts): (system: System) => Plugin {
  return ({ React: { createElement: make }, fn: { getSampleSchema } }) => ({
    components: { [LAYOUT]: layout(make) },
    wrapComponents: {
      Markdown: (original) => (props) =>
        harmlessMarkdown(make, original({ ...props, source: withPlainTags(props['source']) })),
      OperationSummaryPath: (original) => (props) => {
        const { operationProps } = props as { readonly operationProps: Collection };
        const [method, path] = [String(operationProps.get('method')), String(operationProps.get('path'))];
        const marks = parts.operation(method, path)?.marks ?? [];
        const place = { className: 'opblock-path-and-marks', 'data-place': placeOf(method, path) };
        return make('span', place, make(original, props), ...marks.map(markOf(make)));
      },
      responseBody: (original) => (props) => make(original, withExactNumbers(props)),
    },
    statePlugins: {
      spec: {
        wrapSelectors: {
          allowTryItOutFor: () => (_, path, method) => parts.operation(method, path)?.isTryItOffered === true,
        },
      },
      layout: {
        wrapActions: {
          show: (original) => (key, isShown) => {
            parts.onShow(key, isShown);
            return original(key, isShown);
          },
        },
        wrapSelectors: {
          // What was searched for is not hidden in a tag that is closed.
          isShown:
            (original, { layoutSelectors }) =>
            (_, key, otherwise) => {
              const isFound = key[0] === 'operations-tag' && Boolean(layoutSelectors.currentFilter());
              return original(key, otherwise || isFound);
            },
        },
      },
    },
    fn: {
      opsFilter: filterOperations,
      getSampleSchema: (...sample: Parameters<typeof getSampleSchema>) =>
        exactText(sample) ?? getSampleSchema(...sample),
    },
  });
}

type Make = System['React']['createElement'];

/** The parts of the renderer without its own header, and without a `main` inside of the page's. */
function layout(make: Make): Component {
  return (props) => {
    const { getComponent } = props as unknown as System;
    const part = (name: string): Element => make(getComponent(name, true), null);
    return make(
      'div',
      { className: 'swagger-ui' },
      make(getComponent('SvgAssets'), null),
      part('errors'),
      part('InfoContainer'),
      make('div', { className: 'scheme-container' }, part('ServersContainer'), part('AuthorizeBtnContainer')),
      part('operations'),
      part('Webhooks'),
      part('Models'),
    );
  };
}

function markOf(make: Make) {
  return ({ text, kind }: ShownOperation['marks'][number], index: number): Element =>
    make('span', { key: index, className: `mark mark-${kind}` }, text);
}

interface MadeElement {
  readonly type: unknown;
  readonly props: { readonly className?: string; readonly dangerouslySetInnerHTML?: { readonly __html: string } };
}

/**
 * What the renderer makes of Markdown, with no more than a text needs. What cannot be looked into is not shown.
 *
 * @param made - an element of HTML, or of the functions that make one
 */
function harmlessMarkdown(make: Make, made: Element): Element {
  let element = made as MadeElement | null;
  while (typeof element?.type === 'function')
    element = (element.type as Component)(element.props) as MadeElement | null;
  const { className, dangerouslySetInnerHTML: given } = element?.props ?? {};
  if (given === undefined) return null;
  return make('div', { className, dangerouslySetInnerHTML: { __html: harmlessHtml(given.__html) } });
}

/** An example that is JSON as a text already, with every digit: the renderer would read it and write it anew. */
function exactText([, mediaType, , example]: Parameters<System['fn']['getSampleSchema']>): string | undefined {
  const isText = typeof example === 'string' && /^[[{]/.test(example) && /json/i.test(String(mediaType));
  return isText ? example : undefined;
}

/** JSON that plain numbers would change is shown as a text with all its digits. */
function withExactNumbers(props: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { content, contentType } = props;
  if (typeof content !== 'string' || !/json/i.test(String(contentType))) return props;
  try {
    const exact = stringifyJsonPretty(parseJson(content));
    const isSame = exact === JSON.stringify(JSON.parse(content), undefined, 2);
    return isSame ? props : { ...props, content: exact, contentType: 'text/plain' };
  } catch {
    return props;
  }
}

/** Those whose tag, path, method, id or summary has the text. */
function filterOperations(tagged: Collection, phrase: string): Collection {
  const wanted = phrase.toLowerCase();
  const has = (...texts: readonly unknown[]): boolean => texts.join(' ').toLowerCase().includes(wanted);
  return tagged
    .map((group, tag) => {
      if (has(tag)) return group;
      const operations = (group.get('operations') as Collection).filter((one) => {
        const [summary, id] = ['summary', 'operationId'].map((name) => one.getIn(['operation', name]));
        return has(one.get('method'), one.get('path'), summary, id);
      });
      return group.set('operations', operations);
    })
    .filter((group) => (group.get('operations') as Collection).size > 0);
}
