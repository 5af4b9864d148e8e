/** `campaigns videos list`, `show URL` and `remove URL`: the watch list, and one video with a plot of its last weeks. */
import { videoOperations } from '../../../app/operations/videos.ts';
import { describeVideo } from '../../../app/videos/describe.ts';
import type { VideoCommandDocument, VideoDocument } from '../../../app/videos/documents.ts';
import { listVideos, showVideo, type VideoFilter } from '../../../app/videos/watch-list.ts';
import { plural, sentence, thousands } from '../../../manifest/wording.ts';
import { type ConfirmFlags, confirm, type Define, yesOption } from '../../flags/common.ts';
import { type Output, shortTime, timeText } from '../../print/output.ts';
import { type CommonOptions, inSession, type Session } from '../../session.ts';

/** Reasons below the table. */
const mostFailures = 5;

interface ListFlags extends CommonOptions, VideoFilter {
  readonly gone?: boolean;
}

export const listCommand: Define = (command) =>
  command
    .option('--campaign <id>', 'list only videos of this campaign')
    .option('--creator <name>', 'list only videos of this creator')
    .option('--gone', 'list only videos that no longer exist')
    .notes(`
States: new (not updated yet), ok, failing (the last update failed; the figures are older), gone (no longer exists).

Example:
  campaigns videos list --campaign c1 --json`)
    .action(inSession({}, list));

async function list({ runtime, output }: Session, { campaign, creator, gone }: ListFlags): Promise<void> {
  const found = listVideos(runtime, { campaign, creator, state: gone ? 'gone' : undefined });
  const parts = described(found, runtime.settings.videos.gone.after);
  if (output.json) return output.documentOf('videos', parts);
  const lines: (readonly string[])[] = [];
  const failing: VideoDocument[] = [];
  const states = new Map<VideoDocument['state'], number>();
  for await (const part of parts) {
    for (const video of part) {
      lines.push(lineOf(video));
      states.set(video.state, (states.get(video.state) ?? 0) + 1);
      if (video.failure !== null && failing.length < mostFailures) failing.push(video);
    }
  }
  if (lines.length === 0) return output.print(describeNone(await runtime.ledger.videos.list.size()));
  const header = ['STATE', 'CREATOR', 'VIEWS', '+1 DAY', '+7 DAYS', 'ENGAGEMENT', 'UPDATED (UTC)', 'VIDEO'];
  output.table(header, lines);
  const counts = [...states].map(([state, count]) => `${thousands(count)} ${state}`);
  output.print(`\n${plural(lines.length, 'video')}: ${counts.join(', ')}`);
  for (const { video_url, failure } of failing) output.printText(`  ${video_url}: `, failure?.message ?? '');
}

/** Each part of the list by itself: it may have hundreds of thousands of videos. */
async function* described(
  parts: ReturnType<typeof listVideos>,
  goneAfter: number,
): AsyncGenerator<readonly VideoDocument[]> {
  for await (const part of parts) yield part.map((video) => describeVideo(video, goneAfter));
}

export const showCommand: Define = (command) =>
  command
    .argument('<url>', 'URL of the video')
    .notes('\nExample:\n  campaigns videos show https://video.example/@anna/video/42')
    .action(
      inSession({}, async ({ output, carryOut }, url: string) => {
        printVideo(output, await carryOut(videoOperations.showVideo, { id: url }));
      }),
    );

export const removeCommand: Define = (command) =>
  command
    .argument('<url>', 'URL of the video')
    .addOption(yesOption())
    .notes('\nExample:\n  campaigns videos remove https://video.example/@anna/video/42')
    .action(
      inSession({ writes: true }, async ({ runtime, output, carryOut }, url: string, flags: ConfirmFlags) => {
        const { video_url: found } = await showVideo(runtime, url);
        await confirm(`Remove ${found} with its history?`, flags);
        const removed = await carryOut(videoOperations.removeVideo, { id: url });
        output.print(`Removed with its history: ${removed.video_url}`);
      }),
    );

/** Its URL comes last: it is longer than a terminal has room for. */
function lineOf(video: VideoDocument): readonly string[] {
  return [
    video.state,
    video.creator ?? video.author ?? '',
    showCount(video.play_count),
    showGrowth(video.play_count_1d),
    showGrowth(video.play_count_7d),
    showShare(video.engagement),
    video.last_sampled_at === null ? '' : shortTime(Date.parse(video.last_sampled_at), null),
    video.video_url,
  ];
}

/** What to print instead of no videos. @param all videos on the list. */
export function describeNone(all: number): string {
  return all === 0
    ? 'The watch list is empty. Add videos:\n  campaigns videos import FILE'
    : `None of the ${plural(all, 'video')} on the list fits these options.`;
}

type Count = number | null;

/** All digits, in groups of three. */
export function showCount(count: Count): string {
  return count === null ? '' : thousands(count);
}

