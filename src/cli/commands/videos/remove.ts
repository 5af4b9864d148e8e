/** `campaigns videos remove URL`: takes a video off the watch list. */
import type { Command } from 'commander';
import { removeVideo } from '../../../videos/watch-list.ts';
import { type CommonOptions, openSession } from '../../session.ts';

export function define(command: Command): Command {
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
