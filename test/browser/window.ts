import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { madeForTests } from '../support/made-for-tests';
import { until } from '../support/until';
import { launch, PAGE_TIMEOUT_MS } from './chromium';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** What a page must not do: complain, load from elsewhere, or run what it was sent. */
export interface Watch {
  /** Messages of the console, errors of scripts, and what the policy of the page kept from running. */
  readonly complaints: readonly string[];
  /** Origins that were asked. */
  readonly origins: ReadonlySet<string>;
}

/** A browser for the tests of one file. */
export interface WindowBrowser {
  readonly browser: Browser;
  /** Opens a view: `open('http://127.0.0.1:4010', 'requests?status=4xx')`. */
  open(url: string, view?: string): Promise<Page>;
  /** What all pages did. */
  readonly watch: Watch;
  close(): Promise<void>;
}

export async function launchWindow(): Promise<WindowBrowser> {
  const browser = await launch();
  const context: BrowserContext = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  context.setDefaultTimeout(PAGE_TIMEOUT_MS);
  const complaints: string[] = [];
  const origins = new Set<string>();
  return {
    browser,
    watch: { complaints, origins },
    async open(url, view = '') {
      const page = await context.newPage();
      page.on('console', (message) => {
        // Of a request that is refused or not answered the browser tells whatever the page does with it.
        if (!message.text().startsWith('Failed to load resource')) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('request', (request) => origins.add(new URL(request.url()).origin));
      await page.goto(`${url}/__standin/${view === '' ? '' : `#/${view}`}`);
      return page;
    },
    close: () => browser.close(),
  };
}

export function windowOfTests(): WindowBrowser {
  return madeForTests(launchWindow);
}

/** Waits until the page hears of the mock. */
export async function whenLive(page: Page): Promise<void> {
  await page.getByText('live', { exact: true }).waitFor();
}

/**
 * The accessibility violations that axe finds, each with its first element, in the light and the dark colour scheme. In
 * the dark scheme only the rules about colours are run: all others would find the same again.
 */
export async function barriersInBothSchemes(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(AXE);
  const found: string[] = [];
  for (const [colorScheme, options] of [
    ['light', {}],
    ['dark', { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    const violations = await page.evaluate<string[]>(
      `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
        violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`,
    );
    found.push(...violations.map((violation) => `${colorScheme} ${violation}`));
  }
  return found;
}

/** How wide the page is; more than its window where it would scroll to the side. */
export function pageWidth(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth');
}

/** What the page copied last. */
export function clipboard(page: Page): Promise<string> {
  return page.evaluate<string>('navigator.clipboard.readText()');
}

/** Waits until a value is as it must become. */
export async function eventually<Value>(
  look: () => Value | Promise<Value>,
  isSo: (value: Value) => boolean,
): Promise<void> {
  await until(async () => isSo(await look()), String(isSo));
}
