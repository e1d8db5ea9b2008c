const FIELDS = 'select, textarea, input';

/** Names of fields by what they stand in, for those that the renderer gives none. */
const NAMES: readonly (readonly [selector: string, name: string])[] = [
  ['#servers, .operation-servers select', 'Server'],
  ['.examples-select-element', 'Example'],
  ['.content-type, .response-control-media-type select', 'Media type'],
  ['.body-param__text', 'Request body'],
];

/** Attributes that the renderer lacks: the level of headings whose place in the page it cannot know, and names. */
const ATTRIBUTES: readonly (readonly [selector: string, attribute: string, value: string])[] = [
  ['.info .title', 'aria-level', '2'],
  ['.auth-container h6', 'aria-level', '5'],
  ['.auth-container [aria-label="Remove authorization"]', 'aria-label', 'Logout: remove authorization'],
  // The renderer says "region", of which each would need another name.
  ['.responses-table[role]', 'role', 'table'],
  // What can be scrolled is reached by the keyboard.
  ['pre', 'tabindex', '0'],
  ['.close-modal', 'aria-label', 'Close the dialog'],
];

/** Gives what the renderer draws the names that are read aloud, now and whenever something is added. */
export function nameWhatIsDrawn(element: HTMLElement): void {
  new MutationObserver((records) => {
    for (const { addedNodes } of records) {
      for (const node of addedNodes) if (node instanceof Element) nameIn(node);
    }
  }).observe(element, { childList: true, subtree: true });
  nameIn(element);
}

function nameIn(element: Element): void {
  for (const field of matching(element, FIELDS)) if (!hasName(field)) field.setAttribute('aria-label', nameOf(field));
  for (const [selector, attribute, value] of ATTRIBUTES) {
    for (const found of matching(element, selector)) found.setAttribute(attribute, value);
  }
}

function matching(element: Element, selector: string): Element[] {
  return [...(element.matches(selector) ? [element] : []), ...element.querySelectorAll(selector)];
}

function hasName(field: Element): boolean {
  if (field.hasAttribute('aria-label') || field.hasAttribute('aria-labelledby')) return true;
  // The renderer puts a list of servers into a label that has nothing else in it.
  return [...((field as HTMLInputElement).labels ?? [])].some(
    ({ textContent }) => textContent.replace(field.textContent, '').trim() !== '',
  );
}

function nameOf(field: Element): string {
  const name = NAMES.find(([selector]) => field.matches(selector))?.[1] ?? '';
  const of = field.closest('[data-param-name], [data-property-name]');
  const owner = of?.getAttribute('data-param-name') ?? of?.getAttribute('data-property-name') ?? '';
  const parts = [owner, name].filter((part) => part !== '');
  return parts.length > 0 ? parts.join(': ') : (field.getAttribute('placeholder') ?? 'Value');
}
