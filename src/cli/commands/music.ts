/** `campaigns music TEXT`: searches background music as the setting `api.searchMusic` says (contract, section 4.9). */
import type { Command } from 'commander';
import type { MusicTrack } from '../../api/music.ts';
import { searchMusic } from '../../campaigns/look-up.ts';
import { accountOption, csvOption } from '../flags/common.ts';
import { type LookUpColumn, type LookUpFlags, printEntries } from '../print/look-up.ts';
import { openSession } from '../session.ts';

export function define(command: Command): Command {
  return command
    .argument('<text>', 'text to search for')
    .addOption(accountOption())
    .addOption(csvOption())
    .addHelpText('after', '\nNeeds the setting api.searchMusic.\n\nExample:\n  campaigns music summer')
    .action(music);
}

async function music(text: string, flags: LookUpFlags): Promise<void> {
  await using session = await openSession(flags, { writes: true });
  const found = await searchMusic(session.runtime, text, flags);
  session.output.document('music', { music: found });
  printEntries(session.output, 'track', found, columns, flags);
}

const columns: readonly LookUpColumn<MusicTrack>[] = [
  ['music_id', ({ id }) => id],
  ['music_title', ({ title }) => title],
  ['music_author', ({ author }) => author],
  ['music_duration', ({ duration }) => duration],
];
