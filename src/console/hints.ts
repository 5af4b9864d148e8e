/** Fixes in the words of pages: their own controls. What no page can do is empty. */
import { type Fix, fixText, type HintTexts } from '../manifest/problems/hint.ts';
import { html } from './html.ts';

const otherReading = 'above, under "Read the file differently"';

const page: HintTexts = {
  timezone: '',
  setting: ({ name }) =>
    name === 'CREATOR_API_KEY' ? 'Ask an operator for a valid API key with the needed permissions.' : '',
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
  editSheet: '',
  resumeCreator: '',
  refresh: '',
  decideAll: '',
  importVideos: '',
  scrapeVideos: '',
  addUser: '',
  setPassword: '',
  removeToken: '',
  mapColumn: 'Or import the sheet as a new campaign, where you can match columns.',
  joinCaption: '',
  keepAsNote: ({ part }) => `To keep it as a note, begin the ${part} with _ or #.`,
  encoding: ({ encoding }) => `Or choose its encoding below${asGuess(encoding)}.`,
  otherSheet: '',
  readSheets: '',
  chooseSheet: ({ sheet }) => `Leave only ${sheet === null ? 'one of them' : `"${sheet}"`} visible.`,
  findProducts: '"Find a product…" shows the IDs of a showcase.',
  findMusic: '"Find music…" looks it up.',
  keep: ({ option }) => `Keep the ${option === 'mediaRoot' ? 'media folder' : option} of the campaign.`,
  updateCampaign: ({ campaign }) =>
    campaign === null
      ? 'To retry failed rows and send changed ones, open the sheet’s campaign and choose “Update with corrected sheet…”.'
      : `Otherwise update campaign ${campaign} on its page.`,
  show: ({ campaign }) => `See campaign ${campaign}.`,
  writeSheet: ({ campaign, only }) =>
    only === 'review' ? 'Download it on the Review page.' : `Download Results on the page of ${campaign}.`,
  retry: ({ key }) => (key === undefined ? 'Retry its failed rows on the campaign page.' : ''),
  rate: 'See the Queues page.',
  postAgain: 'To post it again, choose that below.',
  rowsInDoubt: '',
  trustIds: '',
  mayPostTwice: 'Press Start again, and tick the box.',
  postAllAgain: 'A sheet of its own posts only the rows in it.',
  startWorker: 'Start one with campaigns worker.',
  // No page does this: it needs the machine.
  acceptJournal: 'The command is: campaigns journal --accept',
};

const draftPage: HintTexts = {
  ...page,
  timezone: 'Or choose the zone under Times.',
  mapColumn: 'Or say what it is under Columns.',
  joinCaption: 'To append it to the caption, choose that under Columns.',
  keepAsNote: 'To keep it as a note, choose that under Columns.',
  encoding: ({ encoding }) => `Or choose its encoding ${otherReading}${asGuess(encoding)}.`,
  otherSheet: ({ sheet }) => `Make a new campaign of the same file, and choose "${sheet}" ${otherReading}.`,
  chooseSheet: ({ sheet }) => `Choose ${sheet === null ? 'one of them' : `"${sheet}"`} ${otherReading}.`,
  skipInvalid: 'Or skip it.',
  trustIds: 'If they are right, keep them.',
  postAgain: 'To post it again, tick Post again.',
};

function asGuess(encoding: string | null): string {
  return encoding === null ? '' : `, such as ${encoding} (a guess)`;
}

/** The same as HTML: no page can start a process. */
export const startWorker = html`Start one with <code>campaigns worker</code>.`;

/** What to do, in the words of a page; empty if nothing is to be done there. */
export function fixOnPage(fix: Fix | null | undefined): string {
  return fixText(fix ?? '', page);
}

/** As `fixOnPage`, on the page of a new campaign. */
export function fixOnDraft(fix: Fix | null | undefined): string {
  return fixText(fix ?? '', draftPage);
}
