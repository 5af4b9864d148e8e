/** What to do with the rows of a cancelled campaign: it sends nothing any more, but its rows can become a new campaign. */
import { defaultAccount } from '../../../config/access.ts';
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import { foldHeader } from '../../manifest/columns.ts';
import { quote } from './repairs.ts';

export interface RowsAnew {
  /** What to do, in words. */
  readonly text: string;
  /** The commands for it, in their order. */
  readonly commands: readonly string[];
}

/**
 * How to post the rows of a cancelled campaign that were not posted.
 * @returns undefined if there are none.
 */
export function rowsAnew(campaign: Campaign): RowsAnew | undefined {
  const { id, counts } = campaign;
  const states = (['cancelled', 'failed'] as const).filter((state) => counts[state] > 0);
  if (states.length === 0) return undefined;
  const sheet = `${id}.rest.csv`;
  const mend = counts.failed > 0 ? ', mend what failed' : '';
  return {
    text:
      `Its ${states.join(' and ')} rows can be posted as a campaign of their own. ` +
      `Write them to a sheet, remove its column \`campaign\`${mend}, and run it:`,
    commands: [
      `campaigns report ${id} --only ${states.join(',')} --out ${sheet}`,
      ['campaigns run', sheet, ...importOptions(campaign)].join(' '),
    ],
  };
}

/** As a cure: the text, and each command on a line of its own. */
export function cureOf(anew: RowsAnew | undefined): string | undefined {
  return anew && [anew.text, ...anew.commands].join('\n');
}

/** Options for reading a sheet of the campaign, which may be in another folder than the manifest. */
function importOptions({ account, mediaRoot, timezone, map, header }: Campaign): readonly string[] {
  const headers = new Set(header.map(foldHeader));
  const mapped = [...map].filter(([name]) => headers.has(foldHeader(name)));
  return [
    `--media-root ${quote(mediaRoot)}`,
    ...(timezone === null ? [] : [`--timezone ${quote(timezone)}`]),
    ...(account === defaultAccount ? [] : [`--account ${quote(account)}`]),
    ...mapped.map(([name, column]) => `--map ${quote(`${name}=${column}`)}`),
  ];
}
