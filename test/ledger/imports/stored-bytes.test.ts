import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import type { NewCampaign } from '../../../src/ledger/imports/import.ts';
import { mostStored, StoredBytes } from '../../../src/ledger/imports/staged-rows.ts';
import { testLedger } from '../../support/ledger.ts';

const megabyte = 1024 * 1024;

it('an import whose packed rows take too much is refused before it fills Redis', async () => {
  const { ledger } = testLedger();
  await using staged = ledger.newImport(2 * megabyte);
  const rows = Array.from({ length: 400 }, (_, index) => ({
    number: index + 1,
    line: index + 2,
    cells: [randomBytes(12_000).toString('base64')],
  }));
  await expect(staged.add(rows)).rejects.toMatchObject({ code: 'manifest_unreadable' });
});

it('is refused also for its last rows, which are written when it is committed', async () => {
  const { ledger } = testLedger();
  await using staged = ledger.newImport(10);
  await staged.add([{ number: 1, cells: ['more than ten bytes'] }]);
  await expect(staged.commit({} as NewCampaign)).rejects.toMatchObject({ code: 'manifest_unreadable' });
});

it('rows may take ten times their file, and as much as does no harm', () => {
  expect(mostStored(100)).toBe(32 * megabyte);
  expect(mostStored(10 * megabyte)).toBe(100 * megabyte);
});

const memory = (used: number, most: number) => async () =>
  `# Memory\r\nused_memory:${used * megabyte}\r\nmaxmemory:${most * megabyte}\r\n`;

it('an import stops while Redis still has memory for the work of campaigns', async () => {
  const stored = new StoredBytes(1000 * megabyte, memory(95, 100));
  await stored.add(megabyte);
  await expect(stored.add(8 * megabyte)).rejects.toThrow('99.6 MB of 104.9 MB are in use');
});

it.each([
  [50, 100],
  [5000, 0],
])('%i MB in use of %i are no reason to stop', async (used, most) => {
  const stored = new StoredBytes(1000 * megabyte, memory(used, most));
  for (let part = 0; part < 3; part += 1) await stored.add(8 * megabyte);
  await expect(stored.add(8 * megabyte)).resolves.toBeUndefined();
});
