/** `campaigns videos list`: the watch list with the latest figures. */
import type { Command } from 'commander';
import { describeVideo } from '../../../videos/describe.ts';
import type { VideoCommandDocument, VideoDocument } from '../../../videos/documents.ts';
import { listVideos, type VideoFilter } from '../../../videos/watch-list.ts';
import { table } from '../../print/output.ts';
import { describeCount, describeNone, videoHeader, videoLine } from '../../print/videos/videos.ts';
import { type CommonOptions, openSession } from '../../session.ts';

/** Reasons below the table. */
const mostFailures = 5;

interface ListFlags extends CommonOptions, VideoFilter {
  readonly gone?: boolean;
}

export function define(command: Command): Command {
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
