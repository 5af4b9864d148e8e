import { describe, expect, it } from 'vitest';
import { testLedger } from '../../support/ledger.ts';
import { textRow, writeWorkbook } from '../../support/sheets/workbook.ts';
import { opened } from './importing.ts';

const first = 'https://video.example/@anna/video/1';

describe('a results sheet', () => {
  const header = 'creator,product_id,key,ledger,campaign,status,post_id,video_url';

  it('ties each video to its row; rows without a URL are no problem', async () => {
    const test = testLedger();
    const { importText, listed, ledger } = opened(test);
    const id = await test.campaign(3);
    const own = await ledger.format.id();
    const { check } = await importText(
      `${header}\nanna,p1,1,${own},${id},posted,post_1,${first}\nben,p2,2,${own},${id},posted,post_2,\n`,
    );
    expect(check).toMatchObject({ rows: 2, withoutUrl: 1, problems: { total: 0 }, warnings: { total: 0 } });
    expect(await listed({ campaign: id })).toMatchObject([
      { facts: { url: first, campaign: id, key: '1', creator: 'anna', product: 'p1' } },
    ]);
    expect(await ledger.videos.list.ofRows(id, ['1', '2'])).toHaveLength(2);
    expect((await ledger.videos.list.ofRows(id, ['2']))[0]).toBeUndefined();
  });

  it('of a plan with columns of the same names: those of the runner are read', async () => {
    const test = testLedger();
    const { importText, listed, ledger } = opened(test);
    const id = await test.campaign(1);
    const { check } = await importText(
      `Campaign,Video URL,${header}\nSpring,none yet,anna,p1,1,${await ledger.format.id()},${id},posted,post_1,${first}\n`,
    );
    expect(check.problems.total).toBe(0);
    expect(await listed({ campaign: id })).toMatchObject([{ facts: { url: first, key: '1' } }]);
  });

  it('is a workbook: merged headings and formulas without a value in other columns are no problem', async () => {
    const { importFile, urls } = opened();
    const names = ['week', ...header.split(',')];
    const withoutValue = '<c><f>A1+1</f></c>';
    const row = (texts: readonly string[]) => textRow(texts).replace('</row>', '').replace('<row>', '');
    const post = (link: string) => row(['anna', 'p1', '1', 'own', 'c1', 'posted', 'post_1', link]);
    const rows = [
      textRow(names),
      textRow(['Christmas']),
      `<row>${withoutValue}${post(first)}</row>`,
      `<row>${withoutValue}${post('')}</row>`,
      `<row><c/>${withoutValue}</row>`,
    ];
    const workbook = (more = '') => writeWorkbook({ rows: rows.join('') + more, merges: ['A2:I2'] });
    const { check } = await importFile(await workbook());
    expect(check).toMatchObject({ withoutUrl: 2, problems: { total: 0 } });
    expect(await urls()).toEqual([first]);
    const linkless = `<row>${row(['', 'anna', 'p1', '1', 'own', 'c1', 'posted', 'post_1'])}${withoutValue}</row>`;
    const { check: refused } = await importFile(await workbook(linkless));
    expect(refused.problems.kept).toMatchObject([{ column: 'video_url', code: 'formula_without_value' }]);
  });

  it('whose columns are missing takes them from the row in the ledger', async () => {
    const test = testLedger();
    const { importText, listed } = opened(test);
    const id = await test.campaign(2);
    await importText(`campaign,key,video_url\n${id},2,${first}\n`);
    expect(await listed()).toMatchObject([{ facts: { key: '2', creator: 'creator-1' } }]);
    await importText(`campaign,key,creator,video_url\n${id},2,somebody,${first}\n`);
    expect(await listed()).toMatchObject([{ facts: { key: '2', creator: 'somebody' } }]);
  });

  it('whose columns are missing finds rows of several campaigns, in any order', async () => {
    const test = testLedger();
    const { importText, listed } = opened(test);
    const one = await test.campaign(1100);
    const other = await test.campaign(3, { creatorOf: (row) => `other-${row}` });
    const rows = [
      [one, '1100', 'creator-1099'],
      [other, '2', 'other-1'],
      [one, '1', 'creator-0'],
      [one, '501', 'creator-500'],
      [one, '1101', undefined],
      [other, '3', 'other-2'],
    ] as const;
    const lines = rows.map(([id, key], index) => `${id},${key},https://video.example/@anna/video/${index}`);
    await importText(`campaign,key,video_url\n${lines.join('\n')}\n`);
    expect((await listed()).map(({ facts }) => facts.creator)).toEqual(rows.map(([, , creator]) => creator));
  });

  it('whose columns are missing takes the creator of a row without its @', async () => {
    const test = testLedger();
    const { importText, listed } = opened(test);
    const id = await test.campaign(1, { creatorOf: () => '@Anna' });
    await importText(`campaign,key,video_url\n${id},1,${first}\n`);
    expect(await listed()).toMatchObject([{ facts: { creator: 'Anna' } }]);
  });

  it('of another campaign, without keys, takes a video from its former row and ties it to none', async () => {
    const { importText, listed, ledger } = opened();
    await importText(`campaign,key,creator,product_id,label,video_url\nc1,7,anna,p1,mine,${first}\n`);
    await importText(`campaign,video_url\nc2,${first}\n`);
    expect(await ledger.videos.list.ofRows('c1', ['7'])).toEqual([undefined]);
    expect(await ledger.videos.list.ofRows('c2', ['7'])).toEqual([undefined]);
    const [{ facts } = {}] = await listed();
    expect(facts).toMatchObject({ campaign: 'c2', label: 'mine' });
    expect(facts).not.toHaveProperty('key');
    expect(facts).not.toHaveProperty('creator');
    expect(facts).not.toHaveProperty('product');
  });

  it('ties a listed video to a row by its own key only, and keeps the creator that was named for it', async () => {
    const { importText, listed, ledger } = opened();
    await importText(`key,creator,video_url\n7,anna,${first}\n`);
    await importText(`campaign,video_url\nc2,${first}\n`);
    expect(await ledger.videos.list.ofRows('c2', ['7'])).toEqual([undefined]);
    expect(await listed()).toMatchObject([{ facts: { campaign: 'c2', creator: 'anna' } }]);
  });

  it('of another ledger leaves a known video with its row', async () => {
    const { importText, listed } = opened();
    await importText(`campaign,key,video_url\nc1,7,${first}\n`);
    await importText(`${header}\nanna,p1,1,other,c1,posted,post_1,${first}\n`);
    expect(await listed()).toMatchObject([{ facts: { campaign: 'c1', key: '7', creator: 'anna' } }]);
  });

  it('of another ledger adds its videos without the campaign, and warns', async () => {
    const { importText, listed } = opened();
    const { check } = await importText(`${header}\nanna,p1,1,other,c1,posted,post_1,${first}\n`);
    expect(check.warnings.kept).toMatchObject([{ line: 2, code: 'other_ledger', value: 'c1' }]);
    const [video] = await listed();
    expect(video?.facts).toMatchObject({ creator: 'anna' });
    expect(video?.facts.campaign).toBeUndefined();
  });
});
