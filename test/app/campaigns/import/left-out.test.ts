import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startCampaign } from '../../../../src/app/campaigns/import/start.ts';
import { openPages } from '../../../support/console/console-pages.ts';
import { openRunner } from '../../../support/in-process.ts';
import { aiVideoRow } from '../../../support/sheets/rows.ts';
import { sheetText } from '../../../support/sheets/sheet.ts';

it('the names of many rows that are left out wait in the ledger, and become those of the campaign', async (test) => {
  const runner = await openRunner({ queues: [] }, test);
  const { runtime } = await openPages(runner, test);
  const { ledger, redis } = runner;
  const refused = Array.from({ length: 700 }, (_, row) => aiVideoRow(`r${row}`, { creator: 'demo_nobody' }));
  const path = join(runner.folder, 'many.csv');
  writeFileSync(path, sheetText([aiVideoRow('a'), ...refused]));
  const manifest = { file: path, path, name: 'many', folder: runner.folder };
  let waiting = 0;
  const started = await startCampaign(runtime, manifest, {
    skipInvalid: true,
    problemsFile: null,
    onChecked: async () => {
      for (const key of await redis.keys(ledger.keys.stagedNames('*'))) waiting += await redis.scard(key);
    },
  });
  expect(waiting).toBe(500);
  const id = started.kind === 'imported' ? started.campaign.id : '';
  expect(await redis.scard(ledger.keys.leftOut(id))).toBe(700);
  expect(await redis.keys(ledger.keys.stagedNames('*'))).toEqual([]);
});
