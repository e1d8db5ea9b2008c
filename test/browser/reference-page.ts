import type { Locator, Page } from 'playwright-core';
import { PAGE_TIMEOUT_MS } from './chromium';
import type { WindowBrowser } from './window';

/** The operation of an id, as the reference draws it. */
export const operationOf = (page: Page, id: string): Locator => page.locator(`.opblock[id$="-${id}"]`);

export async function unfold(page: Page, id: string): Promise<Locator> {
  const operation = operationOf(page, id);
  await operation.waitFor();
  const control = operation.locator('.opblock-summary-control');
  if ((await control.getAttribute('aria-expanded')) !== 'true') await control.click();
  await operation.locator('.opblock-body .responses-inner').waitFor();
  return operation;
}

/** Opens an operation and sends what the fields have. @returns status and body of the response, as they are shown */
export async function tryIt(page: Page, id: string, fill: (operation: Locator) => Promise<void> = async () => {}) {
  const operation = await unfold(page, id);
  await operation.getByRole('button', { name: 'Try it out' }).click();
  await fill(operation);
  await operation.getByRole('button', { name: 'Execute' }).click();
  const response = operation.locator('.live-responses-table tbody tr').first();
  await response.waitFor();
  return {
    status: (await response.locator('.response-col_status').innerText()).trim(),
    text: await response.locator('.response-col_description').innerText(),
  };
}

/** Opens a page that waits longer than others: a browser reads the script of the renderer for seconds where it is busy. */
export async function openPage(window: WindowBrowser, url: string, view?: string): Promise<Page> {
  const page = await window.open(url, view);
  page.setDefaultTimeout(PAGE_TIMEOUT_MS);
  return page;
}
