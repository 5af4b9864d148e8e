/** Fixes in the words of the terminal: options and commands. */
import type { Note } from '../app/campaigns/progress/notes.ts';
import { commandLine, commandsOf, type Options, optionWords } from '../app/runtime/command-line.ts';
import { captionMark } from '../manifest/headers/column-map.ts';
import {
  type Fix,
  fixText,
  type Hint,
  type HintParams,
  type HintTexts,
  hint,
  writeHints,
} from '../manifest/problems/hint.ts';
import { sentence } from '../manifest/wording.ts';

const listings = {
  campaigns: 'list',
  creators: 'creators',
  videos: 'videos list',
  users: 'users list',
};

const words: HintTexts = {
  timezone: ({ zone }) => `Or give ${optionWords({ timezone: zone })}.`,
  mediaRoot: 'Or choose another folder with --media-root.',
  mapColumn: ({ header, column }) => `Or map it (${optionWords({ map: `${header}=${column}` })}).`,
  joinCaption: ({ header }) =>
    `To append it to the caption, map it (${optionWords({ map: `${header}=${captionMark}` })}).`,
  keepAsNote: ({ part }) =>
    `To keep it as a note, begin the ${part} with _ or #, map it to _, or use --allow-unknown-columns.`,
  encoding: ({ encoding }) =>
    encoding === null
      ? 'Or name its encoding with --encoding.'
      : `Or name its encoding with ${optionWords({ encoding })} (a guess).`,
  headerLine: ({ line }) => `Name the line of the headers, such as --header-line ${line}.`,
  chooseSheet: ({ sheet }) =>
    sheet === null ? 'Name one of them with --sheet.' : `Name the right one: ${optionWords({ sheet })}`,
  otherSheet: ({ sheet }) => `It is read with ${optionWords({ sheet })}.`,
  readSheets: ({ sheets }) => `Read together as one: ${optionWords({ sheet: sheets })}`,
  findProducts: 'To see the ids of products in a showcase:\n  campaigns products CREATOR',
  findMusic: 'To look it up:\n  campaigns music TEXT',
  keep: ({ option }) => `Omit --${option === 'mediaRoot' ? 'media-root' : option}.`,
  updateCampaign: ({ campaign }) =>
    campaign === null
      ? 'To retry failed rows and send changed ones, import the sheet with --into and the id of its campaign.'
      : `Otherwise update the campaign: ${optionWords({ into: campaign })}`,
  list: ({ what }) => `See all ${what}:\n${commandLine(listings[what], {})}`,
  show: ({ campaign }) => `See the campaign:\n${commandLine('show', { own: [campaign] })}`,
  writeSheet: (params) => `To write it:\n${commandsOf(hint('writeSheet', params)).join('')}`,
  retry: (params) =>
    `${params.key === undefined ? 'Retry its failed rows' : 'Retry it'}:\n${lines(hint('retry', params))}`,
  editSheet: (params) => `Fix them in a separate sheet:\n${lines(hint('editSheet', params))}`,
  resumeCreator: (params) => `Retry the rows:\n${lines(hint('resumeCreator', params))}`,
  refresh: (params) => `Search the publishing records:\n${lines(hint('refresh', params))}`,
  decideAll: (params) => `If none exists:\n${lines(hint('decideAll', params))}`,
  lookAtRows: ({ campaign, decision, rows, ...filter }) => {
    const decide = (options: Options) => decideManyCommand(campaign, decision, { ...filter, ...options });
    const look = `Look at them first:\n${decide({ 'dry-run': true })}`;
    return `${look}\nThen decide:\n${decide({ expect: String(rows) })}\n${decide({ before: 'TIME' })}`;
  },
  rate: ({ operation }) => `To see or change it:\n${commandLine('rate-limits', { own: [operation] })} [RATE]`,
  skipInvalid: 'Or skip it with --skip-invalid.',
  postAgain: 'To post it again, add --again.',
  trustIds: 'If they are right, add --trust-ids.',
  rowsInDoubt: ({ option }) => {
    const flag = option === 'ownStatus' ? '--own-status' : '--hidden';
    return `To skip such rows, add ${flag} skip; to post them, ${flag} post.`;
  },
  mayPostTwice: '',
  postAllAgain: 'To post every row again, including those already posted, add --again.',
  sandbox: 'To try without the service:\n  campaigns sandbox',
  rowsAnew,
  cancelFirst: ({ campaign }) =>
    `Add --cancel to cancel and delete it, or cancel it first:\n${commandLine('cancel', { own: [campaign] })}`,
  deleteAnyway: 'Or delete it anyway with --force.',
  decideRow: (params) => `\n${lines(hint('decideRow', params))}`,
  chooseDecision: (params) => lines(hint('chooseDecision', params)),
  decideUnchecked: 'To decide without the look-up, add --unchecked.',
  importVideos: 'Add videos first:\n  campaigns videos import FILE',
  scrapeVideos: 'Update them now:\n  campaigns videos scrape',
  setting: ({ name }) =>
    name === 'CREATOR_API_KEY'
      ? 'Check that CREATOR_API_KEY is valid, and has the needed permissions.'
      : `The setting is ${name}.`,
  startWorker: 'Start one, or continue with `campaigns run`:\ncampaigns worker',
  acceptJournal: 'To accept it:\n  campaigns journal --accept',
  addUser: 'Or add one:\n  campaigns users add NAME --role admin',
  setPassword: ({ user }) =>
    `To set a new password:\n  ${commandLine('users password', { outside: [user] })}`,
  removeToken: ({ user }) =>
    `To remove it:\n  ${commandLine('users token', { options: { remove: 'PREFIX' }, outside: [user] })}`,
};

