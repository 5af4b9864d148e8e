import { describe, expect, it, test } from 'vitest';
import { suggestMap } from '../../../src/cli/print/problems.ts';
import { createColumnMap } from '../../../src/manifest/headers/column-map.ts';
import { check, manifestOf } from '../../importers/manifest-source.ts';

const agency = (header: string, row: (at: number) => string) => [header, ...[1, 2, 3].map(row)].join('\n');

test('names are matched by their parts before the contents', async () => {
  const sheet = agency(
    'creator,Asset (file or link),Caption incl. hashtags,Item ID (shop),Pin title,Prompt (AI only),Reference image,Length (s)',
    (at) =>
      `demo_${at},https://files.example/${at},Slow mornings ${at} #tea,172000${at},Serum,Slow pan over it ${at},ref-${at}.png,8`,
  );
  const { proposals, header: names } = await check(sheet);
  expect(proposals.map(({ position, column }) => [names[position], column])).toEqual([
    ['Asset (file or link)', 'media'],
    ['Caption incl. hashtags', 'caption'],
    ['Item ID (shop)', 'product_id'],
    ['Pin title', 'product_title'],
    ['Prompt (AI only)', 'ai_prompt'],
    ['Reference image', 'ai_references'],
    ['Length (s)', 'ai_seconds'],
  ]);
  expect(proposals[1]?.evidence).toBe('its name has Caption, and its cells fit');
});

test.each([
  [['ref-1.png', 'ref-2.png', ''], 'ai_references'],
  [['', 'Ref 2.PNG', ''], 'ai_references'],
  [['ref-1.png', 'ref-2.png', 'own.png'], 'media'],
])('a column of %j beside two prompts is %s', async (files, column) => {
  const prompts = ['Slow pan', 'Slow zoom', ''];
  const rows = files.map((file, at) => {
    const media = prompts[at] === '' ? `${at}.mp4` : '';
    return `demo_${at},${media},${prompts[at]},${file},Slow mornings ${at},172000${at},Serum`;
  });
  const sheet = ['creator,media,prompt,Vorlage,caption,product_id,product_title', ...rows].join('\n');
  expect((await check(sheet)).proposals).toMatchObject([{ column }]);
});

test.each([
  ['Sound', ['Calm Sunday', 'Midnight Walk'], 'music_title'],
  ['Sound (TikTok)', ['7012345678901234567', '7012345678901234568'], 'music_id'],
  ['Bildformat', ['720x1280', '4:5'], 'ai_size'],
  ['Size / Aspect', ['4:5', '1:1'], 'ai_aspect_ratio'],
  ['Secs', ['8 sec', '4'], 'ai_seconds'],
  ['Nº imágenes', ['1', '2'], 'ai_count'],
  ['Ref Images', ['a.png', 'b.png'], 'ai_references'],
])('%s with %j is %3$s', async (header, cells, column) => {
  const rows = cells.map((cell) => ({
    media: '',
    ai_prompt: 'Slow pan',
    ai_model: 'seedance2.0',
    [header]: cell,
  }));
  const { proposals, header: names } = await check(manifestOf(rows));
  expect(proposals.filter(({ position }) => names[position] === header)).toMatchObject([{ column }]);
});

test('a part of a name is not enough if the cells say otherwise', async () => {
  const sheet = agency(
    'creator,Video length,Caption status,Product price,Copy,media,product_id,product_title',
    (at) => `demo_${at},0:1${at},ok,${at}9.90 €,Slow mornings ${at},${at}.mp4,172000${at},Serum`,
  );
  const { proposals } = await check(sheet);
  expect(proposals.map(({ column }) => column)).toEqual(['_', '_']);
});

test('of two versions of the caption, a person chooses: neither is proposed, nor a note, nor another text', async () => {
  const sheet = agency(
    'creator,media,product_id,product_title,Caption V1,Caption V2,Intern',
    (at) =>
      `demo_${at},${at}.mp4,172000${at},Serum,Slow mornings ${at},Slower evenings ${at},Wait for the label ${at}`,
  );
  const { proposals, header: names } = await check(sheet);
  expect(proposals.map(({ position, column }) => [names[position], column])).toEqual([['Intern', '_']]);
});

test.each([
  ['Cover at', '0:01'],
  ['Cover time (s)', '1.5 s'],
  ['Coverzeit', '0:02'],
  ['Cover', '0:02'],
  ['Cover (min:sec)', '0:03'],
  ['Thumbnail second', '1500 ms'],
])('%s with %s is the frame of the cover', async (header, cell) => {
  const { proposals } = await check(manifestOf([{ [header]: cell }, { [header]: cell }]));
  expect(proposals).toMatchObject([{ column: 'cover_timestamp_ms' }]);
});

