/** Every page, wide and narrow, light and dark: no serious findings of axe, no sideways scrolling, no complaint of the browser. */
import axe from 'axe-core';
import { expect, test } from 'vitest';
import { openPage } from '../support/browser.ts';
import { openPages } from '../support/console-pages.ts';
import { openRunner } from '../support/in-process.ts';
import { videoRow } from '../support/rows.ts';

const looks = [
  { width: 1280, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const;

/** A time that many minutes from now. */
const soon = (minutes: number) => ({ scheduled_at: new Date(Date.now() + minutes * 60_000).toISOString() });

test('pages are accessible and fit the screen', { timeout: 120_000 }, async (context) => {
  const runner = await openRunner({}, context);
  runner.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'status', status: 400, times: 1 });
  const id = await runner.handIn([
    videoRow('a', { caption: '<b>bold</b> & "quoted"' }),
    videoRow('b', { caption: '上嘴那一刻就知道了', ...soon(30) }),
    videoRow('c', soon(40)),
  ]);
  await runner.start();
  await runner.ended(id);
  const held = await runner.handIn([videoRow('d'), videoRow('e')], { canary: 1 });
  await runner.until(
    async () => (await runner.ledger.campaigns.find(held))?.state === 'paused',
    'the canary to end',
  );
  const { url } = await openPages(runner, context);
  const { page, complaints } = await openPage(context);
  const paths = [
    '/campaigns',
    `/campaigns/${id}`,
    `/campaigns/${id}/rows/a`,
    `/campaigns/${id}/retry`,
    `/campaigns/${id}/into`,
    `/campaigns/${held}`,
    '/queues/upload/pause',
    '/review',
    '/calendar',
    '/videos',
    '/queues',
    '/users',
    '/audit',
  ];
  const found: string[] = [];
  for (const { width, colorScheme } of looks) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    for (const path of paths) {
      const answer = await page.goto(`${url}${path}`);
      if (answer?.status() !== 200) found.push(`${path}: ${answer?.status()}`);
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate(() =>
        (globalThis as unknown as { axe: typeof axe }).axe.run(),
      );
      for (const { id: rule, impact, nodes } of violations) {
        if (impact !== 'serious' && impact !== 'critical') continue;
        found.push(`${path} ${width} ${colorScheme}: ${rule}: ${nodes[0]?.html}`);
      }
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      if (Number(overflow) > 0) found.push(`${path} ${width}: ${String(overflow)} px too wide`);
    }
  }
  expect(found).toEqual([]);
  expect(complaints).toEqual([]);
});
