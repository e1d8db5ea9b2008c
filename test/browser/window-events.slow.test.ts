import type { Page } from 'playwright-core';
import { PAYMENTS } from '../events/payments';
import { type Receiver, startReceiver } from '../events/receiver';
import { startServer, type TestServer } from '../support/server';
import { inBrowser } from './chromium';
import { barriersInBothSchemes, launchWindow, whenLive, type WindowBrowser } from './window';

inBrowser('the events in the window', () => {
  let server: TestServer;
  let window: WindowBrowser;
  let page: Page;
  let receiver: Receiver;
  beforeAll(async () => {
    [server, window] = await Promise.all([
      startServer({ description: PAYMENTS, auth: 'off', state: 'empty' }),
      launchWindow(),
    ]);
  });
  afterAll(async () => {
    await window.close();
    await server.close();
  });
  beforeEach(async () => {
    receiver = await startReceiver();
    page = await window.open(server.url, 'events');
    await whenLive(page);
  });
  afterEach(async () => {
    await page.close();
    await receiver.close();
  });

  const send = async (method: string, path: string, body: object): Promise<void> => {
    const headers = { 'Content-Type': 'application/json' };
    const { status } = await fetch(`${server.url}${path}`, { method, headers, body: JSON.stringify(body) });
    expect(status).toBeLessThan(300);
  };

  test('come as they are sent, with their tries and bodies, and are sent again', async () => {
    await page.getByText('None was sent yet').waitFor();
    receiver.answer(503);
    await send('POST', '/webhooks', { url: `${receiver.url}/hooks` });
    await send('POST', '/payments', { amount: 5, status: 'pending' });
    await send('PUT', '/payments/1', { amount: 5, status: 'completed' });
    const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'payment.completed' }) });
    await row.getByText('pending').waitFor();
    await row.getByRole('button', { name: 'Details of payment.completed' }).click();
    await page.getByText('503').first().waitFor();
    await page.getByLabel('Body').getByText('"status": "completed"').waitFor();
    expect(await barriersInBothSchemes(page)).toEqual([]);
    receiver.answer(204);
    await row.getByRole('button', { name: 'Send again payment.completed' }).click();
    await row.getByText('delivered').waitFor();
  });

  test('go wrong when they are told to, and a fault that is none says so', async () => {
    await page.getByLabel('What is to go wrong with events').fill('twise');
    await page.getByRole('button', { name: 'Let it go wrong' }).click();
    await page.getByText('Did you mean "twice"?').first().waitFor();
    await page.getByLabel('What is to go wrong with events').fill('twice;times=1');
    await page.getByRole('button', { name: 'Let it go wrong' }).click();
    await page.getByText('happened in 0 messages').waitFor();
    expect(server.app.eventFaults()).toEqual([{ fault: 'twice;times=1', happened: 0 }]);
    await page.getByRole('button', { name: 'End twice;times=1' }).click();
    await page.getByText('happened in').waitFor({ state: 'detached' });
    expect(server.app.eventFaults()).toEqual([]);
  });
});

inBrowser('the window of a service that sends nothing', () => {
  test('has no view of events', async () => {
    const [server, window] = await Promise.all([startServer(), launchWindow()]);
    try {
      const page = await window.open(server.url, 'requests');
      await whenLive(page);
      await page.getByRole('link', { name: 'Coverage' }).waitFor();
      expect(await page.getByRole('link', { name: 'Events' }).count()).toBe(0);
    } finally {
      await window.close();
      await server.close();
    }
  });
});
