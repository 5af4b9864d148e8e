/** Cures in the words of the terminal: options and commands. */
import { decideCommand, decisionCommands, quote, sheetCommand } from '../campaigns/causes/commands.ts';
import type { Note } from '../campaigns/progress/notes.ts';
import {
  type Cure,
  cureText,
  type HintParams,
  type Words,
  withCureTexts,
} from '../manifest/problems/hint.ts';

const listings = {
  campaigns: 'list',
  creators: 'creators',
  videos: 'videos list',
  users: 'users list',
};

const words: Words = {
  timezone: ({ zone }) => `Or give --timezone ${zone}.`,
  mediaRoot: 'Or choose another folder with --media-root.',
  mapColumn: ({ header, column }) => `Or map it (--map "${header}=${column}").`,
  keepAsNote: ({ part }) =>
    `To keep it as a note, begin the ${part} with _ or #, map it to _, or use --allow-unknown-columns.`,
  encoding: ({ encoding }) =>
    `Or name its encoding with --encoding${encoding === null ? '' : ` ${encoding} (a guess)`}.`,
  chooseSheet: ({ sheet }) =>
    sheet === null ? 'Name one of them with --sheet.' : `Name the right one: --sheet "${sheet}"`,
  findProducts: 'To see the ids of products in a showcase: campaigns products CREATOR',
  findMusic: 'To look it up: campaigns music TEXT',
  keep: ({ option }) => `Omit --${option === 'mediaRoot' ? 'media-root' : option}.`,
  updateCampaign: ({ campaign }) =>
    campaign === null
      ? 'To retry failed and changed rows, update its campaign: import it with --into and its id.'
      : `Otherwise update the campaign: --into ${campaign}`,
  list: ({ what }) => `See all ${what}:\ncampaigns ${listings[what]}`,
  show: ({ campaign }) => `See the campaign: campaigns show ${campaign}`,
  writeSheet: ({ campaign, only }) =>
    `To write it: ${only === 'review' ? sheetCommand(campaign, only) : `campaigns report ${campaign} --out FILE`}`,
  retry: ({ campaign, key, error }) =>
    key === undefined
      ? `Retry its failed rows:\ncampaigns retry ${campaign}${error === undefined ? '' : ` --error ${quote(error)}`}`
      : `Retry it:\ncampaigns retry ${campaign} --row ${quote(key)}`,
  lookAtRows: ({ campaign, decision, rows, ...filter }) => {
    const command = decideManyCommand(campaign, decision, filter);
    return `To look at them, add --dry-run. Then decide:\n${command} --expect ${rows}\n${command} --before TIME`;
  },
  rate: ({ operation }) => `To see or change it: campaigns rate-limits ${operation} [RATE]`,
  skipInvalid: 'Or skip it with --skip-invalid.',
  postAgain: 'To post it again, add --again.',
  mayPostTwice: '',
  postAllAgain: 'To post every row again, including those already posted, add --again.',
  otherAccount: ({ accounts }) => `Or use an account of the settings with --account: ${accounts.join(', ')}`,
  sandbox: 'To try without the service:\n  campaigns sandbox',
  rowsAnew,
  cancelFirst: ({ campaign }) =>
    `Add --cancel to cancel and delete it, or cancel it first:\ncampaigns cancel ${campaign}`,
  deleteAnyway: 'To delete it anyway, add --force.',
  decideRow: ({ campaign, key, decision, unchecked }) =>
    `\n${decideCommand(campaign, key, decision)}${unchecked ? ' --unchecked' : ''}`,
  chooseDecision: ({ campaign, key, about }) => decisionCommands(campaign, key, about).join('\n'),
  decideBySheet: ({ campaign }) => `Decide with the sheet: campaigns decide ${campaign} --from SHEET`,
  decideUnchecked: 'To decide without the look-up, add --unchecked.',
  importVideos: 'Add videos first:\n  campaigns videos import FILE',
  scrapeVideos: 'Update them now:\n  campaigns videos scrape',
  setting: ({ name }) => `The setting is ${name}.`,
  startWorker: 'Start one with campaigns worker, or continue with campaigns run.',
  acceptJournal: 'To accept it:\ncampaigns journal --accept',
  addUser: 'Or add one:\ncampaigns users add NAME --role operator',
  setPassword: ({ user }) => `To set a new password:\n  campaigns users password ${user}`,
  removeToken: ({ user }) => `To remove it:\n  campaigns users token ${user} --remove PREFIX`,
};

/** What to do, in the words of the terminal. */
export function cureHere(cure: Cure): string;
export function cureHere(cure: Cure | undefined): string | undefined;
export function cureHere(cure: Cure | undefined): string | undefined {
  return cure === undefined ? undefined : cureText(cure, words);
}

/** A note with what to do. */
export function noteText({ text, hints }: Note): string {
  return hints.length === 0 ? text : `${text}. ${cureText(hints, words)}`;
}

/** A document of `--json` with its cures as text. */
export function withCures(document: unknown): unknown {
  return withCureTexts(words, document);
}

function rowsAnew({ campaign, states, account, mediaRoot, timezone, map }: HintParams<'rowsAnew'>): string {
  const sheet = `${campaign}.rest.csv`;
  const options = [
    `--media-root ${quote(mediaRoot)}`,
    ...(timezone === null ? [] : [`--timezone ${quote(timezone)}`]),
    ...(account === null ? [] : [`--account ${quote(account)}`]),
    ...Object.entries(map).map(([name, column]) => `--map ${quote(`${name}=${column}`)}`),
  ];
  return [
    `campaigns report ${campaign} --only ${states.join(',')} --out ${sheet}`,
    ['campaigns run', sheet, ...options].join(' '),
  ].join('\n');
}

/** The command for one decision about all rows that match. */
export function decideManyCommand(
  campaign: string,
  decision: string,
  {
    error,
    creator,
  }: { readonly error?: string | null | undefined; readonly creator?: string | null | undefined },
): string {
  const filters = [
    ...(error ? [`--error ${quote(error)}`] : []),
    ...(creator ? [`--creator ${quote(creator)}`] : []),
  ];
  return [`campaigns decide ${campaign} --${decision}`, ...filters].join(' ');
}