/** What to do, in the words of the terminal. */
export function fixHere(fix: Fix): string;
export function fixHere(fix: Fix | undefined): string | undefined;
export function fixHere(fix: Fix | undefined): string | undefined {
  return fix === undefined ? undefined : fixText(fix, words);
}

export function noteText({ text, hints }: Note): string {
  return `${sentence(text)} ${fixText(hints, words)}`.trimEnd();
}

/** A document of `--json` with its fixes as text. */
export function withFixes(document: unknown): unknown {
  return writeHints({ texts: words, commandsOf }, document);
}

function rowsAnew({ campaign, states, mediaRoot, timezone, map }: HintParams<'rowsAnew'>): string {
  const sheet = `${campaign}.rest.csv`;
  const options = {
    'media-root': mediaRoot,
    timezone,
    // Their status is one of this campaign, and says that they were not posted.
    'own-status': 'post',
    map: Object.entries(map).map(([name, column]) => `${name}=${column}`),
  };
  return [
    commandLine('report', { options: { only: states.join(','), out: sheet }, own: [campaign] }),
    commandLine('run', { options, own: [sheet] }),
  ].join('\n');
}

/** Writes the results sheet. @param out file; else a placeholder. */
export function reportCommand(campaign: string, options: Options = {}): string {
  return commandLine('report', { options: { ...options, out: options.out ?? 'FILE' }, own: [campaign] });
}

/** Undoes the decision about a row. @param row key; else a placeholder. */
export function undoCommand(campaign: string, row = 'ROW'): string {
  return commandLine('decide', { options: { undo: true }, own: [campaign], outside: [row] });
}

/** Lists the rows in review in a sheet; and the two decisions about one of them. */
export function reviewCommands(campaign: string): readonly string[] {
  return [
    ...commandsOf(hint('writeSheet', { campaign, only: 'review' })),
    ...commandsOf(hint('chooseDecision', { campaign, key: 'ROW', about: 'post' })),
  ];
}

function lines(of: Hint): string {
  return commandsOf(of).join('\n');
}

/** The command for one decision about all rows that match. */
export function decideManyCommand(campaign: string, decision: string, options: Options): string {
  return commandLine('decide', { options: { [decision]: true, ...options }, own: [campaign] });
}
