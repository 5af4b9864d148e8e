/**
 * Cures in the words of each door. Rules of sheets and use cases write them for the terminal, with its options. A page names its own
 * controls instead, and the API its fields. A sentence is left out if a door has no words for it.
 */

import { replacePhrase } from './phrase.ts';

/** `draftPage`: the page of a new campaign. `draftApi`: the operations of the API under `/drafts`. */
export type Door = 'page' | 'draftPage' | 'api' | 'draftApi';

interface Phrase {
  /** The phrase to replace, with the placeholders of `replacePhrase`. */
  readonly terminal: string;
  readonly page: string;
  /** Default: `page`. */
  readonly draftPage?: string;
  readonly api: string;
  /** Default: `api`. */
  readonly draftApi?: string;
}

function sheetOf(which: string) {
  return {
    page: `Leave ${which} visible`,
    draftPage: `Choose ${which} above, under "It should be read in another way"`,
    api: `Name ${which} in the field sheet`,
  };
}

const phrases: readonly Phrase[] = [
  {
    terminal: ', add an offset to the time, or give --timezone Asia/Shanghai',
    page: ', or add an offset to the time',
    draftPage: ', add an offset to the time, or choose the zone under Times',
    api: ', add an offset to the time, or give the field timezone, such as Asia/Shanghai',
  },
  {
    terminal: ', or move the root with --media-root',
    page: '',
    draftPage: ', and add the file',
    api: '',
  },
  {
    terminal: 'Put the file there, or correct the path. It is relative to the media root',
    page: 'Put the file there, or correct the path. It is relative to the media root',
    draftPage: 'Add the file, or correct its path',
    api: 'Put the file there, or correct the path. It is relative to the media root',
    draftApi: 'Upload the file, or correct its path',
  },
  { terminal: ', or choose another root with --media-root', page: '', api: '' },
  {
    terminal: '--media-root, or media.root in the settings',
    page: 'media.root in the settings',
    api: 'media.root in the settings',
  },
  {
    terminal: 'Leave --media-root away',
    page: 'Keep the folder of the campaign',
    api: 'Keep the folder of the campaign',
  },
  {
    terminal: 'map it (--map "{text}={word}")',
    page: 'hand the sheet in as a new campaign, where columns can be matched',
    draftPage: 'say what it is under Columns',
    api: 'map it (map: "$1=$2")',
    draftApi: 'map it (map: { "$1": "$2" })',
  },
  {
    terminal: 'begin the {word} with _ or #, map it to _, or use --allow-unknown-columns',
    page: 'begin the $1 with _ or #',
    draftPage: 'choose that under Columns',
    api: 'begin the $1 with _ or #, map it to _, or use allowUnknownColumns',
    draftApi: 'map it to _',
  },
  {
    terminal: 'name its encoding, such as --encoding {word} (a guess)',
    page: 'choose its encoding below, such as $1 (a guess)',
    draftPage: 'choose its encoding above, under "It should be read in another way", such as $1 (a guess)',
    api: 'name its encoding in the field encoding, such as $1 (a guess)',
  },
  {
    terminal: 'name its encoding with --encoding',
    page: 'choose its encoding below',
    draftPage: 'choose its encoding above, under "It should be read in another way"',
    api: 'name its encoding in the field encoding',
  },
  {
    terminal: 'Name the right one: --sheet "{text}"',
    page: 'Leave only "$1" visible',
    draftPage: 'Choose "$1" above, under "It should be read in another way"',
    api: 'Name the right one in the field sheet, such as "$1"',
  },
  { terminal: 'Name one of them with --sheet', ...sheetOf('one of them') },
  { terminal: 'Name a sheet with --sheet', ...sheetOf('a sheet') },
  {
    terminal: 'Remove the option --sheet',
    page: 'Choose the first sheet',
    api: 'Leave out the field sheet',
  },
  {
    terminal: 'To see the ids of products in a showcase: campaigns products CREATOR',
    page: '"Find a product…" shows the ids of a showcase',
    api: 'To see the ids of products in a showcase: GET /creators/CREATOR/products',
  },
  {
    terminal: 'To look it up: campaigns music TEXT',
    page: '"Find music…" looks it up',
    api: 'To look it up: GET /music?text=TEXT',
  },
  {
    terminal: 'import it with --into and the id of its campaign',
    page: 'hand it in on the page of its campaign',
    api: 'send it to POST /campaigns/ID/sheet',
  },
  {
    terminal: 'Otherwise import it with --into {word}',
    page: 'Otherwise hand it in on the page of campaign $1',
    api: 'Otherwise send it to POST /campaigns/$1/sheet',
  },
  {
    terminal: ': campaigns report {word} --out FILE',
    page: ': download Results on the page of campaign $1',
    api: ': GET /campaigns/$1/results',
  },
  {
    terminal: ': campaigns report {word} --only review --out {word}',
    page: ': download them on the page Review',
    api: ': GET /campaigns/$1/results?only=review',
  },
  {
    terminal: 'hand the sheet in: campaigns settle {word} --from SHEET',
    page: 'hand the sheet in on the page of campaign $1',
    api: 'send it to POST /campaigns/$1/decisions/sheet',
  },
  { terminal: ': campaigns show {word}', page: ': campaign $1', api: ': GET /campaigns/$1' },
  {
    terminal: 'Retry its failed rows: campaigns retry {word}',
    page: 'Its failed rows are retried on its page',
    api: 'Retry its failed rows: POST /campaigns/$1/retry',
  },
  {
    terminal: 'To post every row again, including those already posted, add --again',
    page: 'A sheet of its own posts only the rows in it',
    api: 'To post every row again, including those already posted, send again=true',
    draftApi:
      'To post every row again, including those already posted, send the sheet to POST /campaigns with again=true',
  },
  {
    terminal: ', or leave it out with --skip-invalid',
    page: '',
    draftPage: ', or leave it out',
    api: ', or leave it out with skipInvalid=true',
    draftApi: ', or leave it out with leaveOut',
  },
  {
    terminal: 'To post it once more, add --again',
    page: 'To post it once more, choose that below',
    draftPage: 'To post it once more, tick Post again',
    api: 'To post it once more, send again=true',
    draftApi: 'To post it once more, mend it with postAgain',
  },
  {
    terminal: 'To post every row again, add --again',
    page: 'A sheet of its own posts only the rows in it',
    api: 'To post every row again, send again=true',
    draftApi: 'To post every row again, send the sheet to POST /campaigns with again=true',
  },
  {
    terminal: 'Leave out --account to go on with it',
    page: 'Choose the account of that campaign to go on with it',
    api: 'Leave out the field account to go on with it',
  },
  {
    terminal: 'Or use an account of the settings with --account',
    page: 'Or choose an account of the settings under Options',
    api: 'Or use an account of the settings, in the field account',
  },
  {
    terminal: 'Leave --timezone away',
    page: 'Keep the zone of the campaign',
    api: 'Leave out the field timezone',
  },
  {
    terminal: 'Run the same command again: it goes on',
    page: 'Hand the sheet in again: it goes on',
    api: 'Send the sheet again: it goes on',
  },
  {
    terminal: 'and --into does not read post_id',
    page: 'and a sheet that is handed in again does not decide about it',
    api: 'and an import does not read post_id',
  },
  {
    terminal: 'Write the header as in the sheet: --map "Their header=our_column"',
    page: 'Load the page again, and match its columns once more',
    api: 'Write the header as in the sheet: map="Their header=our_column"',
    draftApi: 'Write the header as in the sheet',
  },
  {
    terminal: ', then lower the budget: campaigns budgets {word} RATE',
    page: ', then lower the budget on the page Queues',
    api: ', then lower the budget: PUT /budgets/$1',
  },
  // The page leads there itself.
  { terminal: ', then import it again', page: '', api: ', then import it again' },
  {
    terminal: 'Make another user an operator first, or add one: campaigns users add NAME --role operator',
    page: 'Make another user an operator first',
    api: 'Make another user an operator first: PUT /users/NAME/role',
  },
  {
    terminal:
      'Say how many rows you saw (--expect), or decide only about rows in review since before a time (--before)',
    page: '',
    api: 'Say how many rows you saw (expect), or decide only about rows in review since before a time (before)',
  },
  { terminal: 'To look at them, add --dry-run:', page: '', api: 'To look at them, send dryRun.' },
  { terminal: 'Look at them again:', page: '', api: 'Look at them again with dryRun.' },
  { terminal: ' (campaigns settle)', page: '', api: ': PUT /campaigns/ID/rows/KEY/decision' },
  { terminal: '--map: ', page: '', api: 'map: ' },
];

