/**
 * Uploads files with tus-js-client as soon as they are dropped on a page or chosen there.
 *
 *     1. finds the dropped files, also in folders
 *     2. sorts them into one sheet, media, and others; asks which is the sheet if there are two that are not copies
 *     3. creates a draft if the page has none, and shows the draft's page
 *     4. sends those that are not there yet, three at once; resumes each that was sent in part, also after the tab was closed
 *     5. sends the files that are chosen for a cell of a draft's row, and writes their names into its field
 */
import './tus.js';

const atOnce = 3;
/** Proxies have a limit for a request. */
const chunkBytes = 16 * 1024 * 1024;
const mostFiles = 10_000;
const deepest = 10;
const againAfterMs = 3000;
const mostRetries = 10_000;
/** What is sent one after the other, and how many of those are left. */
let sending = Promise.resolve();
let left = 0;

const drop = () => document.getElementById('drop');
const draftIn = (path) => /^(.*\/campaigns\/new\/[0-9a-f]{16})(?:\/|$)/.exec(path)?.[1];
const draftPath = () => draftIn(location.pathname);
const proof = () => (drop() ?? document).querySelector('input[name=_csrf]')?.value ?? '';

/** Says something below the form. @param buttons texts and what they do. */
function tell(text, buttons = []) {
  const notes = document.getElementById('upload-notes');
  if (!notes) return;
  const note = document.createElement('div');
  note.className = 'notice';
  note.dataset.state = 'warning';
  const words = document.createElement('p');
  words.textContent = text;
  note.append(words);
  for (const [label, act] of buttons) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = label;
    button.addEventListener('click', act);
    note.append(button);
  }
  notes.replaceChildren(note);
}

const quiet = () => document.getElementById('upload-notes')?.replaceChildren();

// 1.
async function filesOf(entry, path, depth, found) {
  if (found.length > mostFiles || depth > deepest) return;
  if (entry.isFile) {
    const file = await new Promise((done) => entry.file(done, () => done(undefined)));
    if (file) found.push({ file, path: path + entry.name });
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    const part = await new Promise((done) => reader.readEntries(done, () => done([])));
    if (part.length === 0) return;
    for (const each of part) await filesOf(each, `${path}${entry.name}/`, depth + 1, found);
  }
}

async function dropped(transfer) {
  // Read at once: the browser empties the list of a drop at the first await.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const plain = [...transfer.files].map((file) => ({ file, path: file.name }));
  if (entries.length === 0) return plain;
  const found = [];
  for (const entry of entries) await filesOf(entry, '', 0, found);
  return found;
}

function chosen(input) {
  return [...input.files].map((file) => ({ file, path: file.webkitRelativePath || file.name }));
}

// 2.
const ending = (path) => /\.[^./]+$/.exec(path.toLowerCase())?.[0] ?? '';

function sort(found) {
  const { sheets, media } = drop().dataset;
  const isSheet = ({ path }) => sheets.split(',').includes(ending(path));
  const isMedium = ({ path }) => media.split(',').includes(ending(path));
  const open = found.filter(({ path }) => !path.split('/').some((part) => part.startsWith('.')));
  // A text beside the media is a note, unless nothing else is a sheet.
  const tables = open.filter((one) => isSheet(one) && ending(one.path) !== '.txt');
  const sheet = tables.length > 0 ? tables : open.filter(isSheet);
  return {
    sheets: sheet,
    media: open.filter((one) => !isSheet(one) && isMedium(one)),
    others: open.filter((one) => !sheet.includes(one) && (isSheet(one) || !isMedium(one))),
  };
}

/** Makes paths relative to the folder of the sheet, as media paths in the sheet are. */
function relativeTo(sheet, files) {
  const folder = sheet === undefined ? '' : folderOf(sheet);
  return files.map((one) =>
    folder !== '' && one.path.startsWith(folder) ? { ...one, path: one.path.slice(folder.length) } : one,
  );
}

