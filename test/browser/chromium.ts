import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, type Browser, type Page } from 'playwright-core';

/** The headless shell first: the same engine without the windows of a desktop, for half of the processor time. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
const EXECUTABLE =
  process.env['CHROMIUM'] ?? NAMES.map((name) => `/usr/bin/${name}`).find((place) => existsSync(place));

/** Tests that need a browser; left out, and counted as such, where none is installed. */
export const inBrowser = EXECUTABLE === undefined ? describe.skip : describe;

/** The whole browser, with its developer tools. */
const WHOLE = NAMES.slice(1)
  .map((name) => `/usr/bin/${name}`)
  .find((place) => existsSync(place));

/** Tests that need the developer tools of a browser. */
export const inDeveloperTools = WHOLE === undefined ? describe.skip : describe;

// Without a sandbox: in a container the tests run as root. What a browser asks of its maker has no place in a test.
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'];

/** Just below the time limit of a test: the error then names what the page did not show. */
export const PAGE_TIMEOUT_MS = 55_000;

export function launch(): Promise<Browser> {
  if (EXECUTABLE === undefined) throw new Error('No Chromium is installed; CHROMIUM names another place');
  return chromium.launch({ executablePath: EXECUTABLE, args: ARGUMENTS });
}

/** A page with the developer tools of the browser in it, which look at nothing; close its browser. */
export async function openDeveloperTools(): Promise<Page> {
  if (WHOLE === undefined) throw new Error('No whole Chromium is installed');
  const browser = await chromium.launch({ executablePath: WHOLE, args: [...ARGUMENTS, '--headless=new'] });
  const page = await browser.newPage({ viewport: { width: 1300, height: 800 } });
  await page.goto('devtools://devtools/bundled/devtools_app.html');
  return page;
}

/** A web page of another origin than the service. */
export interface Site {
  readonly url: string;
  close(): Promise<void>;
}

export async function openSite(): Promise<Site> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!DOCTYPE html><title>A page</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
      });
    },
  };
}
