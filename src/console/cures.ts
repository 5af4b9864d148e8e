/**
 * Cures in the words of this door. The rules of sheets serve the terminal as well and name its options. A page names what stands on it,
 * and the API its fields. Words of the terminal for which a door has none are left out, with their sentence.
 */

/** Of drafts: the page of a new campaign, and the operations of the API under `/drafts`. */
export type Door = 'page' | 'draftPage' | 'api' | 'draftApi';

interface Phrase {
  readonly terminal: RegExp;
  readonly page: string;
  /** As for `page`, unless given. */
  readonly draftPage?: string;
  readonly api: string;
  /** As for `api`, unless given. */
  readonly draftApi?: string;
}

const id = '([A-Za-z0-9_-]{1,40})';

const phrases: readonly Phrase[] = [
  {
    terminal: /, add an offset to the time, or give --timezone Asia\/Shanghai/g,
    page: ', or add an offset to the time',
    draftPage: ', add an offset to the time, or choose the zone under Times',
    api: ', add an offset to the time, or give the field timezone, such as Asia/Shanghai',
  },
  {
    terminal: /, or move the root with --media-root/g,
    page: '',
    draftPage: ', and add the file',
    api: '',
  },
  {
    terminal: /Put the file there, or correct the path\. It is relative to the media root/g,
    page: 'Put the file there, or correct the path. It is relative to the media root',
    draftPage: 'Add the file, or correct its path',
    api: 'Put the file there, or correct the path. It is relative to the media root',
    draftApi: 'Upload the file, or correct its path',
  },
  { terminal: /, or choose another root with --media-root/g, page: '', api: '' },
  {
    terminal: /--media-root, or media\.root in the settings/g,
    page: 'media.root in the settings',
    api: 'media.root in the settings',
  },
  {
    terminal: /Leave --media-root away/g,
    page: 'Keep the folder of the campaign',
    api: 'Keep the folder of the campaign',
  },
  {
    terminal: /map it \(--map "([^"]{0,300})=([A-Za-z0-9_]{1,40})"\)/g,
    page: 'hand the sheet in as a new campaign, where columns can be matched',
    draftPage: 'say what it is under Columns',
    api: 'map it (map: "$1=$2")',
    draftApi: 'map it (map: { "$1": "$2" })',
  },
  {
    terminal: /begin the ([a-z0-9]{1,10}) with _ or #, map it to _, or use --allow-unknown-columns/g,
    page: 'begin the $1 with _ or #',
    draftPage: 'choose that under Columns',
    api: 'begin the $1 with _ or #, map it to _, or use allowUnknownColumns',
    draftApi: 'map it to _',
  },
  {
    terminal: /name its encoding(?:, such as --encoding (\S{1,20}) \(a guess\)| with --encoding)/g,
    page: 'name its encoding',
    draftPage: 'choose another encoding above, under "It should be read in another way"',
    api: 'name its encoding in the field encoding',
  },
  {
    terminal: /Name the right one: --sheet "([^"]{0,300})"/g,
    page: 'Leave only "$1" visible',
    draftPage: 'Choose "$1" above, under "It should be read in another way"',
    api: 'Name the right one in the field sheet, such as "$1"',
  },
  {
    terminal: /Name (one of them|a sheet) with --sheet/g,
    page: 'Leave $1 visible',
    draftPage: 'Choose $1 above, under "It should be read in another way"',
    api: 'Name $1 in the field sheet',
  },
  {
    terminal: /Remove the option --sheet/g,
    page: 'Choose the first sheet',
    api: 'Leave out the field sheet',
  },
  {
    terminal: /To see the ids of products in a showcase: campaigns products CREATOR/g,
    page: '"Find a product…" shows the ids of a showcase',
    api: 'To see the ids of products in a showcase: GET /creators/CREATOR/products',
  },
  {
    terminal: /To look it up: campaigns music TEXT/g,
    page: '"Find music…" looks it up',
    api: 'To look it up: GET /music?text=TEXT',
  },
  {
    terminal: /import it with --into and the id of its campaign/g,
    page: 'hand it in on the page of its campaign',
    api: 'send it to POST /campaigns/ID/sheet',
  },
  {
    terminal: new RegExp(`Otherwise import it with --into ${id}`, 'g'),
    page: 'Otherwise hand it in on the page of campaign $1',
    api: 'Otherwise send it to POST /campaigns/$1/sheet',
  },
  {
    terminal: new RegExp(`: campaigns report ${id} --out FILE`, 'g'),
    page: ': download Results on the page of campaign $1',
    api: ': GET /campaigns/$1/results',
  },
  {
    terminal: new RegExp(`: campaigns report ${id} --only review --out \\S{1,60}`, 'g'),
    page: ': download them on the page Review',
    api: ': GET /campaigns/$1/results?only=review',
  },
  {
    terminal: new RegExp(`hand the sheet in: campaigns settle ${id} --from SHEET`, 'g'),
    page: 'hand the sheet in on the page of campaign $1',
    api: 'send it to POST /campaigns/$1/decisions/sheet',
  },
  {
    terminal: new RegExp(`(To see it|See the campaign):\\s*campaigns show ${id}`, 'g'),
    page: '$1: campaign $2',
    api: '$1: GET /campaigns/$2',
  },
  {
    terminal: new RegExp(`Retry its failed rows:\\s*campaigns retry ${id}`, 'g'),
    page: 'Its failed rows are retried on its page',
    api: 'Retry its failed rows: POST /campaigns/$1/retry',
  },
  {
    terminal: /To post every row again, (including those already posted, )?add --again/g,
    page: 'A sheet of its own posts only the rows in it',
    api: 'To post every row again, $1send again=true',
    draftApi: 'To post every row again, $1send the sheet to POST /campaigns with again=true',
  },
  {
    terminal: /Leave out --account to go on with it/g,
    page: 'Choose the account of that campaign to go on with it',
    api: 'Leave out the field account to go on with it',
  },
  {
    terminal: /Or use an account of the settings with --account/g,
    page: 'Or choose an account of the settings under Options',
    api: 'Or use an account of the settings, in the field account',
  },
  {
    terminal: /Leave --timezone away/g,
    page: 'Keep the zone of the campaign',
    api: 'Leave out the field timezone',
  },
  {
    terminal: /Run the same command again: it goes on/g,
    page: 'Hand the sheet in again: it goes on',
    api: 'Send the sheet again: it goes on',
  },
  {
    terminal: /and --into does not read post_id/g,
    page: 'and a sheet that is handed in again does not decide about it',
    api: 'and an import does not read post_id',
  },
  {
    terminal: /Write the header as in the sheet: --map "Their header=our_column"/g,
    page: 'Load the page again, and match its columns once more',
    api: 'Write the header as in the sheet: map="Their header=our_column"',
    draftApi: 'Write the header as in the sheet',
  },
  { terminal: /^--map: /g, page: '', api: 'map: ' },
];

