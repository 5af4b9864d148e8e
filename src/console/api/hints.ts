/** Cures in the words of the API: its operations and fields. Programs get the hints themselves too. */
import { type Cure, cureText, hintsOf, type Words, withCureTexts } from '../../manifest/problems/hint.ts';

const api: Words = {
  timezone: ({ zone }) => `Or give the field timezone, such as ${zone}.`,
  mediaRoot: '',
  mapColumn: ({ header, column }) => `Or map it (map: "${header}=${column}").`,
  keepAsNote: ({ part }) =>
    `To keep it as a note, begin the ${part} with _ or #, map it to _, or use allowUnknownColumns.`,
  encoding: ({ encoding }) =>
    `Or name its encoding in the field encoding${encoding === null ? '' : `, such as ${encoding} (a guess)`}.`,
  chooseSheet: ({ sheet }) => `Name it in the field sheet${sheet === null ? '' : `, such as "${sheet}"`}.`,
  findProducts: 'To see the ids of products in a showcase: GET /creators/CREATOR/products',
  findMusic: 'To look it up: GET /music?text=TEXT',
  keep: ({ option }) => `Omit the field ${option}.`,
  updateCampaign: ({ campaign }) =>
    campaign === null
      ? 'To retry failed and changed rows, send it to POST /campaigns/ID/sheet.'
      : `Otherwise send it to POST /campaigns/${campaign}/sheet`,
  list: ({ what }) => `See all ${what}: GET /${what}`,
  show: ({ campaign }) => `See the campaign: GET /campaigns/${campaign}`,
  writeSheet: ({ campaign, only }) =>
    `To get it: GET /campaigns/${campaign}/results${only === 'review' ? '?only=review' : ''}`,
  retry: ({ campaign }) => `To retry: POST /campaigns/${campaign}/retry`,
  lookAtRows:
    'To look at them, send dryRun. Then say how many rows you saw (expect), or send a time (before).',
  rate: ({ operation }) => `To see or change it: GET or PUT /rate-limits/${operation}`,
  skipInvalid: 'Or skip it with skipInvalid=true.',
  postAgain: 'To post it again, send again=true.',
  mayPostTwice: 'Then send mayPostTwice=true.',
  postAllAgain: 'To post every row again, including those already posted, send again=true.',
  otherAccount: ({ accounts }) =>
    `Or use an account of the settings, in the field account: ${accounts.join(', ')}`,
  sandbox: '',
  rowsAnew: ({ campaign, states }) =>
    `To get them: GET /campaigns/${campaign}/results?${states.map((state) => `only=${state}`).join('&')}`,
  cancelFirst: ({ campaign }) => `To cancel it: POST /campaigns/${campaign}/cancel`,
  deleteAnyway: '',
  decideRow: decideRow,
  chooseDecision: decideRow,
  decideBySheet: ({ campaign }) => `Send it to POST /campaigns/${campaign}/decisions/sheet`,
  decideUnchecked: 'To decide without the look-up, send unchecked=true.',
  importVideos: 'Add videos first: POST /videos',
  scrapeVideos: 'Update them now: POST /scrapes',
  setting: ({ name }) => `The setting is ${name}.`,
  startWorker: '',
  acceptJournal: 'To accept it: POST /journal/accept',
  addUser: 'To do so: PUT /users/NAME/role',
  setPassword: ({ user }) => `To set a new password: PUT /users/${user}/password`,
  removeToken: ({ user }) => `To remove it: DELETE /users/${user}/tokens/PREFIX`,
};

const draftApi: Words = {
  ...api,
  mediaRoot: 'Then upload the file.',
  mapColumn: ({ header, column }) => `Or map it (map: { "${header}": "${column}" }).`,
  keepAsNote: 'To keep it as a note, map it to _.',
  skipInvalid: 'Or skip it with leaveOut.',
  postAgain: 'To post it again, send postAgain.',
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
