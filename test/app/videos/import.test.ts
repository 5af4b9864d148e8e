import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listVideoPage, removeVideo } from '../../../src/app/videos/watch-list.ts';
import { writeSheet } from '../../../src/sheets/write/sheet-file.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { testLedger } from '../../support/ledger.ts';
import { opened } from './importing.ts';

async function* linesOf(lines: readonly (readonly string[])[]) {
  yield* lines;
}

const first = 'https://video.example/@anna/video/1';
const second = 'https://video.example/@ben/video/2';
const third = 'https://video.example/@ben/video/3';

describe('a sheet of videos', () => {
  it.each([
    ['CSV', `video_url,label,tags\n${first},one,a|b\n${second},,\n`],
    ['JSON', JSON.stringify([{ video_url: first, label: 'one', tags: ['a', 'b'] }, { video_url: second }])],
    ['JSON Lines', `{"video_url":"${first}","label":"one","tags":["a","b"]}\n{"video_url":"${second}"}\n`],
  ])('is read as %s', async (_format, text) => {
    const { importText, listed } = opened();
    expect(await importText(text)).toMatchObject({ added: 2, known: 0, videos: 2 });
    expect(await listed()).toMatchObject([
      { facts: { url: first, label: 'one', tags: ['a', 'b'] }, scrape: 0, meta: {} },
      { facts: { url: second } },
    ]);
  });

  it('is read as a workbook', async () => {
    const { importFile, urls } = opened();
    const file = join(temporaryFolder(), 'videos.xlsx');
    await writeSheet(file, linesOf([['Video URL'], [first], [second]]), { format: 'xlsx' });
    expect(await importFile(file)).toMatchObject({ added: 2 });
    expect(await urls()).toEqual([first, second]);
  });

  it.each([
    ['without a header', `${first}\n${second}\n`],
    ['under any header, beside columns of other kinds', `Clip link,Note\n${first},a\n${second},https\n`],
  ])('takes the one column of links %s', async (_what, text) => {
    const { importText, urls } = opened();
    expect(await importText(text)).toMatchObject({ added: 2, check: { rows: 2 } });
    expect(await urls()).toEqual([first, second]);
  });

  it('does not choose between two columns of links', async () => {
    const { importText, urls } = opened();
    const { check } = await importText(`Preview,Post\n${first},${second}\n`);
    const fix = 'Write video_url above the column with the public URLs of the videos.';
    expect(check.problems.kept).toMatchObject([{ problem: 'the columns A and B have links', fix }]);
    expect(await urls()).toEqual([]);
  });

  it('takes pasted links, one a line, with the numbers of their lines', async () => {
    const { importLinks, urls } = opened();
    const { check } = await importLinks(`${first}\r\n\r\nsoon\r\n`);
    expect(check.problems.kept).toMatchObject([{ line: 3, value: 'soon', code: 'invalid_url' }]);
    expect(await importLinks(`${first}\r\n\r\n ${second} \r\n${first}`)).toMatchObject({
      added: 1,
      known: 1,
      check: { rows: 3, warnings: { total: 1 } },
    });
    expect(await urls()).toEqual([first, second]);
  });

  it('refuses a link in place of the product id, and reads the link of a profile as the username', async () => {
    const { importText, listed } = opened();
    const link = 'https://shop.example/product/1730000417';
    const refused = await importText(`product_id,video_url\n${link},${first}\n`);
    expect(refused.check.problems.kept).toMatchObject([{ column: 'product_id', code: 'link_as_id' }]);
    await importText(`product_id,creator,video_url\n1730000417,video.example/@mia?lang=en,${first}\n`);
    expect((await listed()).map(({ facts }) => facts.creator)).toEqual(['mia']);
    expect(await listed({ creator: 'https://video.example/@Mia' })).toHaveLength(1);
  });

  it('tells all problems with line and fix, and adds nothing', async () => {
    const { importText, urls } = opened();
    const { check } = await importText(
      `key,video_url,label\n1,${first},\n2,ftp://x/y,\n3,,\n4,${second},"a\nb"\n5,https://u:p@video.example/3\n`,
    );
    expect(check.rows).toBe(5);
    expect(check.problems.kept).toMatchObject([
      { line: 3, key: '2', column: 'video_url', code: 'invalid_url', value: 'ftp://x/y' },
      { line: 4, column: 'video_url', code: 'missing_value' },
      { line: 5, key: '4', column: 'label', code: 'control_characters' },
      { line: 7, column: null, code: 'ragged_row' },
    ]);
    expect(check.problems.kept.every(({ fix }) => fix !== '')).toBe(true);
    expect(await urls()).toEqual([]);
  });

  it.each([
    ['url_of_it\nx\n', 'missing_column'],
    [`video_url,Video URL\n${first},${first}\n`, 'duplicate_column'],
    [`video_url,__proto__\n${first},x\n`, 'reserved_name'],
    ['video_url\n', 'no_rows'],
    ['', 'empty_file'],
  ])('%j has the problem %s', async (text, code) => {
    const { check } = await opened().importText(text);
    expect(check.problems.kept.map((problem) => problem.code)).toContain(code);
  });

  it('may name a video twice: that is a warning', async () => {
    const { importText, urls } = opened();
    const { check, added } = await importText(`video_url\n${first}\n${first}?utm_source=mail\n`);
    expect(added).toBe(1);
    expect(check.warnings.kept).toMatchObject([{ line: 3, code: 'repeated_video' }]);
    expect(await urls()).toEqual([first]);
  });

  it('has one video for all forms of its link', async () => {
    const { importText, urls } = opened();
    const forms = [
      'http://www.video.example/v/1',
      'https://m.video.example/v/1',
      'https://video.example/v/1/?_r=1',
    ];
    const { check, added } = await importText(`video_url\n${forms.join('\n')}\n`);
    expect(added).toBe(1);
    expect(check.warnings.kept.map(({ code }) => code)).toEqual(['repeated_video', 'repeated_video']);
    expect(await urls()).toEqual(forms.slice(0, 1));
  });

  it('warns of links with one long number, which may be one video', async () => {
    const { importText } = opened();
    const number = '7312345678901234567';
    const links = [`https://video.example/@anna/video/${number}`, `https://video.example/v/${number}.html`];
    const { check, added } = await importText(`video_url\n${links.join('\n')}\nhttps://video.example/v/2\n`);
    expect(added).toBe(3);
    expect(check.warnings.kept).toMatchObject([{ line: 3, code: 'same_number' }]);
  });

  it('changes nothing when it comes again; new facts replace former ones', async () => {
    const test = testLedger();
    const { importText, listed } = opened(test);
    await importText(`video_url,label,campaign\n${first},old,autumn\n`);
    const [{ facts } = {}] = await listed();
    test.clock.now += 1000;
    expect(await importText(`video_url\n${first}#top\n`)).toMatchObject({ added: 0, known: 1, videos: 1 });
    expect(await listed()).toMatchObject([{ facts: { ...facts, label: 'old', campaign: 'autumn' } }]);
    await importText(`video_url,label,campaign\n${first},new,winter\n`);
    expect(await listed()).toMatchObject([{ facts: { label: 'new', campaign: 'winter' } }]);
    expect(await listed({ campaign: 'winter' })).toHaveLength(1);
    expect(await listed({ campaign: 'autumn' })).toEqual([]);
  });

  it('says what a year of nights will need', async () => {
    const { yearBytes } = await opened().importText(`video_url\n${first}\n`);
    expect(yearBytes).toBeGreaterThan(1000);
    // At most 60 bytes a sample.
    expect(yearBytes).toBeLessThan(365 * 60);
  });

  it('may have rows of blanks, and as many tags as a video takes', async () => {
    const { importText, listed } = opened();
    const tags = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`);
    const { check } = await importText(`video_url,tags\n${first},${tags(50).join('|')}\n , \n`);
    expect(check).toMatchObject({ rows: 1, problems: { total: 0 } });
    expect(await listed()).toMatchObject([{ facts: { tags: tags(50) } }]);
    const more = await importText(`video_url,tags\n${second},${tags(51).join('|')}\n`);
    expect(more.check.problems.kept).toMatchObject([{ column: 'tags', code: 'out_of_range' }]);
  });

  it('without a URL is told with its key', async () => {
    const { check } = await opened().importText('key,video_url\nk7,\n');
    expect(check.problems.kept).toMatchObject([{ line: 2, key: 'k7', code: 'missing_value' }]);
  });

  it('is listed by creator, whatever the case', async () => {
    const { importText, urls } = opened();
    await importText(`video_url,username\n${first},@Anna\n${second},ben\n`);
    expect(await urls({ creator: 'anna' })).toEqual([first]);
    expect(await urls({ creator: '@ANNA' })).toEqual([first]);
    expect(await urls({ state: 'gone' })).toEqual([]);
  });

  it('is listed in pages, to the last', async () => {
    const { importText, runtime } = opened();
    await importText(`video_url\n${first}\n${second}\n${third}\n`);
    const one = await listVideoPage(runtime, { after: 0, limit: 2 });
    expect(one.videos.map(({ facts }) => facts.url)).toEqual([first, second]);
    const rest = await listVideoPage(runtime, { after: one.last ?? 0, limit: 2 });
    expect([rest.videos.map(({ facts }) => facts.url), rest.last]).toEqual([[third], undefined]);
  });
});

describe('a removed video', () => {
  it('is found by any form of its URL, and leaves nothing behind', async () => {
    const { importText, runtime, urls, ledger } = opened();
    await importText(`video_url,campaign,key\n${first},c9,7\n${second},c9,8\n`);
    expect(await removeVideo(runtime, `${first}?utm_source=x#y`)).toBe(first);
    expect(await urls({ campaign: 'c9' })).toEqual([second]);
    expect(await ledger.videos.list.ofRows('c9', ['7'])).toEqual([undefined]);
    await expect(removeVideo(runtime, first)).rejects.toMatchObject({ code: 'video_not_found' });
  });
});
