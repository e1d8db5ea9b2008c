import type { Browser, Page } from 'playwright-core';
import { PAGE_TIMEOUT_MS } from '../../browser/chromium';

/** What somebody clicks in two minutes in the front end of the shop. */
export async function pageSession(browser: Browser, site: string, api: string): Promise<void> {
  const context = await browser.newContext();
  context.setDefaultTimeout(PAGE_TIMEOUT_MS);
  const page = await context.newPage();
  await page.goto(`${site}/?api=${encodeURIComponent(api)}`);
  await page.waitForFunction('document.title === "The shop is open"');
  await add(page, 'Hazel');
  await add(page, 'Bigwig');
  await add(page, 'Fiver');
  await click(page, 'Hazel', 'Show', 'Hazel, 1 in stock');
  await click(page, 'Hazel', 'Reserve', 'done');
  await click(page, 'Hazel', 'Order', 'refused: 409 pet_not_available');
  await click(page, 'Fiver', 'Restock', 'done');
  await click(page, 'Fiver', 'Order', 'ordered 2');
  await click(page, 'Fiver', 'Show', 'Fiver, 2 in stock');
  await click(page, 'Fiver', 'Remove', 'refused: 409 pet_in_use');
  await page.waitForTimeout(500);
  await click(page, 'Fiver', 'Cancel order', 'done');
  await click(page, 'Fiver', 'Show', 'Fiver, 4 in stock');
  await click(page, 'Hazel', 'Remove', 'done');
  await click(page, 'Bigwig', 'Remove', 'done');
  await click(page, 'Fiver', 'Remove', 'done');
  await page.evaluate('closeShop()');
  await context.close();
}

async function add(page: Page, name: string): Promise<void> {
  await page.getByRole('textbox').fill(name);
  await page.getByRole('button', { name: 'Add' }).click();
  await page.locator(`li[data-name="${name}"]`).waitFor();
}

async function click(page: Page, pet: string, button: string, said: string): Promise<void> {
  await page.locator(`li[data-name="${pet}"]`).getByRole('button', { name: button, exact: true }).click();
  await page.getByRole('status').getByText(said, { exact: true }).waitFor();
}
