import { expect, it } from 'vitest';
import { resultLines } from '../../../../src/app/campaigns/results/sheet.ts';
import { collect } from '../../../support/collect.ts';
import { openRunner } from '../../../support/in-process.ts';
import { aiPhotoRow, videoRow } from '../../../support/sheets/rows.ts';

it.each([
  [
    'notes that generated photos get no label',
    [aiPhotoRow('a', 1), videoRow('b')],
    [/^No AI label: .*app\.$/, /^$/],
  ],
  ['has no notes where nothing is generated', [videoRow('a')], undefined],
  ["keeps the planner's own column", [aiPhotoRow('a', 1, { _note: 'mine' })], [/^mine$/]],
])('%s', async (_what, rows, notes) => {
  const { ledger, importRows } = await openRunner();
  const stored = await ledger.campaigns.find(await importRows(rows));
  if (!stored) throw new Error('the campaign is missing');
  // As with --allow-unknown-columns.
  const campaign = { ...stored, header: stored.header.map((name) => (name === '_note' ? 'note' : name)) };
  const [header = [], ...lines] = await collect<readonly string[]>(resultLines(ledger, campaign));
  expect(header.filter((name) => name === 'note')).toHaveLength(notes === undefined ? 0 : 1);
  const found = notes && lines.map((line) => line[header.indexOf('note')]);
  expect(found).toEqual(notes?.map((note) => expect.stringMatching(note)));
});
