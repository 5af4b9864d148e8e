/** JSON Schema (draft 2020-12) of the JSON manifest, for editors. Only the import checks rules across several columns. */
import { businessTypes, imageModels, videoModels } from '../service/contract/generation.ts';
import {
  maxAnchorTitleLength,
  maxCaptionLength,
  maxPhotos,
  preCheckOvertimeRange,
} from '../service/contract/post-limits.ts';
import { mediaTypes, productSources } from '../service/contract/posts.ts';
import { type ColumnName, columns, requiredColumns } from './columns.ts';

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
    description: 'One row is one post. Columns of a results sheet are ignored, but remove campaign.',
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
