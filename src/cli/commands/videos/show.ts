/** `campaigns videos show URL`: one video with its figures and a plot of its last weeks. */
import type { Command } from 'commander';
import { showVideo } from '../../../videos/video.ts';
import { printVideo } from '../../print/videos/video.ts';
import { type CommonOptions, openSession } from '../../session.ts';

export function define(command: Command): Command {
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
