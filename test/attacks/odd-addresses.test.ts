/** Every parameter of a page's address may be anything: the answer is a page, never a failure of the console. */
import { expect, it } from 'vitest';
import { openApprovals } from '../support/approvals.ts';
import { videoRow } from '../support/sheets/rows.ts';

const odd = [
  '2026-02-31',
  '0000-00-00',
  '-271821-04-20',
  '99999999999999999999',
  '-1',
  '1.5',
  'NaN',
  'c1.99',
  '%00',
  '\ud800',
  "'",
  '..',
];

/** Paths of pages, with the names of their parameters. */
const addresses: readonly (readonly [path: string, ...names: string[]])[] = [
  ['/approvals', 'campaign', 'creator', 'day', 'from', 'before', 'zone'],
  ['/calendar', 'view', 'from', 'day', 'near', 'zone', 'campaign', 'creator', 'creators', 'collisions'],
  ['/campaigns', 'q', 'state', 'from', 'after'],
  ['/campaigns/c1', 'state', 'step', 'code', 'creator', 'text', 'sort', 'rows', 'from', 'before', 'shown'],
  ['/review', 'open', 'decided', 'from', 'before', 'campaign'],
  ['/audit', 'from', 'before', 'what', 'who'],
  ['/videos', 'span', 'sort', 'page', 'state', 'figure', 'by', 'campaign'],
  ['/videos/report', 'since', 'until', 'by', 'title'],
  ['/queues', 'zone'],
  ['/users', 'zone'],
];

it.for(addresses)('%s', async ([path, ...names]) => {
  const { pages, waiting } = await openApprovals([videoRow('a')]);
  await waiting(1);
  const failed: string[] = [];
  for (const name of names) {
    for (const value of odd) {
      const { status } = await pages.get(
        `${path}?${name}=${value === '%00' ? value : encodeURIComponent(value.toWellFormed())}`,
      );
      if (status >= 500) failed.push(`${name}=${value}: ${status}`);
    }
  }
  expect(failed).toEqual([]);
});
