import { shownDocument } from './document';
import { nameWhatIsDrawn } from './accessible-names';
import { LAYOUT, placeOf, referencePlugin, type ShownOperation } from './plugin';
import { type Sending, toThisMock } from './send';
import { type Collection, drawSwaggerUi, type System } from './swagger-ui';

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
  const system: System = drawSwaggerUi({
    domNode: element,
    layout: LAYOUT,
    plugins: [
      referencePlugin({
        operation: (method, path) => byPlace.get(placeOf(method, path)),
        onShow(key, isShown) {
          if (key[0] === 'operations-tag') keepPlace(element.parentElement);
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
      system.layoutActions.show(['operations-tag', entry.tag], true);
      system.layoutActions.show(['operations', entry.tag, entry.id], true);
      isOpening = false;
      bringIntoSight(element, system, entry);
    },
  };
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
function bringIntoSight(element: HTMLElement, system: System, { tag, id, method, path }: Entry): void {
  const place = placeOf(method, path);
  let tries = 0;
  const look = (): void => {
    const found = [...element.querySelectorAll<HTMLElement>('[data-place]')].find(
      ({ dataset }) => dataset['place'] === place,
    );
    if (found !== undefined) {
      const scroll = (): void => found.closest('.opblock')?.scrollIntoView({ block: 'start' });
      scroll();
      // What is drawn above it meanwhile may have another height than was assumed.
      setTimeout(scroll, 300);
    } else if (tries++ < 40) {
      if (tries % 5 === 2) system.layoutActions.scrollToVirtualizedOperation(['operations', tag, id]);
      setTimeout(look, 50);
    }
  };
  look();
}

/** Once there are many operations, the renderer begins to draw those in sight alone, and goes to the top for that. */
function keepPlace(scrolled: HTMLElement | null): void {
  if (scrolled === null || scrolled.scrollTop === 0) return;
  const { scrollTop } = scrolled;
  let frames = 0;
  const look = (): void => {
    if (scrolled.scrollTop === 0) scrolled.scrollTop = scrollTop;
    else if (frames++ < 20) requestAnimationFrame(look);
  };
  look();
}