const folderOf = ({ path }) => path.slice(0, path.lastIndexOf('/') + 1);

async function isSame(one, other) {
  if (one.size !== other.size) return false;
  for (let at = 0; at < one.size; at += chunkBytes) {
    const pieces = [one, other].map((file) => file.slice(at, at + chunkBytes).arrayBuffer());
    const [first, second] = (await Promise.all(pieces)).map((piece) => new Uint8Array(piece));
    if (first.some((byte, index) => byte !== second[index])) return false;
  }
  return true;
}

/** Keeps one of several copies of a sheet: the one beside its media. Media belong to the deepest copy above them. */
async function withoutCopies(sheets, media) {
  if (sheets.length < 2) return sheets;
  const innermost = sheets.toSorted((one, other) => folderOf(other).length - folderOf(one).length);
  const beside = media.map(({ path }) => innermost.find((sheet) => path.startsWith(folderOf(sheet))));
  const count = (sheet) => beside.filter((one) => one === sheet).length;
  const different = [];
  for (const sheet of sheets.toSorted((one, other) => count(other) - count(one))) {
    const copies = await Promise.all(different.map(({ file }) => isSame(file, sheet.file)));
    if (!copies.includes(true)) different.push(sheet);
  }
  return different;
}

async function take(found) {
  quiet();
  if (found.length > mostFiles) {
    tell(`The limit is ${mostFiles.toLocaleString('en')} files. Split the sheet.`);
    return;
  }
  const { sheets: all, media, others } = sort(found);
  const sheets = await withoutCopies(all, media).catch(() => all);
  const go = (sheet) => {
    const files = relativeTo(sheet, sheet === undefined ? media : [sheet, ...media]);
    const { dataset } = drop();
    const hasSheet = sheet !== undefined || 'hasSheet' in dataset;
    // An update may need no media but those of its campaign.
    if (files.length > 0) send(files, hasSheet && (media.length > 0 || 'into' in dataset), others);
    else tell(found.length === 0 ? 'No file arrived.' : `Neither sheet nor media: ${names(others)}.`);
  };
  if (sheets.length < 2) go(sheets[0]);
  else
    tell(
      'Which of these is the sheet?',
      sheets.slice(0, 8).map((sheet) => [`Use ${sheet.path}`, () => go(sheet)]),
    );
}

const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;

function names(files) {
  const shown = files.slice(0, 5).map(({ path }) => path);
  return files.length > shown.length
    ? `${shown.join(', ')} and ${files.length - shown.length} more`
    : shown.join(', ');
}

// 3.
/** @returns its page, and its address. */
async function createDraft() {
  const base = document.documentElement.dataset.base ?? '';
  const body = new URLSearchParams({ _csrf: proof(), into: drop()?.dataset.into ?? '' });
  const answer = await fetch(`${base}/campaigns/new`, { method: 'POST', body });
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  if (answer.status === 503) throw new Error('HTTP 503');
  if (answer.ok && answer.redirected && draftIn(new URL(answer.url).pathname))
    return { page, url: answer.url };
  throw new Refusal(
    page.querySelector('.empty')?.textContent || 'No draft could be made. Load the page again.',
  );
}

async function needDraft() {
  if (draftPath()) return;
  const { page, url } = await createDraft();
  history.pushState(null, '', url);
  document.title = page.title;
  const main = document.adoptNode(page.getElementById('main'));
  document.getElementById('main').replaceWith(main);
  window.htmx?.process(main);
}

/** The server said no: nothing is tried again. */
class Refusal extends Error {}

// 4.
/** What the draft has already, and need not be sent. */
async function filesThere(draft = draftPath()) {
  const answer = await fetch(`${draft}/uploads`, { headers: { 'x-csrf-token': proof() } });
  if (mayPass(answer.status)) throw new Error(`HTTP ${answer.status}`);
  if (!answer.ok) throw new Refusal(await answer.text());
  return new Set((await answer.json()).map(({ path, bytes, modifiedAt }) => keyOf(path, bytes, modifiedAt)));
}

