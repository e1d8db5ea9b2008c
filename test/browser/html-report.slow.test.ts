import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { formatHtml } from '../../src/report/kinds/html';
import { contractOf, failed, PASSED, resultOf, skipped, statusFinding } from '../report/results';
import { inBrowser, launch } from './chromium';
import { temporaryFolder } from '../support/temporary-folder';

const HOSTILE = '<img src="https://elsewhere.example/x" onerror="document.title = \'broken\'">';
const RESULT = resultOf({
  outcome: 'violations',
  coverage: [{ operation: 'listBooks', method: 'GET', path: '/books', steps: 1, statuses: [500] }],
  contracts: [
    contractOf(
      'a',
      PASSED,
      failed([{ ...statusFinding(500, 200), actual: HOSTILE }], {
        name: HOSTILE,
        status: 500,
        operation: 'listBooks',
        areas: ['status', 'schema', 'http'],
      }),
      skipped('change a book', 'mode', HOSTILE),
    ),
  ],
});

inBrowser('the page of a result', () => {
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];
  const requested: string[] = [];
  beforeAll(async () => {
    const file = temporaryFolder().write('result.html', formatHtml(RESULT, { kind: 'set' }));
    browser = await launch();
    page = await browser.newPage();
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => requested.push(request.url()));
    await page.goto(pathToFileURL(file).href);
  });
  afterAll(() => browser.close());

  test('needs nothing but itself, and runs nothing of what the service answered', async () => {
    expect(await page.title()).toContain('VIOLATIONS');
    expect(await page.locator('img').count()).toBe(0);
    expect(complaints).toEqual([]);
    expect(requested).toHaveLength(1);
  });

  test('shows the cause with what to do about it', async () => {
    const cause = page.locator('article');
    expect(await cause.count()).toBe(1);
    const text = await cause.innerText();
    expect(text).toContain('Expected status 200, got 500');
    expect(text).toContain(HOSTILE);
    expect(text).toContain('openapi.yaml:9:5');
  });

  test('shows the steps of the verdicts that are chosen', async () => {
    const visible = (): Promise<number> => page.locator('tr[data-verdict]:visible').count();
    expect(await visible()).toBe(3);
    await page.locator('#filter input[value=pass]').uncheck();
    await page.locator('#filter input[value=skipped]').uncheck();
    expect(await visible()).toBe(1);
    expect(await page.locator('tr[data-verdict=fail]').isVisible()).toBe(true);
  });

  test('is not wider than a small screen, light or dark', async () => {
    await page.getByRole('table', { name: 'What was looked at, by operation' }).waitFor();
    await page.setViewportSize({ width: 360, height: 640 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(
        await page.locator('html').evaluate((root: { scrollWidth: number }) => root.scrollWidth),
      ).toBeLessThanOrEqual(360);
    }
  });
});