test.each(['Who', 'Wer', 'Who posts', 'Posted by'])(
  '%s is the creator, if its cells are names',
  async (header) => {
    const sheet = (who: string) =>
      check(
        `${header},media,caption,product_id,product_title\n${who},a.mp4,Burn it slow,1729432342342341001,Candle`,
      );
    expect((await sheet('Anna Demo')).proposals).toMatchObject([{ position: 0, column: 'creator' }]);
    expect((await sheet('17:30')).proposals).not.toMatchObject([{ column: 'creator' }]);
  },
);

describe('"Title"', () => {
  async function proposed(header: string, texts: readonly string[]) {
    const rows = texts.map((text, index) => `demo_anna,${index}.mp4,${text},172943234234234100${index}`);
    const { proposals, header: names } = await check(
      [`creator,media,${header},product_id`, ...rows].join('\n'),
    );
    return Object.fromEntries(proposals.map(({ position, column }) => [names[position], column]));
  }

  it.each([
    [
      'a caption by a part of its name',
      'Caption incl. hashtags',
      { Title: 'product_title', 'Caption incl. hashtags': 'caption' },
    ],
    ['a column of captions', 'Caption', { Title: 'product_title' }],
  ])('is the title of the product beside %s', async (_what, caption, expected) => {
    const texts = [
      'Fig Candle,Burn it slow #home',
      'Stoneware Mug 350 ml,My first sip #monday',
      'Fig Candle,The one I rebuy',
    ];
    expect(await proposed(`Title,${caption}`, texts)).toEqual(expected);
  });

  it('is a note beside a title of the product and a caption by a part of its name', async () => {
    const texts = ['Candle 1,Burn it slow #home,Fig Candle', 'Mug 2,My first sip #monday,Stoneware Mug'];
    const header = 'Title,Caption incl. hashtags,Product title';
    expect(await proposed(header, texts)).toEqual({ Title: '_', 'Caption incl. hashtags': 'caption' });
  });

  it('is not the title of the product if it is too long for one', async () => {
    const texts = ['Why I burn this candle slowly on Sundays,Burn it slow #home', 'Mug,My first sip #monday'];
    expect(await proposed('Title,Caption', texts)).toEqual({});
  });

  it.each([
    ['remarks on the caption', 'Title,Caption status', ['Burn it slow #home,', 'My first sip #monday,']],
    ['nothing like it', 'Title', ['Burn it slow #home', 'My first sip #monday']],
    ...['_Caption ideas', '# text', 'Caption ideas', 'Caption (client wishes)', 'Notizen zur Caption'].map(
      (name) => [
        name,
        `Title,${name}`,
        ['Burn it slow #home,ask Mira first', 'My sip #monday,not before May'],
      ],
    ),
  ] as [string, string, string[]][])('is the caption beside %s', async (_what, header, texts) => {
    expect(Object.keys(await proposed(header, texts))).not.toContain('Title');
  });

  it('is the caption beside a column that a person has made a note', async () => {
    const sheet = [
      'creator,media,Title,Caption incl. hashtags,product_title,product_id',
      'demo_anna,a.mp4,Burn it slow #home,internal: ask Mira,Candle,1729432342341001001',
    ].join('\n');
    const map = createColumnMap([['Caption incl. hashtags', '_']]);
    expect((await check(sheet, { sheet: { map } })).blocking).toEqual([]);
    expect((await check(sheet)).blocking).not.toEqual([]);
  });
});

test.each(['Slot time (JST)', 'Slot time UTC+9', 'Slot time [Asia/Tokyo]'])(
  'the zone in %s is not lost',
  async (header) => {
    const rows = ['18:30', '19:00'].map((cell, at) => ({ caption: `Slow mornings ${at}`, [header]: cell }));
    const { proposals, blocking } = await check(manifestOf(rows));
    const [proposal] = proposals;
    const zone = / \W?([\w+/]+)\W?$/.exec(header)?.[1];
    expect(proposal).toMatchObject({ column: 'scheduled_time', zone });
    expect(blocking).toMatchObject([{ problem: expect.stringContaining(`names the zone ${zone}, which`) }]);
    expect(suggestMap([header], [header], proposal ? [{ ...proposal, position: 0 }] : [])).toBe('');
  },
);

test('a header names no zone beside a column of zones', async () => {
  const { proposals } = await check(
    manifestOf([{ 'Slot time (JST)': '18:30', scheduled_at: '2031-03-04', scheduled_tz: 'Asia/Tokyo' }]),
  );
  expect(proposals.map(({ column, zone }) => [column, zone])).toEqual([['scheduled_time', undefined]]);
});
