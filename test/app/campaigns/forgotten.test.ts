import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { acceptJournal, findForgotten, readJournal } from '../../../src/app/campaigns/journal.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { restored } from './losing-runner.ts';

/** What a machine with this data folder says. */
async function forgottenBy(
  tools: Awaited<ReturnType<typeof restored>>['tools'],
  campaigns: number,
  records: object = {},
) {
  const dataDir = temporaryFolder();
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(join(dataDir, 'journal.json'), JSON.stringify(records));
  const runtime = { ledger: tools.ledger, redis: { description: 'redis://here' }, environment: { dataDir } };
  return findForgotten(runtime as never, campaigns);
}

const elsewhere = { position: 3, at: Date.parse('2026-11-01T10:00:00Z'), token: 't', ledger: 'l' };

it('what Redis lost is told until it is accepted', async () => {
  const { tools } = await restored();
  expect(await forgottenBy(tools, 1)).toMatchObject([
    {
      about: 'lost',
      text: expect.stringContaining('Redis has no record of the last calls'),
      hints: [{ action: 'acceptJournal' }],
    },
  ]);
  await acceptJournal(tools, await readJournal(tools));
  expect(await forgottenBy(tools, 1)).toEqual([]);
});

it('another Redis is named where this one has no campaign', async () => {
  const { tools } = await restored();
  await acceptJournal(tools, await readJournal(tools));
  const records = { 'redis://here': elsewhere, 'redis://there': elsewhere };
  expect(await forgottenBy(tools, 0, records)).toMatchObject([
    {
      about: 'redis://there',
      text: expect.stringContaining(
        'Until 2026-11-01T10:00:00.000Z, this machine sent posts with another Redis or prefix: redis://there',
      ),
    },
  ]);
  expect(await forgottenBy(tools, 1, records)).toEqual([]);
});
