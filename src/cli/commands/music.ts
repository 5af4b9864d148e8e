/** `campaigns music TEXT`: background music; how it is searched is a setting (contract, section 4.9). */
import { Command } from 'commander';
import type { MusicTrack } from '../../api/music.ts';
import { accountOption, configOption, csvOption, jsonOption } from '../flags/common.ts';
import type { LookUpColumn, LookUpOptions } from '../print/look-up.ts';

export function musicCommand(): Command {
  return new Command('music')
    .description('search background music; needs the setting api.searchMusic')
    .argument('<text>', 'what to search for')
    .addOption(accountOption())
    .addOption(csvOption())
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  campaigns music summer')
    .action(music);
}

async function music(text: string, options: LookUpOptions): Promise<void> {
  const { lookUp, printEntries } = await import('../print/look-up.ts');
  await lookUp(options, 'music could not be searched', async ({ client, through }, { output }) => {
    const found = await Array.fromAsync(client.music.search(text, { through }));
    output.document({ music: found });
    printEntries(output, 'track', found, columns, options);
  });
}

const columns: readonly LookUpColumn<MusicTrack>[] = [
  ['music_id', ({ id }) => id],
  ['music_title', ({ title }) => title],
  ['music_author', ({ author }) => author],
  ['music_duration', ({ duration }) => duration],
];