export function showGrowth(count: Count): string {
  if (count === null) return '';
  return count > 0 ? `+${showCount(count)}` : showCount(count);
}

/** A ratio as `3.1%`. */
export function showShare(ratio: number | null): string {
  return ratio === null ? '' : `${(ratio * 100).toFixed(1)}%`;
}

type VideoDetails = VideoCommandDocument<'videos show'>;

const counters = [
  ['views', 'play_count'],
  ['likes', 'digg_count'],
  ['comments', 'comment_count'],
  ['shares', 'share_count'],
  ['saves', 'collect_count'],
] as const;
/** As many as a narrow terminal has room for. */
const plotted = 60;

export function printVideo(output: Output, video: VideoDetails): void {
  output.print(`${output.paint('bold', video.video_url)}  ${video.state}`);
  const facts = [
    ['author', video.author],
    ['label', video.label],
    ['tags', video.tags.join(', ')],
    ['campaign', [video.campaign, video.key].filter((part) => part !== null).join(' row ')],
    ['creator', video.creator],
    ['product', video.product_id],
    ['released', timeOf(video.released_at)],
    ['updated', describeSamples(video)],
  ] as const;
  for (const [name, value] of facts) if (value) output.printText(`  ${name.padEnd(9)} `, value);
  if (video.caption) output.printText('  caption   ', video.caption);
  if (video.failure)
    output.printText('  failing   ', `${sentence(video.failure.message)} ${video.failure.fix ?? ''}`);
  if (video.gone) output.printText('  gone      ', describeGone(video.gone));
  if (video.samples === 0 && video.play_count === null) return;
  output.print();
  const width = Math.max(...counters.map(([, column]) => showCount(video[column]).length));
  for (const [name, column] of counters) {
    const growths = (['1d', '7d', '30d'] as const).flatMap((span) => {
      const growth = showGrowth(video[`${column}_${span}`]);
      return growth === '' ? [] : [`${growth} in ${span.slice(0, -1)} d`];
    });
    output.print(
      `  ${name.padEnd(9)} ${showCount(video[column]).padStart(width)}  ${growths.join(', ')}`.trimEnd(),
    );
  }
  const perDay = video.views_per_day === null ? '' : `${thousands(video.views_per_day)} views a day, `;
  if (video.engagement !== null) {
    output.print(
      `  ${perDay}engagement ${showShare(video.engagement)}, intent ${showShare(video.high_intent)}`,
    );
  }
  const falls = describeFalls(video.history);
  if (falls !== '') output.printText('  fell      ', falls);
  plot(output, video.history);
}

function describeSamples({ samples, first_sampled_at: first, last_sampled_at: last }: VideoDetails): string {
  if (last === null || first === null) return '';
  const until = timeOf(last);
  return samples <= 1 ? until : `${samples} times from ${shortTime(Date.parse(first), null)} to ${until}`;
}

/** @param time ISO 8601, or null. */
function timeOf(time: string | null): string {
  return time === null ? '' : timeText(Date.parse(time), null);
}

function describeGone({ since, answers, ask_again_at: again }: NonNullable<VideoDetails['gone']>): string {
  const next =
    again === null
      ? 'no longer updated; to check it again, import it again'
      : `updated again from ${timeOf(again)}`;
  return `since ${timeOf(since)}, after ${plural(answers, 'answer')}; ${next}`;
}

/** Counters that were lower than in the sample before, at the last such sample. */
function describeFalls(history: VideoDetails['history']): string {
  const falls = history.filter(({ flags }) => flags !== '');
  const last = falls.at(-1);
  if (!last) return '';
  const names = counters.flatMap(([name, column]) =>
    last.flags.split('|').includes(`${column}_fell`) ? [name] : [],
  );
  const times = falls.length === 1 ? '' : `${falls.length} times, last `;
  return `${times}${names.join(', ')} in the snapshot of ${timeOf(last.sampled_at)}; kept as the platform reported them`;
}

/** New views of each sample, as a sparkline. */
function plot(output: Output, history: VideoDetails['history']): void {
  const samples = history.slice(-plotted - 1).filter(({ play_count: views }) => views !== null);
  const gains = samples
    .slice(1)
    .map(({ play_count: views }, index) => (views ?? 0) - (samples[index]?.play_count ?? 0));
  if (gains.length < 2) return;
  output.print();
  output.print(`  new views  ${sparkline(gains)}`);
  output.print(`             ${gains.length} snapshots, peak ${showCount(Math.max(...gains))}`);
}

const blocks = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/** One block for each value: the lowest block stands for the least value or 0, whichever is lower. */
export function sparkline(values: readonly number[]): string {
  const least = Math.min(0, ...values);
  const range = Math.max(0, ...values) - least;
  const height = range === 0 ? 0 : (blocks.length - 1) / range;
  return values.map((value) => blocks[Math.round((value - least) * height)]).join('');
}
