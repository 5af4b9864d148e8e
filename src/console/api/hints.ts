/** Cures in the words of the API: its operations and fields. Programs get the hints themselves too. */
import { type Cure, cureText, hintsOf, type Words, withCureTexts } from '../../manifest/problems/hint.ts';

const api: Words = {
  timezone: ({ zone }) => `Or give the field timezone, such as ${zone}.`,
  mediaRoot: '',
  nameMediaRoot: 'Set media.root in the settings.',
  mediaPaths: 'It is relative to the media root.',
  mapColumn: ({ header, column }) => `Or map it (map: "${header}=${column}").`,
  keepAsNote: ({ part }) =>
    `To keep it as a note, begin the ${part} with _ or #, map it to _, or use allowUnknownColumns.`,
  writeMap: 'Write the header as in the sheet: map="Their header=our_column"',
  encoding: ({ encoding }) =>
    `Or name its encoding in the field encoding${encoding === null ? '' : `, such as ${encoding} (a guess)`}.`,
  chooseSheet: ({ sheet }) => `Name it in the field sheet${sheet === null ? '' : `, such as "${sheet}"`}.`,
  hiddenSheet: 'Or name it in the field sheet.',
  firstSheet: 'Leave out the field sheet.',
  findProducts: 'To see the ids of products in a showcase: GET /creators/CREATOR/products',
  findMusic: 'To look it up: GET /music?text=TEXT',
  skipInvalid: 'Or leave it out with skipInvalid=true.',
  postAgain: 'To post it once more, send again=true.',
  updateCampaign: 'To redo failed and changed rows, send it to POST /campaigns/ID/sheet.',
  importInto: ({ campaign }) => `Otherwise send it to POST /campaigns/${campaign}/sheet`,
  postAllAgain: 'To post every row again, including those already posted, send again=true.',
  goOn: 'Send the sheet again: it goes on.',
  keepMediaRoot: 'Keep the folder of the campaign.',
  keepTimezone: 'Leave out the field timezone.',
  omitAccount: 'Leave out the field account to go on with it.',
  otherAccount: ({ accounts }) =>
    `Or use an account of the settings, in the field account: ${accounts.join(', ')}`,
  nameSettings: '',
  sandbox: '',
  listCampaigns: 'See all campaigns: GET /campaigns',
  listCreators: 'See all creators: GET /creators',
  showCampaign: ({ campaign }) => `See the campaign: GET /campaigns/${campaign}`,
  writeResults: ({ campaign }) => `To get it: GET /campaigns/${campaign}/results`,
  writeReview: ({ campaign }) => `To get it: GET /campaigns/${campaign}/results?only=review`,
  retryFailed: ({ campaign }) => `Retry its failed rows: POST /campaigns/${campaign}/retry`,
  retryRow: ({ campaign }) => `Retry it: POST /campaigns/${campaign}/retry`,
  rowsAnew: ({ campaign, states }) =>
    `To get them: GET /campaigns/${campaign}/results?${states.map((state) => `only=${state}`).join('&')}`,
  cancelFirst: ({ campaign }) => `To cancel it: POST /campaigns/${campaign}/cancel`,
  deleteAnyway: '',
  seeReview: ({ campaign }) => `To see them: GET /campaigns/${campaign}/causes`,
  decideRow: decideRow,
  chooseDecision: decideRow,
  decideBySheet: ({ campaign }) => `Send it to POST /campaigns/${campaign}/decisions/sheet`,
  decideUnchecked: 'To decide without the look-up, send unchecked=true.',
  lookAtRows: 'Look at them again with dryRun.',
  sayRowsSeen:
    'Say how many rows you saw (expect), or decide only about rows in review since before a time (before). To look at them, send dryRun.',
  listVideos: 'See all videos: GET /videos',
  importVideos: 'Add videos first: POST /videos',
  scrapeVideos: 'Look them up now: POST /scrapes',
  startWorker: '',
  seeRates: 'To see it: GET /budgets',
  lowerRate: ({ operation }) => `To lower it: PUT /budgets/${operation}`,
  acceptJournal: 'To accept it: POST /journal/accept',
  listUsers: 'See all users: GET /users',
  addUser: 'To do so: PUT /users/NAME/role',
  removeUser: 'To remove one: DELETE /users/NAME',
  setPassword: ({ user }) => `To set a new password: PUT /users/${user}/password`,
  removeToken: ({ user }) => `To remove it: DELETE /users/${user}/tokens/PREFIX`,
};

const draftApi: Words = {
  ...api,
  mediaRoot: 'Then upload the file.',
  mediaPaths: '',
  mapColumn: ({ header, column }) => `Or map it (map: { "${header}": "${column}" }).`,
  keepAsNote: 'To keep it as a note, map it to _.',
  writeMap: 'Write the header as in the sheet.',
  skipInvalid: 'Or leave it out with leaveOut.',
  postAgain: 'To post it once more, mend it with postAgain.',
  postAllAgain:
    'To post every row again, including those already posted, send the sheet to POST /campaigns with again=true.',
};

function decideRow({ campaign, key }: { readonly campaign: string; readonly key: string }): string {
  return `To decide: PUT /campaigns/${campaign}/rows/${encodeURIComponent(key)}/decision`;
}

/** @param path of an operation. */
function wordsOf(path: string): Words {
  return path.startsWith('/drafts') ? draftApi : api;
}

/** `cure` and `hints` of a problem document. */
export function cureInAnswer(path: string, cure: Cure = '') {
  const text = cureText(cure, wordsOf(path));
  const hints = hintsOf(cure);
  return { ...(text !== '' && { cure: text }), ...(hints.length > 0 && { hints: [...hints] }) };
}

/** The document of an answer, with its cures as text. */
export function withCures(path: string, document: unknown): unknown {
  return withCureTexts(wordsOf(path), document, true);
}