const keyOf = (path, bytes, modifiedAt) => [path.normalize('NFC'), bytes, modifiedAt].join(' ');

function send(...batch) {
  left += 1;
  sending = sending.then(() => sendNow(...batch));
}

/** @param goesOn whether the check is shown when all have come. */
async function sendNow(files, goesOn, others) {
  try {
    await withPatience(needDraft);
    lookElsewhere(true);
    const there = await withPatience(filesThere);
    const queue = files.filter(({ file, path }) => !there.has(keyOf(path, file.size, file.lastModified)));
    const refused = [];
    // The page says how many have come: it learns only here how many there will be.
    const isMedium = (path) => !drop()?.dataset.sheets.split(',').includes(ending(path));
    const media = new Set(queue.map(({ path }) => path.normalize('NFC')).filter(isMedium));
    for (const key of there) {
      const path = key.split(' ').slice(0, -2).join(' ');
      if (isMedium(path)) media.add(path);
    }
    await Promise.all(Array.from({ length: atOnce }, () => work(queue, media.size, refused)));
    const skipped =
      others.length === 0 ? '' : ` Skipped, because they are neither sheet nor media: ${names(others)}.`;
    if (refused.length > 0)
      tell(`${refused.length} not accepted. ${refused.slice(0, 5).map(sentence).join(' ')}${skipped}`);
    else if (skipped !== '') tell(skipped.trim());
    else if (goesOn && left === 1) document.getElementById('files-done')?.requestSubmit();
    else document.querySelector('#files-done button')?.focus();
  } catch (error) {
    tell(error.message);
  } finally {
    left -= 1;
    if (left === 0) lookElsewhere(false);
  }
}

/** Opens the check in another tab while this page sends files. */
function lookElsewhere(isSending) {
  const button = document.querySelector('#files-done button');
  if (!button) return;
  if (isSending) button.formTarget = '_blank';
  else button.removeAttribute('formtarget');
}

async function work(queue, of, refused) {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    try {
      await upload({ ...next, of });
    } catch (error) {
      if (error.isFinal) {
        queue.length = 0;
        throw error;
      }
      refused.push(error.message);
    }
  }
}

/** @param of how many media the draft will have. */
async function upload({ file, path, of = 0 }, draft = draftPath()) {
  const { promise, resolve, reject } = Promise.withResolvers();
  const endpoint = `${draft}/uploads`;
  const sent = new tus.Upload(file, {
    endpoint,
    headers: { 'x-csrf-token': proof() },
    metadata: { path, modified: String(file.lastModified), of: String(of) },
    chunkSize: chunkBytes,
    retryDelays: Array(mostRetries).fill(againAfterMs),
    removeFingerprintOnSuccess: true,
    // Files of one name may be in two folders.
    fingerprint: async () => [endpoint, path, file.size, file.lastModified].join(' '),
    onShouldRetry({ originalResponse }) {
      if (!mayPass(originalResponse?.getStatus() ?? 0)) return false;
      tell(lostConnection);
      // A file that changed or vanished on this machine fails with the same error as a lost connection.
      void isReadable(file).then((isThere) => {
        if (isThere) return;
        sent.abort();
        reject(new Refusal(`${path} changed while it was sent, or is gone: drop it again`));
      });
      return true;
    },
    onChunkComplete: quietOfLoss,
    onSuccess: resolve,
    onError: ({ originalResponse, message }) => reject(refusalOf(path, originalResponse, message)),
  });
  const [earlier] = await sent.findPreviousUploads();
  if (earlier) sent.resumeFromPreviousUpload(earlier);
  sent.start();
  await promise;
  quietOfLoss();
}

function refusalOf(path, answer, message) {
  const status = answer?.getStatus();
  const refusal = new Refusal(answer?.getBody() || `${path} was not accepted (${status ?? message})`);
  refusal.isFinal = [401, 403, 507].includes(status);
  return refusal;
}