const option = /(?:^|[\s(])--[a-z]/;
const command =
  /\bcampaigns (?:budgets|cancel|check|creators|delete|doctor|import|journal|list|music|pause|products|refresh|report|resume|retry|run|sandbox|serve|settle|show|stop|template|users|videos|watch|worker)\b/;

/** Whether a text names an option or command of the terminal. */
function isOfTerminal(text: string): boolean {
  return option.test(text) || command.test(text);
}

/** A cure in the words of a door; undefined if nothing is left of it. @param cure in the words of the terminal. */
export function cureFor(door: Door, cure: string): string | undefined {
  const said = inWordsOf(door, cure);
  if (!isOfTerminal(said)) return said;
  // A sentence ends with a full stop and a space, or with a line break.
  const kept = said
    .split(/(?<=\. )|(?<=\n)/)
    .filter((part) => !isOfTerminal(part))
    .join('')
    .trim();
  return kept === '' || kept.endsWith(':') ? undefined : kept;
}

/** A quick test: each phrase matches it, most texts do not. */
const ofOtherDoors = /--|campaigns |command|media root|import it again/;

/** A problem or message in the words of a door. */
export function inWordsOf(door: Door, text: string): string {
  if (!ofOtherDoors.test(text)) return text;
  let said = text;
  for (const phrase of phrases) {
    const words = phrase[door] ?? phrase[door === 'draftPage' ? 'page' : 'api'];
    said = replacePhrase(said, phrase.terminal, words);
  }
  return said;
}

const worded: ReadonlySet<string> = new Set(['problem', 'message', 'detail']);

/** A copy of a JSON document with its cures and messages in the words of a door. */
export function inDocument(door: Door, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => inDocument(door, each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]): (readonly [string, unknown])[] => {
      if (typeof each !== 'string') return [[name, inDocument(door, each)]];
      if (name === 'cure') return [[name, cureFor(door, each) ?? '']];
      return [[name, worded.has(name) ? inWordsOf(door, each) : each]];
    }),
  );
}
