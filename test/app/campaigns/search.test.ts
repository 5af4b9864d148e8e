import { expect, it } from 'vitest';
import { searchCampaigns } from '../../../src/app/campaigns/search.ts';
import { openRunner } from '../../support/in-process.ts';
import { videoRow } from '../../support/sheets/rows.ts';

it('looks at a bounded number of rows for a key, and goes on where it stopped', async () => {
  const runner = await openRunner();
  const first = await runner.importRows([videoRow('a')]);
  const second = await runner.importRows([videoRow('b')]);
  const campaigns = await runner.ledger.campaigns.list();
  const step = await searchCampaigns(runner, campaigns, 'a', { rowsAtOnce: 1 });
  expect(step).toMatchObject({ rows: [], next: { campaign: first, row: 0 } });
  const on = await searchCampaigns(runner, campaigns, 'a', { rowsAtOnce: 1, from: step.next });
  expect(on).toMatchObject({ rows: [{ key: 'a', campaign: { id: first } }], next: undefined });
  expect(second).not.toBe(first);
});

it('begins nowhere when the campaign where it stopped is gone', async () => {
  const runner = await openRunner();
  await runner.importRows([videoRow('a')]);
  const campaigns = await runner.ledger.campaigns.list();
  const from = { campaign: 'c99', row: 0 };
  expect(await searchCampaigns(runner, campaigns, 'a', { from })).toMatchObject({
    rows: [],
    next: undefined,
  });
});

it('finds rows by words of their captions, in any case, and goes on behind the last one', async () => {
  const runner = await openRunner();
  const rows = Array.from({ length: 25 }, (_row, index) =>
    videoRow(`r${index}`, { caption: index === 3 ? 'Nothing' : 'Ein Frühlings-Look' }),
  );
  const id = await runner.importRows(rows);
  const campaigns = await runner.ledger.campaigns.list();
  const found = await searchCampaigns(runner, campaigns, 'FRÜHLING');
  expect(found.rows).toHaveLength(20);
  expect(found.rows[0]).toMatchObject({ key: 'r0', row: 0 });
  expect(found.next).toEqual({ campaign: id, row: 21 });
  const rest = await searchCampaigns(runner, campaigns, 'frühling', { from: found.next });
  expect(rest.rows.map(({ key }) => key)).toEqual(['r21', 'r22', 'r23', 'r24']);
  expect(rest.next).toBeUndefined();
});

it.each(['spring lip anna', 'ANNA r2', 'r2 look'])(
  'finds a row by "%s", words in any order',
  async (text) => {
    const runner = await openRunner();
    await runner.importRows([
      videoRow('r1', { caption: 'A spring look' }),
      videoRow('r2', { caption: 'Lip look for spring' }),
      videoRow('r3', { creator: 'demo_ben', caption: 'Lip look for spring' }),
    ]);
    const { rows } = await searchCampaigns(runner, await runner.ledger.campaigns.list(), text);
    expect(rows.map(({ key }) => key)).toEqual(['r2']);
  },
);

it('finds words whose accents are written in another way, as in names of files from a Mac', async () => {
  const runner = await openRunner();
  await runner.importRows([videoRow('r1', { caption: 'Ein Frühlings-Look' })]);
  const campaigns = (await runner.ledger.campaigns.list()).map((campaign) => ({
    ...campaign,
    name: 'Été'.normalize('NFD'),
  }));
  const { rows } = await searchCampaigns(runner, campaigns, 'frühling'.normalize('NFD'));
  expect(rows.map(({ key }) => key)).toEqual(['r1']);
  expect((await searchCampaigns(runner, campaigns, 'été')).campaigns).toHaveLength(1);
});

it.each(['april nb', 'NB plan', 'plan v3'])(
  'finds a campaign by "%s", words of its name in any order',
  async (text) => {
    const runner = await openRunner();
    const id = await runner.importRows([videoRow('a')]);
    const campaigns = (await runner.ledger.campaigns.list()).map((campaign) => ({
      ...campaign,
      name: 'NB plan April v3',
    }));
    expect(await searchCampaigns(runner, campaigns, text)).toMatchObject({ campaigns: [{ id }] });
    expect(await searchCampaigns(runner, campaigns, `${text} May`)).toMatchObject({ campaigns: [] });
  },
);