/** Whether an error may pass: no answer, another request still holds the upload, or Redis or the console does not answer. */
const mayPass = (status) => [0, 409, 423, 502, 503, 504].includes(status);

const isReadable = (file) =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );

const lostConnection =
  'The connection is lost. The upload resumes automatically; do not drop the files again.';

function quietOfLoss() {
  if (document.getElementById('upload-notes')?.textContent === lostConnection) quiet();
}

/** Retries until the connection is back. */
async function withPatience(act) {
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (error instanceof Refusal) throw error;
      tell(lostConnection);
      await new Promise((done) => {
        setTimeout(done, againAfterMs);
        window.addEventListener('online', done, { once: true });
      });
    }
  }
}

// 5.
document.addEventListener('change', async ({ target }) => {
  const { into, folder, bring } = target.dataset ?? {};
  const told = into && target.closest('label').nextElementSibling;
  if (!told) return;
  const files = [...target.files];
  target.value = '';
  try {
    const other = files.find(({ name }) => !target.accept.split(',').includes(ending(name)));
    if (other) throw new Refusal(`${other.name} is neither a video nor a picture`);
    // The files of a campaign come by a draft that has no sheet.
    const draft = bring ? draftIn(new URL((await createDraft()).url).pathname) : draftPath();
    const there = [...(await filesThere(draft))];
    const names = [];
    // The first file of a draft makes another version of it, and so does one in the place of another.
    let versions = there.length === 0 ? 1 : 0;
    for (const file of files) {
      const name = file.name.replaceAll('|', '_');
      // Another file of this name stays: other rows may name it.
      const isOther = (key) =>
        key.startsWith(`${name.normalize('NFC')} `) && key !== keyOf(name, file.size, file.lastModified);
      const path = there.some(isOther) ? `${folder}/${name}` : name;
      const isThere = there.includes(keyOf(path, file.size, file.lastModified));
      told.textContent = `Sending ${name}…`;
      if (!isThere) await upload({ file, path }, draft);
      if (!isThere && there.some((key) => key.startsWith(`${path.normalize('NFC')} `))) versions += 1;
      names.push(path);
    }
    if (bring) await bringTo(bring, draft);
    for (const version of document.querySelectorAll('[name=version]'))
      version.value = Number(version.value) + versions;
    const field = document.getElementById(into);
    field.value = names.join('|');
    field.dispatchEvent(new Event('input', { bubbles: true }));
    told.textContent = 'It has arrived: save the row.';
  } catch (error) {
    told.textContent = sentence(error.message);
  }
});

/** Puts the files of a draft into the folder of a campaign. */
async function bringTo(path, draft) {
  const body = new URLSearchParams({ _csrf: proof(), draft: draft.split('/').at(-1) });
  const answer = await fetch(path, { method: 'POST', body });
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  if (!answer.ok)
    throw new Refusal(page.querySelector('.empty')?.textContent || 'The campaign did not accept it.');
}

const isOfFiles = (event) => drop() && event.dataTransfer?.types.includes('Files');

/** Shows on the area that the page takes what is dragged over it. */
function seen(isOver) {
  drop()?.querySelector('.drop')?.classList.toggle('over', isOver);
}

document.addEventListener('dragover', (event) => {
  if (!isOfFiles(event)) return;
  event.preventDefault();
  seen(true);
});
document.addEventListener('dragleave', ({ relatedTarget }) => {
  if (!relatedTarget) seen(false);
});
document.addEventListener('drop', async (event) => {
  if (!isOfFiles(event)) return;
  event.preventDefault();
  seen(false);
  void take(await dropped(event.dataTransfer));
});
document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.type !== 'file' || !drop()?.contains(target)) return;
  const found = chosen(target);
  // Else the same file could not be chosen again.
  target.value = '';
  if (found.length > 0) void take(found);
});
