/** The catalogue of manifest columns: names, meaning and an example of each. */
import { imageModels, type VideoModel, videoModels, videoSeconds } from '../service/contract/generation.ts';

export interface Column {
  readonly name: string;
  /** Other names, as `foldHeader` returns them. */
  readonly aliases: readonly string[];
  /** `list`: a cell may have several values, separated by `|`. */
  readonly kind: 'single' | 'list';
  readonly explanation: string;
  readonly example: string;
}

export const listSeparator = '|';

const catalogue = [
  column(
    'key',
    'rowkey rowid no nr number',
    "The row's own ID, unique in the file. If empty, the row number.",
    'spring-001',
  ),
  column(
    'creator',
    'username creatorusername creatorhandle creatorid account accountid creatoraccount handle influencer talent profile',
    'Username, creatorId or account ID; its authorization must be valid.',
    'glow.by.mia',
  ),
  column(
    'media',
    'mediaurl mediapath mediafile video videos videofile videourl image images photo photos file filename clip clips asset assets',
    'Path or http(s) URL of one video, or of 1 to 15 images separated by |. Empty when generated.',
    'videos/serum.mp4',
    'list',
  ),
  column('media_type', 'type posttype', 'VIDEO or PHOTO. If empty, detected from the media.', 'VIDEO'),
  column(
    'caption',
    'title posttitle text copy posttext postcopy description',
    'Text of the post, at most 4,000 characters.',
    'Morning glow',
  ),
  column(
    'product_id',
    'product',
    'ID of the product that the post shows; every post needs one.',
    '1729432342342341837',
  ),
  column(
    'product_title',
    'producttitle anchortitle productname',
    'Title of the product shown in the post, at most 30 characters.',
    'Vitamin C Serum',
  ),
  column('product_source', 'source', 'SHOWCASE (default) or SHOP.', 'SHOWCASE'),
  column(
    'showcase',
    'addtoshowcase',
    "Add the product to the creator's showcase first: yes or no. Default: yes for SHOWCASE, no for SHOP.",
    'yes',
  ),
  column(
    'product_link',
    'producturl link',
    'URL by which the product is added to the showcase. Fill in product_id, too: the post needs it.',
    'https://shop.example/product/1729432342342341837',
  ),
  column(
    'scheduled_at',
    'schedule scheduleat publishat publishtime publishdate postdate postingdate date datetime golive golivedate',
    'When to publish, e.g. 2026-12-01 10:00. Leave empty to post now.',
    '2026-12-01 10:00',
  ),
  column(
    'scheduled_time',
    'time timeofday posttime postingtime goliveat',
    'Time of day, where scheduled_at has only the date.',
    '18:30',
  ),
  column(
    'scheduled_tz',
    'timezone tz scheduledtimezone scheduletz',
    'IANA time zone of scheduled_at and ai_exec_at.',
    'Asia/Shanghai',
  ),
  column(
    'lead',
    '',
    'How long before scheduled_at the post goes to the service: 2d, 12h, 30m, or now (immediately). You can change the post until it goes.',
    '2d',
  ),
  column(
    'approve',
    '',
    'When the post needs approval: all (always), generated (only if AI makes its media), or none (never).',
    'all',
  ),
  column(
    'oauth_region',
    'region',
    "Region of the creator's authorization, as the service writes it: usually two letters.",
    'US',
  ),
  column(
    'is_ai_generated',
    'aigenerated ailabel',
    'Label the video as AI-generated: yes or no. Default: yes for a generated video. Photo posts cannot be labeled through the service: label them in the social app.',
    'no',
  ),
  column('pre_check', '', 'Submit a pre-check before publishing (videos): yes or no.', 'yes'),
  column(
    'pre_check_overtime',
    'prechecktimeout',
    'Seconds after which an unfinished pre-check is skipped, 600 to 3600.',
    '900',
  ),
  column('music_id', 'music', 'ID of the background music.', '7291'),
  column('music_title', '', 'Title of the background music.', 'Sunrise'),
  column('music_author', 'musicartist', 'Author of the background music.', 'The Larks'),
  column('music_duration', '', 'Duration of the background music, as the service shows it.', '30'),
  column(
    'cover_timestamp_ms',
    'covertimestamp coverms coverframe',
    'Time of the frame to use as the cover, in milliseconds.',
    '1500',
  ),
  column(
    'cover',
    'coverfile coverimage coverurl thumbnail',
    'Image file or URL to use as the cover.',
    'covers/serum.jpg',
  ),
  column('cover_file_id', '', 'File ID of a cover uploaded earlier; needs cover_uri.', '90210'),
  column('cover_uri', '', 'URI of a cover uploaded earlier; needs cover_file_id.', 'covers/abc123'),
  column(
    'ai_prompt',
    'prompt',
    'Prompt to generate the media from, in place of media.',
    'A serum bottle at dawn',
  ),
  column('ai_model', 'model', 'Model that generates the media.', 'seedance2.0'),
  column(
    'ai_seconds',
    'seconds videoseconds',
    'Duration of a generated video, in seconds, as its model allows.',
    '8',
  ),
  column(
    'ai_size',
    'size videosize',
    'Dimensions of a generated video, width x height, as in 720x1280.',
    '720x1280',
  ),
  column(
    'ai_aspect_ratio',
    'aspectratio ratio',
    'Ratio of generated images, width:height, as in 9:16.',
    '9:16',
  ),
  column(
    'ai_references',
    'aireference references reference inputreference inputreferences',
    'Reference images in order, paths or URLs separated by |.',
    'refs/bottle.png',
    'list',
  ),
  column('ai_count', 'count nums', 'Images to generate for the post, 1 to 15. Always 1 for a video.', '1'),
  column('ai_watermark', 'watermark', 'Put a watermark on the generated video: yes or no.', 'no'),
  column(
    'ai_exec_at',
    'execat',
    'When to begin the generation, e.g. 2026-11-30 10:00. Leave empty to begin now.',
    '2026-11-30 10:00',
  ),
  column('ai_prompt_id', 'promptid', 'ID of a saved prompt.', 'pr-77'),
  column('ai_name', 'generationname', 'Display name of the generation.', 'serum dawn'),
  column('ai_business_id', 'businessid', 'Sent to the service as businessId.', 'sku-1'),
  column('ai_business_type', 'businesstype', 'MERCHANT_SKU or AI_PURCHASE_TASK.', 'MERCHANT_SKU'),
] as const satisfies readonly Column[];

