import type { Browser } from 'playwright-core';
import { smallFile } from '../../src/payload/media-body';
import { inBrowser, launch } from './chromium';

inBrowser('the smallest images', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  test.each(['image/png', 'image/gif', 'image/jpeg', 'image/webp', 'image/svg+xml'])('%s is shown', async (type) => {
    const page = await browser.newPage();
    const data = Buffer.from(smallFile(type)!.body).toString('base64');
    await page.setContent(`<img src="data:${type};base64,${data}">`);
    const decode = 'document.querySelector("img").decode().then(() => document.querySelector("img").naturalWidth)';
    expect(await page.evaluate(decode)).toBe(1);
  });
});