/** An option, or a command to paste. */
const ofTerminal =
  /(?:^|[\s(])--[a-z]|\bcampaigns (?:[a-z]+ [A-Za-z0-9<"'-]|run\b|check\b|sandbox\b|doctor\b)/;

/** A cure as this door says it; undefined if nothing is left of it. @param cure as a use case or a rule of sheets has it. */
export function cureFor(door: Door, cure: string): string | undefined {
  const said = inWordsOf(door, cure);
  if (!ofTerminal.test(said)) return said;
  // A sentence ends with a full stop and a space, or with its line.
  const kept = said
    .split(/(?<=\. )|(?<=\n)/)
    .filter((part) => !ofTerminal.test(part))
    .join('')
    .trim();
  return kept === '' || kept.endsWith(':') ? undefined : kept;
}

/** What all phrases have something of: most texts have nothing. */
const ofOtherDoors = /--|campaigns |command|media root/;

/** A problem or message as this door says it. */
export function inWordsOf(door: Door, text: string): string {
  if (!ofOtherDoors.test(text)) return text;
  let said = text;
  for (const phrase of phrases) {
    const words = phrase[door] ?? phrase[door === 'draftPage' ? 'page' : 'api'];
    said = said.replace(phrase.terminal, words);
  }
  return said;
}

const worded: ReadonlySet<string> = new Set(['problem', 'message', 'detail']);

/** Puts the cures and messages of a JSON document into the words of a door. Returns the same value where nothing differs. */
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