/** What a column allows where that is a long list: only the template spells it out. */
const lists: Readonly<Record<string, string | undefined>> = {
  ai_model: `Images: ${imageModels.join(', ')}. Videos: ${videoModels.join(', ')}.`,
  ai_seconds: `${videoModels.map(secondsOf).join('; ')}.`,
};

function secondsOf(model: VideoModel): string {
  return `${model}: ${videoSeconds[model].join(', ')}`;
}

/** The explanation of a column with all that it allows. */
export function wholeExplanation({ name, explanation }: Column): string {
  const list = lists[name];
  return list === undefined ? explanation : `${explanation} ${list}`;
}

export const columns: readonly (Column & { readonly name: ColumnName })[] = catalogue;
export type ColumnName = (typeof catalogue)[number]['name'];

/** Names for people, of columns whose own name does not make one. */
const labels: Readonly<Record<string, string | undefined>> = {
  showcase: 'Add to showcase',
  scheduled_at: 'Scheduled',
  scheduled_time: 'Time of day',
  scheduled_tz: 'Time zone',
  oauth_region: 'Region',
  is_ai_generated: 'AI label',
  pre_check: 'Pre-check',
  pre_check_overtime: 'Pre-check timeout',
  cover_timestamp_ms: 'Cover frame',
  ai_exec_at: 'AI begins',
  ai_count: 'AI images',
};

/** The name of a column for people: `Product ID`. */
export function labelOf(name: string): string {
  const label =
    labels[name] ?? name.replaceAll('_', ' ').replace(/\b(?:id|ai|uri)\b/g, (word) => word.toUpperCase());
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/** Columns that every manifest needs. It also needs `media` or `ai_prompt`. */
export const requiredColumns = ['creator', 'caption', 'product_id', 'product_title'] as const;

/** Names that cannot be a column or a key, because they have a special meaning in JavaScript objects. */
export const reservedNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const emoji = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u200d|\ufe0f)/gu;

/** Normalizes a header for comparison: ignores case, accents, spaces, `-`, `_`, `.`, `:`, `*`, full-width forms, and emoji beside a word. */
export function foldHeader(header: string): string {
  const folded = header
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('đ', 'd')
    .replace(/[\s_.:*-]+/g, '');
  return folded.replace(emoji, '') || folded;
}

/** @param names without spaces, separated by spaces. @returns as `foldHeader` folds them. */
export function foldedNames(names: string): ReadonlySet<string> {
  return new Set(names.split(' ').map(foldHeader));
}

/** @param aliases separated by spaces. */
function column<const Name extends string>(
  name: Name,
  aliases: string,
  explanation: string,
  example: string,
  kind: Column['kind'] = 'single',
) {
  return { name, aliases: aliases.split(' ').filter(Boolean), kind, explanation, example };
}
