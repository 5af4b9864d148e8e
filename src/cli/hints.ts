/** Cures in the words of the terminal: options and commands. */
import { decideCommand, decisionCommands, quote, sheetCommand } from '../campaigns/repair/repairs.ts';
import { type Cure, cureText, type Hint, type Words, withCureTexts } from '../manifest/problems/hint.ts';

type ParamsOf<A extends Hint['action']> = Extract<Hint, { readonly action: A }>['params'];

const words: Words = {
  timezone: ({ zone }) => `Or give --timezone ${zone}.`,
  mediaRoot: 'Or choose another root with --media-root.',
  nameMediaRoot: 'Give --media-root, or set media.root in the settings.',
  mediaPaths: 'It is relative to the media root.',
  mapColumn: ({ header, column }) => `Or map it (--map "${header}=${column}").`,
  keepAsNote: ({ part }) =>
    `To keep it as a note, begin the ${part} with _ or #, map it to _, or use --allow-unknown-columns.`,
  writeMap: 'Write the header as in the sheet: --map "Their header=our_column"',
  encoding: ({ encoding }) =>
    `Or name its encoding with --encoding${encoding === null ? '' : ` ${encoding} (a guess)`}.`,
  chooseSheet: ({ sheet }) =>
    sheet === null ? 'Name one of them with --sheet.' : `Name the right one: --sheet "${sheet}"`,
  hiddenSheet: 'Or name it with --sheet.',
  firstSheet: 'Remove the option --sheet.',
  findProducts: 'To see the ids of products in a showcase: campaigns products CREATOR',
  findMusic: 'To look it up: campaigns music TEXT',
  skipInvalid: 'Or leave it out with --skip-invalid.',
  postAgain: 'To post it once more, add --again.',
  updateCampaign: 'To redo failed and changed rows, import it with --into and the id of its campaign.',
  importInto: ({ campaign }) => `Otherwise import it with --into ${campaign}`,
  postAllAgain: 'To post every row again, including those already posted, add --again.',
  goOn: 'Run the same command again: it goes on with the rows that are left.',
  keepMediaRoot: 'Leave --media-root away.',
  keepTimezone: 'Leave --timezone away.',
  omitAccount: 'Leave out --account to go on with it.',
  otherAccount: ({ accounts }) => `Or use an account of the settings with --account: ${accounts.join(', ')}`,
  nameSettings: 'Name the file with --config or CAMPAIGNS_CONFIG.',
  sandbox: 'To try without the service:\n  campaigns sandbox',
  listCampaigns: 'See all campaigns:\ncampaigns list',
  listCreators: 'See all creators:\ncampaigns creators',
  showCampaign: ({ campaign }) => `See the campaign:\ncampaigns show ${campaign}`,
  writeResults: ({ campaign }) => `To write it: campaigns report ${campaign} --out FILE`,
  writeReview: ({ campaign }) => `To write it: ${sheetCommand(campaign, 'review')}`,
  retryFailed: ({ campaign }) => `Retry its failed rows:\ncampaigns retry ${campaign}`,
  retryRow: ({ campaign, key }) => `Retry it:\ncampaigns retry ${campaign} --row ${quote(key)}`,
  rowsAnew,
  cancelFirst: ({ campaign }) =>
    `Add --cancel to cancel and delete it, or cancel it first:\ncampaigns cancel ${campaign}`,
  deleteAnyway: 'To delete it anyway, add --force.',
  seeReview: ({ campaign }) => `See campaigns show ${campaign}.`,
  decideRow: ({ campaign, key, decision, unchecked }) =>
    `\n${decideCommand(campaign, key, decision)}${unchecked ? ' --unchecked' : ''}`,
  chooseDecision: ({ campaign, key, about }) => decisionCommands(campaign, key, about).join('\n'),
  decideBySheet: ({ campaign }) => `Hand the sheet in: campaigns settle ${campaign} --from SHEET`,
  decideUnchecked: 'To decide without the look-up, add --unchecked.',
  lookAtRows: (rows) => `Look at them again:\n${decideManyCommand(rows)} --dry-run`,
  sayRowsSeen: ({ rows, ...filter }) =>
    'Say how many rows you saw (--expect), or decide only about rows in review since before a time (--before). To look at them, add ' +
    `--dry-run:\n${decideManyCommand(filter)} --expect ${rows}\n${decideManyCommand(filter)} --before TIME`,
  listVideos: 'See all videos:\n  campaigns videos list',
  importVideos: 'Add videos first:\n  campaigns videos import FILE',
  scrapeVideos: 'Look them up now:\n  campaigns videos scrape',
  startWorker: 'Start one with campaigns worker, or continue with campaigns run.',
  seeRates: 'See campaigns budgets.',
  lowerRate: ({ operation }) => `To lower it:\ncampaigns budgets ${operation} RATE`,
  acceptJournal: 'To accept it:\ncampaigns journal --accept',
  listUsers: 'See all users:\n  campaigns users list',
  addUser: 'Or add one:\ncampaigns users add NAME --role operator',
  removeUser: 'To remove one:\n  campaigns users remove NAME',
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
export function noteText({
  text,
  hints,
}: {
  readonly text: string;
  readonly hints: readonly Hint[];
}): string {
  return hints.length === 0 ? text : `${text}. ${cureText(hints, words)}`;
}

/** A document of `--json` with its cures as text. */
export function withCures(document: unknown): unknown {
  return withCureTexts(words, document);
}

function rowsAnew({ campaign, states, account, mediaRoot, timezone, map }: ParamsOf<'rowsAnew'>): string {
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
export function decideManyCommand({
  campaign,
  decision,
  error,
  creator,
}: { readonly [P in keyof ParamsOf<'lookAtRows'>]: ParamsOf<'lookAtRows'>[P] | undefined }): string {
  const filters = [
    ...(error ? [`--error ${quote(error)}`] : []),
    ...(creator ? [`--creator ${quote(creator)}`] : []),
  ];
  return [`campaigns settle ${campaign} --${decision}`, ...filters].join(' ');
}
