/** The texts that fields offer for the cells of a column. */
import { businessTypes, imageModels, videoModels, videoSeconds } from '../../service/contract/generation.ts';
import { type MediaType, mediaTypes } from '../../service/contract/posts.ts';
import { approveRules } from '../campaign-options.ts';
import { type ColumnName, foldHeader } from '../columns.ts';

export interface Choices {
  readonly texts: readonly string[];
  readonly isOpen: boolean;
}

const yesOrNo: Choices = { texts: ['yes', 'no'], isOpen: false };
const open = (...texts: readonly string[]): Choices => ({ texts, isOpen: true });
const closed = (...texts: readonly string[]): Choices => ({ texts, isOpen: false });

const choices: Partial<Readonly<Record<ColumnName, Choices>>> = {
  media_type: closed(...mediaTypes),
  product_source: closed('SHOWCASE', 'SHOP'),
  showcase: yesOrNo,
  approve: closed(...approveRules),
  is_ai_generated: yesOrNo,
  pre_check: yesOrNo,
  ai_watermark: yesOrNo,
  ai_model: closed(...videoModels, ...imageModels),
  ai_business_type: closed(...businessTypes),
  // The contract takes any; these are those of upright and wide posts.
  ai_size: open('720x1280', '1080x1920', '1280x720', '1920x1080', '1024x1024'),
  ai_aspect_ratio: open('9:16', '16:9', '1:1', '3:4', '4:3'),
};

/** @param models of the rows: only durations that all of them allow. @returns undefined for a column of free texts. */
export function choicesOf(column: ColumnName, models: Iterable<string> = []): Choices | undefined {
  return column === 'ai_seconds' ? secondsOf(models) : choices[column];
}

/** The first size that is offered with a ratio such as `9:16`. */
export function sizeOfRatio(text: string): string | undefined {
  const [width = 0, height = 0] = text.split(':').map(Number);
  return choices.ai_size?.texts.find((size) => {
    const [wide = 0, high = 0] = size.split('x').map(Number);
    return wide * height === high * width && width > 0;
  });
}

function secondsOf(models: Iterable<string>): Choices {
  const names = new Set([...models].map((name) => name.trim().toLowerCase()));
  const known = videoModels.filter((model) => names.size === 0 || names.has(model));
  const all = [...new Set<number>(known.flatMap((model) => [...videoSeconds[model]]))];
  const isCommon = (seconds: number) =>
    names.size === 0 || known.every((model) => (videoSeconds[model] as readonly number[]).includes(seconds));
  return closed(
    ...all
      .filter(isCommon)
      .sort((one, other) => one - other)
      .map(String),
  );
}

/** In the languages of headers. */
export const mediaTypeNames: ReadonlyMap<string, MediaType> = new Map([
  ...'video videos reel reels clip clips film 视频 短视频 動画 vidio วิดีโอ คลิป 영상 동영상'
    .split(' ')
    .map((name) => [name, 'VIDEO'] as const),
  ...(
    'photo photos picture pictures image images carousel slideshow carrousel carrusel carrossel karussell foto fotos ' +
    'bild bilder imagen imagenes imagem imagens gambar 图片 图文 照片 写真 画像 รูป รูปภาพ ภาพ 사진 이미지 ảnh'
  )
    .split(' ')
    .map((name) => [name, 'PHOTO'] as const),
]);

/** Longer texts are none of these words. */
const longestWord = 40;

/** The type that a cell of `media_type` means. */
export function mediaTypeNamed(text: string): MediaType | undefined {
  if (text.length > longestWord) return undefined;
  return mediaTypes.find((type) => type === text.toUpperCase()) ?? mediaTypeNames.get(foldHeader(text));
}
