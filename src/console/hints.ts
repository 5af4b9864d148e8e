/** Cures in the words of pages: their own controls. What no page can do is empty. */
import { type Cure, cureText, type Words } from '../manifest/problems/hint.ts';
import { html } from './html.ts';

const otherReading = 'above, under "Read the file differently"';

const page: Words = {
  timezone: '',
  setting: '',
  mediaRoot: '',
  list: '',
  lookAtRows: '',
  skipInvalid: '',
  sandbox: '',
  rowsAnew: '',
  cancelFirst: '',
  deleteAnyway: '',
  decideRow: '',
  chooseDecision: '',
  decideUnchecked: '',
  importVideos: '',
  scrapeVideos: '',
  addUser: '',
  setPassword: '',
  removeToken: '',
  mapColumn: 'Or import the sheet as a new campaign, where you can match columns.',
  keepAsNote: ({ part }) => `To keep it as a note, begin the ${part} with _ or #.`,
  encoding: ({ encoding }) => `Or choose its encoding below${asGuess(encoding)}.`,
  chooseSheet: ({ sheet }) => `Leave only ${sheet === null ? 'one of them' : `"${sheet}"`} visible.`,
  findProducts: '"Find a product…" shows the ids of a showcase.',
  findMusic: '"Find music…" looks it up.',
  keep: ({ option }) => `Keep the ${option === 'mediaRoot' ? 'media folder' : option} of the campaign.`,
  updateCampaign: ({ campaign }) =>
    campaign === null
      ? 'To retry failed and changed rows, update its campaign on the campaign page.'
      : `Otherwise update campaign ${campaign} on its page.`,
  show: ({ campaign }) => `See campaign ${campaign}.`,
  writeSheet: ({ campaign, only }) =>
    only === 'review' ? 'Download it on the Review page.' : `Download Results on the page of ${campaign}.`,
  retry: ({ key }) => (key === undefined ? 'Retry its failed rows on the campaign page.' : ''),
  rate: 'See the Queues page.',
  postAgain: 'To post it again, choose that below.',
  mayPostTwice: 'Press Start again, and tick the box.',
  postAllAgain: 'A sheet of its own posts only the rows in it.',
  otherAccount: ({ accounts }) =>
    `Or choose an account of the settings under Options: ${accounts.join(', ')}.`,
  decideBySheet: ({ campaign }) => `Upload the sheet on the page Review, for campaign ${campaign}.`,
  startWorker: 'Start one with campaigns worker.',
  // No page does this: it needs the machine.
  acceptJournal: 'The command is: campaigns journal --accept',
};

const draftPage: Words = {
  ...page,
  timezone: 'Or choose the zone under Times.',
  mapColumn: 'Or say what it is under Columns.',
  keepAsNote: 'To keep it as a note, choose that under Columns.',
  encoding: ({ encoding }) => `Or choose its encoding ${otherReading}${asGuess(encoding)}.`,
  chooseSheet: ({ sheet }) => `Choose ${sheet === null ? 'one of them' : `"${sheet}"`} ${otherReading}.`,
  skipInvalid: 'Or skip it.',
  postAgain: 'To post it again, tick Post again.',
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
