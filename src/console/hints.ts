/** Cures in the words of pages: their own controls. What no page can do is left out. */
import { html } from 'hono/html';
import { type Cure, cureText, type Words } from '../manifest/problems/hint.ts';

const otherReading = 'above, under "It should be read in another way"';

const page: Words = {
  timezone: '',
  mediaRoot: '',
  nameMediaRoot: 'Set media.root in the settings.',
  mediaPaths: 'It is relative to the media root.',
  mapColumn: 'Or hand the sheet in as a new campaign, where columns can be matched.',
  keepAsNote: ({ part }) => `To keep it as a note, begin the ${part} with _ or #.`,
  writeMap: 'Load the page again, and match its columns once more.',
  encoding: ({ encoding }) => `Or choose its encoding below${asGuess(encoding)}.`,
  chooseSheet: ({ sheet }) => `Leave only ${sheet === null ? 'one of them' : `"${sheet}"`} visible.`,
  hiddenSheet: '',
  firstSheet: 'Choose the first sheet.',
  findProducts: '"Find a product…" shows the ids of a showcase.',
  findMusic: '"Find music…" looks it up.',
  skipInvalid: '',
  postAgain: 'To post it once more, choose that below.',
  updateCampaign: 'To redo failed and changed rows, hand it in on the page of its campaign.',
  importInto: ({ campaign }) => `Otherwise hand it in on the page of campaign ${campaign}.`,
  postAllAgain: 'A sheet of its own posts only the rows in it.',
  goOn: 'Hand the sheet in again: it goes on.',
  keepMediaRoot: 'Keep the folder of the campaign.',
  keepTimezone: 'Keep the zone of the campaign.',
  omitAccount: 'Choose the account of that campaign to go on with it.',
  otherAccount: ({ accounts }) =>
    `Or choose an account of the settings under Options: ${accounts.join(', ')}.`,
  nameSettings: '',
  sandbox: '',
  listCampaigns: '',
  listCreators: '',
  showCampaign: ({ campaign }) => `See campaign ${campaign}.`,
  writeResults: ({ campaign }) => `Download Results on the page of campaign ${campaign}.`,
  writeReview: 'Download it on the page Review.',
  retryFailed: 'Its failed rows are retried on its page.',
  retryRow: '',
  rowsAnew: '',
  cancelFirst: '',
  deleteAnyway: '',
  seeReview: '',
  decideRow: '',
  chooseDecision: '',
  decideBySheet: ({ campaign }) => `Hand the sheet in on the page of campaign ${campaign}.`,
  decideUnchecked: '',
  lookAtRows: 'Look at the rows again.',
  sayRowsSeen: 'Look at the rows again.',
  listVideos: '',
  importVideos: '',
  scrapeVideos: '',
  startWorker: 'Start one with campaigns worker.',
  seeRates: 'The page Queues has it.',
  lowerRate: 'It is on the page Queues.',
  // No page does this: it needs the machine.
  acceptJournal: 'The command is: campaigns journal --accept',
  listUsers: '',
  addUser: '',
  removeUser: '',
  setPassword: '',
  removeToken: '',
};

const draftPage: Words = {
  ...page,
  timezone: 'Or choose the zone under Times.',
  mediaRoot: 'Then add the file.',
  mediaPaths: '',
  mapColumn: 'Or say what it is under Columns.',
  keepAsNote: 'To keep it as a note, choose that under Columns.',
  encoding: ({ encoding }) => `Or choose its encoding ${otherReading}${asGuess(encoding)}.`,
  chooseSheet: ({ sheet }) => `Choose ${sheet === null ? 'one of them' : `"${sheet}"`} ${otherReading}.`,
  hiddenSheet: `Or choose it ${otherReading}.`,
  skipInvalid: 'Or leave it out.',
  postAgain: 'To post it once more, tick Post again.',
};

function asGuess(encoding: string | null): string {
  return encoding === null ? '' : `, such as ${encoding} (a guess)`;
}

/** The same as HTML: no page can start a process. */
export const startWorker = html`Start one with <code>campaigns worker</code>.`;

/** What to do, in the words of a page; empty if nothing is to be done there. */
export function cureOnPage(cure: Cure | null | undefined): string {
  return cureText(cure ?? '', page);
}

/** As `cureOnPage`, on the page of a new campaign. */
export function cureOnDraft(cure: Cure | null | undefined): string {
  return cureText(cure ?? '', draftPage);
}
