/** `campaigns videos list`: the watch list with the latest figures. */
import type { Command } from 'commander';
import { describeVideo } from '../../../videos/describe.ts';
import { listVideos, type VideoFilter } from '../../../videos/list.ts';
import { table } from '../../print/output.ts';
import { describeCount, videoHeader, videoLine } from '../../print/videos.ts';
import { type CommonOptions, openSession } from '../../session.ts';

interface ListFlags extends CommonOptions, VideoFilter {}

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
  const videos = [];
  for await (const part of listVideos(runtime, { campaign, creator, gone })) {
    for (const video of part) videos.push(describeVideo(video, after));
  }
  output.document('videos list', { videos });
  if (videos.length === 0) {
    output.print('No such videos on the list. Put some onto it:\n  campaigns videos import FILE');
    return;
  }
  for (const line of table(videoHeader, videos.map(videoLine))) output.print(line);
  output.print(`\n${describeCount(videos)}`);
  for (const { video_url, failure } of videos.filter(({ failure }) => failure !== null).slice(0, 5)) {
    output.printText(`  ${video_url}: `, failure?.message ?? '');
  }
}
