/** Every cell of a sheet is sent, refused or told: none is lost without a word. */
import { expect, test } from 'vitest';
import { filesNeeded } from '../../../src/ledger/rows/row-progress.ts';
import { handedOverAt, needsApproval } from '../../../src/manifest/campaign-options.ts';
import { type ColumnName, columns } from '../../../src/manifest/columns.ts';
import { createRowReader } from '../../../src/manifest/reader.ts';
import type { Row } from '../../../src/manifest/row.ts';
import { generationRequest } from '../../../src/processors/steps/generate.ts';
import { postRequest } from '../../../src/processors/steps/post.ts';
import { check, confirmUpload } from '../../importers/manifest-source.ts';
import { generatedImages, generatedVideo } from '../../manifest/rows.ts';
import { creator } from '../../support/sheets/row-values.ts';

type Cells = Partial<Record<ColumnName, string>>;

const header = columns.map(({ name }) => name);
const common = { creator: 'mia', caption: 'Glow', product_id: '1', product_title: 'Serum' };
const kinds: Readonly<Record<string, Cells>> = {
  'own video': { ...common, media: 'a.mp4' },
  'own photos': { ...common, media: 'a.png|b.png' },
  'AI video': { ...common, ...generatedVideo },
  'AI photos': { ...common, ...generatedImages },
};
const uploadCover = { method: 'POST', path: '/cover', result: { coverUri: '/data/uri' } };
const music = { music_id: '7' };
const time = { scheduled_at: '2036-01-01T10:00Z' };

/** Of each column, values that it is filled with, and other cells that are filled too. */
const fillings: { readonly [Name in ColumnName]: readonly (readonly [value: string, others?: Cells])[] } = {
  key: [['spring-1']],
  creator: [['zoe']],
  media: [['c.mp4'], ['c.png']],
  media_type: [
    ['VIDEO', { media: 'https://cdn.example/1' }],
    ['PHOTO', { media: 'https://cdn.example/1' }],
  ],
  caption: [['Shine']],
  product_id: [['2']],
  product_title: [['Cream']],
  product_source: [['SHOP']],
  showcase: [['no'], ['yes', { product_source: 'SHOP' }]],
  product_link: [['https://shop.example/p/1'], ['https://shop.example/p/1', { product_source: 'SHOP' }]],
  scheduled_at: [['2036-01-01T10:00Z']],
  scheduled_time: [['18:30', { scheduled_at: '2036-01-01', scheduled_tz: 'UTC' }]],
  scheduled_tz: [
    ['Asia/Shanghai'],
    ['Asia/Shanghai', time],
    ['Asia/Shanghai', { ai_exec_at: '2035-01-01 10:00' }],
  ],
  lead: [['2d'], ['2d', time]],
  approve: [['all']],
  oauth_region: [['GB']],
  is_ai_generated: [['yes'], ['no']],
  pre_check: [['yes'], ['no']],
  pre_check_overtime: [['900'], ['900', { pre_check: 'yes' }], ['900', { pre_check: 'no' }]],
  music_id: [['8']],
  music_title: [['Sunrise'], ['Sunrise', music]],
  music_author: [['Larks'], ['Larks', music]],
  music_duration: [['30'], ['30', music]],
  cover_timestamp_ms: [['0'], ['1500']],
  cover: [['cover.png']],
  cover_file_id: [['9'], ['9', { cover_uri: 'u' }]],
  cover_uri: [['u'], ['u', { cover_file_id: '9' }]],
  ai_prompt: [['A lamp']],
  ai_model: [['seedance2.0'], ['gpt-image-2']],
  ai_seconds: [['4', { ai_model: 'seedance2.0' }], ['4']],
  ai_size: [['1280x720']],
  ai_aspect_ratio: [['16:9']],
  ai_references: [['r.png'], ['r.png|s.png']],
  ai_count: [['3']],
  ai_watermark: [['yes'], ['no']],
  ai_exec_at: [['2035-01-01T10:00Z'], ['2035-01-01T10:00Z', time]],
  ai_prompt_id: [['p1']],
  ai_name: [['Dawn']],
  ai_business_id: [['sku-1']],
  ai_business_type: [['MERCHANT_SKU']],
};

/** Everything that leaves for the service. */
function sent(row: Row) {
  const { generation, cover, product } = row;
  return {
    creator: row.creator,
    media: row.media,
    at: handedOverAt(row, null),
    waits: needsApproval(row, 'none'),
    showcase: row.showcase && (product.link ?? product.id),
    generation:
      generation &&
      generationRequest(generation, {
        taskId: 'abcd1234',
        outputs: generation.count,
        references: generation.references,
      }),
    post: postRequest({
      row,
      creator,
      fileIds: Array.from({ length: filesNeeded(row) }, (_, index) => `7${index}`),
      cover: cover?.kind === 'file' ? { fileId: '9', uri: cover.source } : undefined,
      unscheduled: false,
    }),
  };
}

test('a cell that changes nothing asks for what is so anyway', async () => {
  const filled = Object.entries(kinds).flatMap(([kind, base]) =>
    header.flatMap((column) =>
      fillings[column].map(([value, others]) => ({
        name: `${kind}: ${column} ${value}`,
        column,
        cells: { ...base, ...others, [column]: value },
      })),
    ),
  );
  const rows = filled.flatMap(({ cells, column }) => [cells, { ...cells, [column]: '' }]);
  const told: string[][] = rows.map(() => []);
  const lines = rows.map((cells: Cells) => header.map((name) => `"${cells[name] ?? ''}"`).join());
  const { refused } = await check([header.join(), ...lines].join('\n'), {
    settings: { api: { confirmUpload, uploadCover } },
    onWarning: ({ number, warning: { column, code } }) =>
      code === 'caption_repeats' || told[number - 1]?.push(`${column} ${code}`),
  });
  for (const { number, problems } of refused) {
    told[number - 1]?.push(...problems.map(({ column, code }) => `${column} ${code}`));
  }
  const reader = createRowReader(header, { timezone: null });
  const outcomes = rows.map((cells: Cells, index) => {
    const reading = reader.read({ cells: header.map((name) => cells[name] ?? ''), number: 1 });
    const row = 'row' in reading ? [reading.row.key, sent(reading.row)] : undefined;
    return { text: JSON.stringify([told[index], row]), isAccepted: row !== undefined };
  });
  const silent = filled.filter((_, index) => {
    const [outcome, without] = outcomes.slice(2 * index);
    return outcome?.text === without?.text && without?.isAccepted;
  });

  expect(silent.map(({ name }) => name)).toEqual([
    'own photos: is_ai_generated no',
    'own photos: pre_check no',
    'AI video: is_ai_generated yes',
    'AI photos: pre_check no',
    'AI photos: ai_watermark no',
  ]);
});
