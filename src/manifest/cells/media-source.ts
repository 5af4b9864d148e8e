/** Judges the text of a media source: path or URL, photo or video, or several of them in one item of a list. Does not touch the file system. */
import type { MediaType } from '../../service/contract/posts.ts';
import { hasControlCharacters, uriOf } from '../../service/contract/uri.ts';
import { listSeparator } from '../columns.ts';
import { hint } from '../problems/hint.ts';
import { type Fault, showValue } from '../problems/problem.ts';
import { mostListItems } from '../sheet-bounds.ts';
import { hasControlsOrBreaks } from './scalars.ts';
import { findShareLink } from './share-links.ts';

/** Extensions by MIME type. A file without an extension gets the first one. */
export const extensions: ReadonlyMap<string, readonly string[]> = new Map([
  ['video/mp4', ['mp4']],
  ['video/x-m4v', ['m4v']],
  ['video/quicktime', ['mov', 'qt']],
  ['video/3gpp', ['3gp']],
  ['video/webm', ['webm']],
  ['video/x-matroska', ['mkv']],
  ['video/x-msvideo', ['avi']],
  ['video/mpeg', ['mpg', 'mpeg']],
  ['image/jpeg', ['jpg', 'jpeg', 'jfif']],
  ['image/png', ['png']],
  ['image/webp', ['webp']],
  ['image/gif', ['gif']],
  ['image/bmp', ['bmp']],
  ['image/heic', ['heic']],
  ['image/heif', ['heif']],
  ['image/avif', ['avif']],
]);

const kinds: ReadonlyMap<string, MediaType> = new Map(
  [...extensions].flatMap(([type, names]) =>
    names.map((name) => [name, type.startsWith('video/') ? 'VIDEO' : 'PHOTO'] as const),
  ),
);

