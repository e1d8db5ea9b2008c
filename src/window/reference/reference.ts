import SwaggerUI, { type Collection, type System } from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import { shownDocument } from './document';
import { nameWhatIsDrawn } from './accessible-names';
import { LAYOUT, referencePlugin, type ShownOperation } from './plugin';
import { type Sending, toThisMock } from './send';

/** What is shown. */
export interface ReferenceContent {
  /** The description as the mock serves it: JSON. */
  readonly text: string;
  readonly operations: readonly ShownOperation[];
  /** What every security scheme takes; `null` for none. */
  readonly key: string | null;
}

export interface Reference {
  /** To be put into the page, and taken out again: what was typed and tried stays. */
  readonly element: HTMLElement;
  show(content: ReferenceContent): void;
  sendWith(sending: Sending): void;
  filter(text: string): void;
  /** Opens an operation and brings it into sight. */
  open(id: string): void;
}

/** From this many operations on, tags are closed at first: each open one is a part of the page. */
const MANY_OPERATIONS = 60;

/**
 * Makes the reference: the whole renderer, with its libraries, is in the script that this module becomes.
 *
 * @param onOpen - a person opened an operation, or closed the one that was opened last
 */
export function createReference(onOpen: (id: string | undefined) => void, operationCount: number): Reference {
  const element = document.createElement('div');
  let byPlace = new Map<string, ShownOperation>();
  let sending: Sending = { sandboxHeader: undefined };
  const filled = new Map<string, string>();
  let isOpening = false;
  const system: System = SwaggerUI({
    domNode: element,
    layout: LAYOUT,
    plugins: [
      referencePlugin({
        operation: (method, path) => byPlace.get(placeOf(method, path)),
        onShow(key, isShown) {
          if (key[0] === 'operations' && key.length === 3 && !isOpening) onOpen(isShown ? idOf(key) : undefined);
        },
      }),
    ],
    docExpansion: operationCount < MANY_OPERATIONS ? 'list' : 'none',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    validatorUrl: null,
    // It tells of each part that it looks for in vain before it takes another one.
    configs: { logLevel: 'error' },
    syntaxHighlight: { theme: 'obsidian' },
    requestInterceptor: (request) => toThisMock(request, sending),
  });

  nameWhatIsDrawn(element);

  const idOf = ([, tag, id]: readonly string[]): string | undefined => {
    const found = entries(system).find((entry) => entry.tag === tag && entry.id === id);
    return found && byPlace.get(placeOf(found.method, found.path))?.id;
  };

  return {
    element,
    show({ text, operations, key }) {
      byPlace = new Map(operations.map((operation) => [placeOf(operation.method, operation.path), operation]));
      const { document: shown, schemes } = shownDocument(text);
      system.specActions.updateLoadingStatus('success');
      system.specActions.updateJsonSpec(shown);
      if (key === null) return;
      for (const [name, { scheme, valueOf }] of schemes) {
        // What a person took away or changed meanwhile stays so.
        const filling = JSON.stringify([scheme, key]);
        if (filled.get(name) === filling) continue;
        filled.set(name, filling);
        system.authActions.authorize({ [name]: { name, schema: scheme, value: valueOf(key) } });
      }
    },
    sendWith(changed) {
      sending = changed;
    },
    filter(text) {
      system.layoutActions.updateFilter(text === '' ? false : text);
    },
    open(id) {
      const entry = entries(system).find(({ method, path }) => byPlace.get(placeOf(method, path))?.id === id);
      if (entry === undefined) return;
      isOpening = true;
      const key = ['operations', entry.tag, entry.id];
      system.layoutActions.show(['operations-tag', entry.tag], true);
      system.layoutActions.show(key, true);
      isOpening = false;
      bringIntoSight(element, system, key);
    },
  };
}

function placeOf(method: string, path: string): string {
  return `${method.toUpperCase()} ${path}`;
}

/** An operation as the renderer names it. */
interface Entry {
  readonly tag: string;
  readonly id: string;
  readonly method: string;
  readonly path: string;
}

function entries({ specSelectors, fn }: System): Entry[] {
  const all: Entry[] = [];
  specSelectors.taggedOperations().forEach((group, tag) => {
    (group.get('operations') as Collection).forEach((one) => {
      const [method, path] = [String(one.get('method')), String(one.get('path'))];
      const written = one.getIn(['operation', 'operationId']) ?? one.getIn(['operation', '__originalOperationId']);
      const id = typeof written === 'string' ? written : fn.opId(one.get('operation'), path, method);
      all.push({ tag, id, method, path });
    });
  });
  return all;
}

/** The operation is drawn a moment later; of many, only those near to what is in sight are. */
function bringIntoSight(element: HTMLElement, system: System, key: readonly string[]): void {
  const elementId = key.join('-');
  let tries = 0;
  const look = (): void => {
    const found = [...element.querySelectorAll('.opblock')].find(({ id }) => id === elementId);
    if (found !== undefined) found.scrollIntoView({ block: 'start' });
    else if (tries++ < 20) {
      if (tries === 2) system.layoutActions.scrollToVirtualizedOperation(key);
      setTimeout(look, 50);
    }
  };
  look();
}
