/**
 * Fixes in the words of pages: their own controls. What no page can do is empty. And in those of the API: its operations and fields.
 * Programs get the hints themselves too.
 */

import { commandsOf } from '../app/runtime/command-line.ts';
import { captionMark } from '../manifest/headers/column-map.ts';
import { type Fix, fixText, type HintTexts, hintsOf, writeHints } from '../manifest/problems/hint.ts';
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
  headerLine: 'Put the headers above the rows.',
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
  postAllAgain: 'A separate sheet posts only the rows in it.',
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
  headerLine: ({ line }) => `Choose the line of the headers, such as ${line}, ${otherReading}.`,
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

const api: HintTexts = {
  timezone: ({ zone }) => `Or give the field timezone, such as ${zone}.`,
  mediaRoot: '',
  mapColumn: ({ header, column }) => `Or map it (map: ${JSON.stringify(`${header}=${column}`)}).`,
  joinCaption: ({ header }) =>
    `To append it to the caption, map it (map: ${JSON.stringify(`${header}=${captionMark}`)}).`,
  keepAsNote: ({ part }) =>
    `To keep it as a note, begin the ${part} with _ or #, map it to _, or use allowUnknownColumns.`,
  encoding: ({ encoding }) =>
    `Or name its encoding in the field encoding${encoding === null ? '' : `, such as ${encoding} (a guess)`}.`,
  headerLine: ({ line }) => `Give the line of the headers in the field headerLine, such as ${line}.`,
  chooseSheet: ({ sheet }) =>
    `Name it in the field sheet${sheet === null ? '' : `, such as ${JSON.stringify(sheet)}`}.`,
  otherSheet: ({ sheet }) => `Send the file again with the field sheet: ${JSON.stringify(sheet)}.`,
  readSheets: ({ sheets }) =>
    `To read them together, give the field sheet once for each: ${sheets.map((name) => JSON.stringify(name)).join(', ')}.`,
  findProducts: 'To see the ids of products in a showcase: GET /creators/CREATOR/products',
  findMusic: 'To look it up: GET /music?text=TEXT',
  keep: ({ option }) => `Omit the field ${option}.`,
  updateCampaign: ({ campaign }) =>
    campaign === null
      ? 'To retry failed rows and send changed ones, send the sheet to POST /campaigns/ID/sheet.'
      : `Otherwise send it to POST /campaigns/${inPath(campaign)}/sheet`,
  list: ({ what }) => `See all ${what}: GET /${what}`,
  show: ({ campaign }) => `See the campaign: GET /campaigns/${inPath(campaign)}`,
  writeSheet: ({ campaign, only }) =>
    `To get it: GET /campaigns/${inPath(campaign)}/results${only === 'all' ? '' : `?only=${only}`}`,
  retry: ({ campaign }) => `To retry: POST /campaigns/${inPath(campaign)}/retry`,
  editSheet: ({ campaign }) => `Fix them in a separate sheet: POST /campaigns/${inPath(campaign)}/sheet`,
  resumeCreator: ({ campaign, creator }) =>
    `To retry the rows: POST /campaigns/${inPath(campaign)}/creators/${inPath(creator)}/resume`,
  refresh: ({ campaign }) => `To search again: POST /campaigns/${inPath(campaign)}/refresh`,
  decideAll: ({ campaign }) => `If none exists: POST /campaigns/${inPath(campaign)}/decisions`,
  lookAtRows:
    'To look at them, send dryRun. Then say how many rows you saw (expect), or send a time (before).',
  rate: ({ operation }) => `To see or change it: GET or PUT /rate-limits/${operation}`,
  skipInvalid: 'Or skip it with skipInvalid=true.',
  postAgain: 'To post it again, send again=true.',
  trustIds: 'If they are right, send trustIds=true.',
  rowsInDoubt: ({ option }) => `To skip such rows, send ${option}=skip; to post them, ${option}=post.`,
  mayPostTwice: 'Then send mayPostTwice=true.',
  postAllAgain: 'To post every row again, including those already posted, send again=true.',
  sandbox: '',
  rowsAnew: ({ campaign, states }) =>
    `To get them: GET /campaigns/${inPath(campaign)}/results?${states.map((state) => `only=${inPath(state)}`).join('&')}`,
  cancelFirst: ({ campaign }) => `To cancel it: POST /campaigns/${inPath(campaign)}/cancel`,
  deleteAnyway: '',
  decideRow: decideRow,
  chooseDecision: decideRow,
  decideUnchecked: 'To decide without the look-up, send unchecked=true.',
  importVideos: 'Add videos first: POST /videos',
  scrapeVideos: 'Update them now: POST /scrapes',
  setting: ({ name }) => `The setting is ${name}.`,
  startWorker: '',
  acceptJournal: 'To accept it: POST /journal/accept',
  addUser: 'To do so: PUT /users/NAME/role',
  setPassword: ({ user }) => `To set a new password: PUT /users/${inPath(user)}/password`,
  removeToken: ({ user }) => `To remove it: DELETE /users/${inPath(user)}/tokens/PREFIX`,
};

const draftApi: HintTexts = {
  ...api,
  mediaRoot: 'Then upload the file.',
  mapColumn: ({ header, column }) =>
    `Or map it (map: { ${JSON.stringify(header)}: ${JSON.stringify(column)} }).`,
  joinCaption: ({ header }) =>
    `To append it to the caption, map it (map: { ${JSON.stringify(header)}: ${JSON.stringify(captionMark)} }).`,
  keepAsNote: 'To keep it as a note, map it to _.',
  skipInvalid: 'Or skip it with leaveOut.',
  postAgain: 'To post it again, send postAgain.',
  trustIds: 'If they are right, set trustIds of the reading to true.',
  rowsInDoubt: ({ option }) =>
    `To skip such rows, send leaveOut; to post them, set ${option} of the reading to post.`,
  postAllAgain:
    'To post every row again, including those already posted, send the sheet to POST /campaigns with again=true.',
};

function decideRow({ campaign, key }: { readonly campaign: string; readonly key: string }): string {
  return `To decide: PUT /campaigns/${inPath(campaign)}/rows/${inPath(key)}/decision`;
}

function inPath(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** @param path of an operation. */
function wordsOf(path: string): HintTexts {
  return path.startsWith('/drafts') ? draftApi : api;
}

/** `fix` and `hints` of a problem document. */
export function fixInAnswer(path: string, fix: Fix = '') {
  const text = fixText(fix, wordsOf(path));
  const hints = hintsOf(fix);
  return { ...(text !== '' && { fix: text }), ...(hints.length > 0 && { hints: [...hints] }) };
}

/** The document of an answer, with its fixes as text. */
export function withFixes(path: string, document: unknown): unknown {
  return writeHints({ texts: wordsOf(path), commandsOf, withHints: true }, document);
}
