/** Where media comes from, judged by the text alone: path or URL, image or video. The file system is not looked at. */
import type { CellProblem } from './problem.ts';
import { hasControlsOrBreaks } from './scalars.ts';

export type MediaKind = 'VIDEO' | 'IMAGE';

/** By MIME type; the first extension is the one that a file without any gets. */
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

const kinds: ReadonlyMap<string, MediaKind> = new Map(
  [...extensions].flatMap(([type, names]) =>
    names.map((name) => [name, type.startsWith('video/') ? 'VIDEO' : 'IMAGE'] as const),
  ),
);

/** Whether media is fetched over the network; else it is a path under the media root. */
export function isUrl(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

/** The kind that the extension tells; `null` where there is none, or one that is not known. */
export function kindOf(source: string): MediaKind | null {
  const end = isUrl(source) ? endOfPath(source) : source.length;
  const dot = source.lastIndexOf('.', end - 1);
  if (dot < 0 || end - dot > 6) return null;
  return kinds.get(source.slice(dot + 1, end).toLowerCase()) ?? null;
}

function endOfPath(url: string): number {
  const end = url.search(/[?#]/);
  return end < 0 ? url.length : end;
}

export type SourceFault = Pick<CellProblem, 'code' | 'problem' | 'cure'>;

/** Host, port and path in visible ASCII, without user and password: what nearly every URL looks like. */
const plainUrl = /^https?:\/\/[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,4})?(?:[/?#][\x21-\x7e]*)?$/i;
/** A letter and a colon is a drive of Windows, not a scheme. */
const scheme = /^([a-z][a-z0-9+.-]+):/i;

/** What is wrong with the text of a path or an http(s) URL; `null` where nothing is. */
export function findSourceFault(source: string): SourceFault | null {
  if (hasControlsOrBreaks(source)) return /[\r\n]/.test(source) ? faults.lineBreak : faults.controls;
  if (isUrl(source)) return plainUrl.test(source) ? null : findUrlFault(source);
  const named = scheme.exec(source)?.[1]?.toLowerCase();
  if (named !== undefined) return named === 'data' ? faults.dataUrl : schemeFault(named);
  if (/^[a-z]:[\\/]/i.test(source) || source.startsWith('\\\\')) return faults.windowsPath;
  if (/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(source)) return faults.parentPath;
  return null;
}

/** What is wrong with an http(s) URL; `null` where nothing is. For fields where a path is not allowed. */
export function findUrlFault(text: string): SourceFault | null {
  if (!isUrl(text)) return faults.notUrl;
  if (/[\s\\]/.test(text) || hasControlsOrBreaks(text)) return faults.badUrl;
  const url = URL.parse(text);
  if (url === null) return faults.badUrl;
  return url.username !== '' || url.password !== '' ? faults.credentials : null;
}

function schemeFault(name: string): SourceFault {
  return {
    code: 'url_scheme',
    problem: `${name}: is not a scheme that media can be fetched by`,
    cure: 'Give an http or https URL, or a path relative to the media root.',
  };
}

const faults = {
  controls: {
    code: 'control_characters',
    problem: 'it holds a control character',
    cure: 'Type the path or URL anew.',
  },
  lineBreak: {
    code: 'control_characters',
    problem: 'it holds a line break',
    cure: 'Write it in one line; several files are separated by |, as in a.jpg|b.jpg.',
  },
  dataUrl: {
    code: 'url_scheme',
    problem: 'data URLs are not taken',
    cure: 'Save it as a file and give its path, or give an http or https URL.',
  },
  windowsPath: {
    code: 'absolute_path',
    problem: 'this is an absolute path of Windows',
    cure: 'Give the path relative to the media root, with / between the folders.',
  },
  parentPath: {
    code: 'path_outside_root',
    problem: 'the path climbs with .. and may leave the media root',
    cure: 'Give the path relative to the media root; --media-root moves the root.',
  },
  notUrl: {
    code: 'invalid_url',
    problem: 'this is not an http or https URL',
    cure: 'Give a URL that begins with https://.',
  },
  badUrl: {
    code: 'invalid_url',
    problem: 'this is not a well-formed URL',
    cure: 'Copy the URL anew; spaces are written as %20.',
  },
  credentials: {
    code: 'url_credentials',
    problem: 'the URL holds a user name or password',
    cure: 'Give a URL without them, such as a signed one.',
  },
} satisfies Record<string, SourceFault>;
