/** Examples of each kind of post, as the start of a manifest. */
import type { ColumnName } from './columns.ts';

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
