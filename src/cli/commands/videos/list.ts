/** `campaigns videos list`, `show URL` and `remove URL`: the watch list, and one of its videos. */
import type { Command } from 'commander';
import { describeVideo } from '../../../videos/describe.ts';
import type { VideoCommandDocument, VideoDocument } from '../../../videos/documents.ts';
import { showVideo } from '../../../videos/video.ts';
import { listVideos, removeVideo, type VideoFilter } from '../../../videos/watch-list.ts';
import { table } from '../../print/output.ts';
import {
  describeCount,
  describeNone,
  printVideo,
  videoHeader,
  videoLine,
} from '../../print/videos/videos.ts';
import { type CommonOptions, openSession } from '../../session.ts';

/** Reasons below the table. */
const mostFailures = 5;

interface ListFlags extends CommonOptions, VideoFilter {
  readonly gone?: boolean;
}

export function defineList(command: Command): Command {
  return command
    .option('--campaign <id>', 'list only videos of this campaign')
    .option('--creator <name>', 'list only videos of this creator')
    .option('--gone', 'list only videos that no longer exist')
    .addHelpText(
      'after',
      `
States: new (not looked up yet), ok, failing (the last look-up failed; the figures are older), gone (no longer exists).

Example:
  campaigns videos list --campaign c1 --json`,
    )
    .action(list);
}

async function list({ campaign, creator, gone, ...flags }: ListFlags): Promise<void> {
  await using session = await openSession(flags);
  const { runtime, output } = session;
  const { after } = runtime.settings.videos.gone;
  const parts = described(
    listVideos(runtime, { campaign, creator, state: gone ? 'gone' : undefined }),
    after,
  );
  // Await here: the session ends with this function.
  if (output.json) return await output.documentOf('videos', parts);
  const lines: (readonly string[])[] = [];
  const failing: VideoDocument[] = [];
  const states = new Map<VideoDocument['state'], number>();
  for await (const part of parts) {
    for (const video of part) {
      lines.push(videoLine(video));
      states.set(video.state, (states.get(video.state) ?? 0) + 1);
      if (video.failure !== null && failing.length < mostFailures) failing.push(video);
    }
  }
  if (lines.length === 0) return output.print(describeNone(await runtime.ledger.videos.list.size()));
  for (const line of table(videoHeader, lines)) output.print(line);
  output.print(`\n${describeCount(states)}`);
  for (const { video_url, failure } of failing) output.printText(`  ${video_url}: `, failure?.message ?? '');
}

/** Each part of the list by itself: it may have hundreds of thousands of videos. */
async function* described(
  parts: ReturnType<typeof listVideos>,
  goneAfter: number,
): AsyncGenerator<VideoCommandDocument<'videos list'>['videos']> {
  for await (const part of parts) yield part.map((video) => describeVideo(video, goneAfter));
}

export function defineShow(command: Command): Command {
  return command
    .argument('<url>', 'URL of the video')
    .addHelpText('after', '\nExample:\n  campaigns videos show https://video.example/@anna/video/42')
    .action(show);
}

async function show(url: string, flags: CommonOptions): Promise<void> {
  await using session = await openSession(flags);
  const { runtime, output } = session;
  const shown = await showVideo(runtime, url);
  output.document('videos show', shown);
  printVideo(output, shown);
}

export function defineRemove(command: Command): Command {
  return command
    .argument('<url>', 'URL of the video')
    .addHelpText('after', '\nExample:\n  campaigns videos remove https://video.example/@anna/video/42')
    .action(remove);
}

async function remove(url: string, flags: CommonOptions): Promise<void> {
  await using session = await openSession(flags, { writes: true });
  const { runtime, output } = session;
  const removed = await removeVideo(runtime, url);
  await session.record(`Removed ${removed} from the watch list.`);
  output.document('videos remove', { video_url: removed, removed: true });
  output.print(`Removed with its history: ${removed}`);
}