/** Whether the source is a URL; else it is a path under the media root. */
export function isUrl(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

/** The media type by the extension; `null` if the extension is missing or unknown. */
export function kindOf(source: string): MediaType | null {
  const end = isUrl(source) ? endOfPath(source) : source.length;
  const dot = source.lastIndexOf('.', end - 1);
  if (dot < 0 || end - dot > 6) return null;
  return kinds.get(source.slice(dot + 1, end).toLowerCase()) ?? null;
}

/** Paths of the pictures that stand for a video: they lie beside it, and have its name. The first that is there counts. */
export function posterPathsOf(video: string): readonly string[] {
  const stem = video.replace(/\.\w{1,5}$/, '');
  return ['jpg', 'jpeg', 'png', 'webp'].map((extension) => `${stem}.${extension}`);
}

function endOfPath(url: string): number {
  const end = url.search(/[?#]/);
  return end < 0 ? url.length : end;
}

/** The usual form of URLs: host, port and path in visible ASCII, without user and password. */
const plainUrl = /^https?:\/\/[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,4})?(?:[/?#][\x21-\x7e]*)?$/i;
/** A letter and a colon is a drive of Windows, not a scheme. */
const scheme = /^([a-z][a-z0-9+.-]+):/i;

/** Finds what is wrong with the text of a path or an http(s) URL. */
export function findSourceFault(source: string): Fault | null {
  const exported = attachmentsIn(source);
  if (exported !== undefined) return attachmentFault(exported);
  const several = findSeparatorFault(source) ?? findWrapping(source);
  if (several !== null) return several;
  if (hasControlsOrBreaks(source)) return /[\r\n]/.test(source) ? faults.lineBreak : faults.controls;
  if (isUrl(source)) return (plainUrl.test(source) ? null : findUrlFault(source)) ?? findShareLink(source);
  const named = scheme.exec(source)?.[1]?.toLowerCase();
  if (named !== undefined) return named === 'data' ? faults.dataUrl : schemeFault(named);
  if (/^[a-z]:[\\/]/i.test(source) || source.startsWith('\\\\')) return faults.windowsPath;
  if (/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(source)) return faults.parentPath;
  return findShareLink(source);
}

/** Names of files that an export of Airtable has with their addresses: `a.mp4 (https://...)`; undefined for any other text. */
function attachmentsIn(text: string): readonly string[] | undefined {
  if (!text.endsWith(')') || !text.includes(' (http')) return undefined;
  const names = text
    .slice(0, -1)
    .split(/\)[,;]/)
    .map((part) => /^([^()]{1,300}) \(https?:\/\/[^\s()]+$/i.exec(part.trim())?.[1]);
  return names.every((name) => name !== undefined) ? names : undefined;
}

function attachmentFault(names: readonly string[]): Fault {
  const meant = names.join(listSeparator);
  return {
    code: 'attachment_export',
    problem:
      'this is a file name with an address, as Airtable exports attachments; the address works for some hours only',
    fix: `Download the file, add it, and write ${showValue(meant)}.`,
    meant,
  };
}

function findUrlFault(text: string): Fault | null {
  if (!isUrl(text)) return faults.notUrl;
  if (/[\s\\]/.test(text) || hasControlsOrBreaks(text)) return faults.badUrl;
  const url = URL.parse(text);
  if (url === null) return faults.badUrl;
  return url.username !== '' || url.password !== '' ? faults.credentials : null;
}

/** Finds what is wrong with a link that is only handed on: spaces and other letters are sent percent-encoded. */
export function findLinkFault(text: string): Fault | null {
  if (hasLaterLink(text)) return faults.severalLinks;
  if (hasControlCharacters(text)) return faults.controls;
  const link = uriOf(text);
  if (isUrl(link)) return findUrlFault(link);
  return /^[a-z][a-z0-9+.-]+:./i.test(link) ? null : faults.notLink;
}

function schemeFault(name: string): Fault {
  return {
    code: 'url_scheme',
    problem: `media cannot be fetched from ${name}: URLs`,
    fix: 'Use an http or https URL, or a path relative to the media folder.',
  };
}

const faults = {
  controls: {
    code: 'control_characters',
    problem: 'this contains a control character',
    fix: 'Type the path or URL again.',
  },
  lineBreak: {
    code: 'control_characters',
    problem: 'this contains a line break',
    fix: 'Write it on one line. Separate several files with |, as in a.jpg|b.jpg.',
  },
  dataUrl: {
    code: 'url_scheme',
    problem: 'data URLs are not supported',
    fix: 'Save it as a file and use its path, or use an http or https URL.',
  },
  windowsPath: {
    code: 'absolute_path',
    problem: 'this is an absolute Windows path',
    fix: 'Use a path relative to the media folder, with / between the folders.',
  },
  parentPath: {
    code: 'path_outside_root',
    problem: 'the path contains .. and may leave the media folder',
    fix: ['Use a path relative to the media folder.', hint('mediaRoot')],
  },
  severalLinks: {
    code: 'invalid_url',
    problem: 'the cell has more than one link',
    fix: 'Keep one.',
  },
  notLink: {
    code: 'invalid_url',
    problem: 'this is not a URL',
    fix: 'Copy the whole URL, as in https://shop.example/p/1.',
  },
  notUrl: {
    code: 'invalid_url',
    problem: 'this is not an http or https URL',
    fix: 'Use a URL that begins with https://.',
  },
  badUrl: {
    code: 'invalid_url',
    problem: 'this is not a valid URL',
    fix: 'Copy the URL again. Write a space as %20.',
  },
  credentials: {
    code: 'url_credentials',
    problem: 'the URL contains a user name or password',
    fix: 'Use a URL without them, such as a signed URL.',
  },
} satisfies Record<string, Fault>;

/** A link may hold another one: in its path, its query, or behind its scheme. */
const laterLink = /[^/=?#:]https?:\/\//i;
const linkStarts = /(?<![/=?#:])(?=https?:\/\/)/i;
const lineBreaks = /[\r\n]+/;
/** Behind an extension, signs and words between items, too, or only a space: `1.jpg / 2.jpg y 3.jpg`. */
const otherSeparators = /[\r\n,;，；、]|(?<=\.\w{3,4})\s{0,9}(?:[/+&]|(?<=\s)(?:(?:and|und|et|y|e|dan)\s)?)/i;
/** What other programs put between items, and around them. */
const betweenItems = ' \t\r\n\u00a0\u3000,;|，；、';

/** Whether a second link begins within the text, and not as a part of the first one. */
export function hasLaterLink(text: string): boolean {
  return laterLink.test(text);
}

/** Invisible characters and quotes around a path: a chat adds the former, `Copy as path` of Windows the latter. */
const wrapping = '"\u200b\u200e\u200f\u2060\ufeff';
/** Other quotes: names of files may begin or end with one of them. */
const quotePairs: ReadonlySet<string> = new Set(['“”', '„“', '„”', '«»', '‘’', "''"]);

function findWrapping(text: string): Fault | null {
  const plain = without(wrapping, text);
  const isQuoted = plain.length > 2 && quotePairs.has(plain.charAt(0) + plain.charAt(plain.length - 1));
  const meant = isQuoted ? plain.slice(1, -1) : plain;
  if (meant === text || meant === '') return null;
  const wrapped: Fault = {
    code: 'media_wrapped',
    problem: 'there are quotes or invisible characters around the path or URL',
    fix: `Write ${showValue(meant)}`,
    meant,
  };
  // Windows copies a whole path with quotes around it.
  return findSourceFault(meant) ?? wrapped;
}

/** Whether a text names several files: each part would be one by its extension. */
function namesFiles(text: string): boolean {
  if (!otherSeparators.test(text) || isUrl(text)) return false;
  const items = text.split(otherSeparators).map((item) => without(betweenItems, item));
  return items.filter((item) => item !== '').every((item) => kindOf(item) !== null);
}

/** The fault of an item that is several links or files, or has several lines; `null` for anything else. */
export function findSeparatorFault(text: string): Fault | null {
  const isOfLinks = hasLaterLink(text);
  const isOfFiles = !isOfLinks && namesFiles(text);
  if (!isOfLinks && !isOfFiles && !lineBreaks.test(text)) return null;
  const items = text
    .split(isOfLinks ? linkStarts : isOfFiles ? otherSeparators : lineBreaks)
    .map((item) => without(betweenItems, isOfFiles ? item.replaceAll('\\', '/') : item))
    .filter((item) => item !== '');
  if (items.length < 2) return null;
  const isClear = items.length <= mostListItems && items.every(isOfLinks ? isLink : isFile);
  return separatorFault(items, isOfLinks ? 'links' : 'files', isClear);
}

/** @param isClear whether the items are what is meant. */
export function separatorFault(items: readonly string[], kind: 'links' | 'files', isClear: boolean) {
  const meant = items.join(listSeparator);
  return {
    code: 'media_separator',
    problem: `the cell names ${items.length} ${kind}, but does not separate them with ${listSeparator}`,
    fix: `Write ${listSeparator} between them${isClear ? `: ${showValue(meant)}` : '.'}`,
    ...(isClear ? { meant } : {}),
  };
}

function isLink(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);
}

function isFile(text: string): boolean {
  return !text.includes(listSeparator) && !/\p{Cc}/u.test(text);
}

/** The text without such characters at its begin and end. */
function without(characters: string, text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && characters.includes(text.charAt(start))) start += 1;
  while (end > start && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
