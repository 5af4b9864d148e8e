/**
 * What helps to write a manifest: examples of each kind of post, and a JSON Schema (draft 2020-12) for editors. Only the import checks
 * rules across several columns.
 */

import { businessTypes, imageModels, videoModels } from '../service/contract/generation.ts';
import {
  maxAnchorTitleLength,
  maxCaptionLength,
  maxPhotos,
  mediaTypes,
  preCheckOvertimeRange,
  productSources,
} from '../service/contract/posts.ts';
import { approveRules } from './campaign-options.ts';
import { type ColumnName, columns, requiredColumns } from './columns.ts';

/** Cells by column; missing ones are empty. */
export type TemplateRow = Readonly<Partial<Record<ColumnName, string>>>;

const leadDays = 7;

/** Valid once their media files exist. @param now Unix epoch, milliseconds. Scheduled times are a week later. */
export function templateRows(now: number): readonly TemplateRow[] {
  const day = new Date(now + leadDays * 86_400_000).toISOString().slice(0, 10);
  const serum = { product_id: '1729432342342341001', product_title: 'Vitamin C Serum' };
  const mug = { product_id: '1729432342342341002', product_title: 'Stoneware Mug' };
  return [
    {
      key: 'video',
      creator: 'demo_anna',
      media: 'videos/serum.mp4',
      caption: 'A video file, posted as soon as it is uploaded',
      ...serum,
      cover_timestamp_ms: '1500',
    },
    {
      key: 'video-scheduled',
      creator: 'demo_anna',
      media: 'https://cdn.example.com/mug.mp4',
      caption: 'A video from a URL, scheduled in the time of the creator',
      ...mug,
      scheduled_at: `${day} 10:00`,
      scheduled_tz: 'America/New_York',
      pre_check: 'yes',
      pre_check_overtime: '900',
    },
    {
      key: 'photos',
      creator: 'demo_ben',
      media: 'photos/mug-1.jpg|photos/mug-2.jpg|photos/mug-3.jpg',
      caption: 'A photo post of three images; the first one is its cover',
      ...mug,
      scheduled_at: `${day}T18:30:00+08:00`,
    },
    {
      key: 'shop-product',
      creator: 'demo_ben',
      media: 'videos/mug.mp4',
      caption: "A product of the shop, which need not be in the creator's showcase",
      ...mug,
      product_source: 'SHOP',
    },
    {
      key: 'ai-video',
      creator: 'demo_carla',
      caption: 'A video generated from a prompt and a picture',
      ...serum,
      ai_prompt: 'The bottle turns slowly in the light of the morning',
      ai_model: 'seedance2.0',
      ai_seconds: '8',
      ai_size: '720x1280',
      ai_references: 'photos/serum.jpg',
    },
    {
      key: 'ai-photos',
      creator: 'demo_carla',
      caption: 'A photo post of two generated images',
      ...serum,
      ai_prompt: 'The bottle on a marble table, seen from above',
      ai_model: 'gpt-image-2',
      ai_aspect_ratio: '9:16',
      ai_count: '2',
    },
  ];
}

type Schema = Readonly<Record<string, unknown>>;

const text = { type: 'string' };
/** Ids may be in quotes, because many programs spoil numbers of more than 15 digits. */
const id = { type: ['string', 'integer'] };
const yesOrNo = { type: ['boolean', 'string'] };
const list = (maxItems?: number): Schema => ({
  oneOf: [text, { type: 'array', items: text, minItems: 1, ...(maxItems !== undefined && { maxItems }) }],
});
const whole = (minimum: number, maximum?: number): Schema => ({
  type: ['integer', 'string'],
  minimum,
  ...(maximum !== undefined && { maximum }),
});
const oneOf = (words: readonly string[]): Schema => ({ type: 'string', enum: words });

const values: { readonly [Name in ColumnName]: Schema } = {
  key: id,
  creator: id,
  media: list(maxPhotos),
  media_type: oneOf(mediaTypes),
  caption: { ...text, maxLength: maxCaptionLength },
  product_id: id,
  product_title: { ...text, maxLength: maxAnchorTitleLength },
  product_source: oneOf(productSources),
  showcase: yesOrNo,
  product_link: { ...text, format: 'uri' },
  scheduled_at: text,
  scheduled_time: text,
  scheduled_tz: text,
  lead: text,
  approve: oneOf(approveRules),
  oauth_region: text,
  is_ai_generated: yesOrNo,
  pre_check: yesOrNo,
  pre_check_overtime: whole(preCheckOvertimeRange.min, preCheckOvertimeRange.max),
  music_id: id,
  music_title: text,
  music_author: text,
  music_duration: id,
  cover_timestamp_ms: whole(0),
  cover: text,
  cover_file_id: id,
  cover_uri: text,
  ai_prompt: text,
  ai_model: oneOf([...imageModels, ...videoModels]),
  ai_seconds: whole(1),
  ai_size: { ...text, pattern: '^\\d+\\s*[xX×]\\s*\\d+$' },
  ai_aspect_ratio: { ...text, pattern: '^\\d+\\s*:\\s*\\d+$' },
  ai_references: list(),
  ai_count: whole(1, maxPhotos),
  ai_watermark: yesOrNo,
  ai_exec_at: text,
  ai_prompt_id: id,
  ai_name: text,
  ai_business_id: id,
  ai_business_type: oneOf(businessTypes),
};

/** The schema of a manifest: an array of rows, or an object with rows, a name and defaults. */
export function manifestSchema(): Schema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Sheet of a campaign',
    description:
      'One row is one post. Remove the column "campaign" before a new import; other result columns are ignored.',
    oneOf: [
      { type: 'array', items: { $ref: '#/$defs/wholeRow' }, minItems: 1 },
      {
        type: 'object',
        properties: {
          $schema: { type: 'string' },
          name: { type: 'string', description: "The campaign's name." },
          defaults: { $ref: '#/$defs/row', description: 'Values for rows that do not have their own.' },
          rows: { type: 'array', items: { $ref: '#/$defs/row' }, minItems: 1 },
        },
        required: ['rows'],
        additionalProperties: false,
      },
    ],
    $defs: {
      row: {
        type: 'object',
        properties: Object.fromEntries(columns.map(describe)),
        patternProperties: { '^[_#]': { description: 'A note; the results sheet keeps it.' } },
      },
      wholeRow: {
        type: 'object',
        $ref: '#/$defs/row',
        required: requiredColumns,
        anyOf: ['media', 'ai_prompt'].map((name) => ({ type: 'object', required: [name] })),
      },
    },
  };
}

function describe({ name, explanation, example }: (typeof columns)[number]): readonly [ColumnName, Schema] {
  // An empty value may also be null.
  return [name, { description: explanation, anyOf: [values[name], { type: 'null' }], examples: [example] }];
}
