/** Opens a sheet at an http or https address. It is fetched like media: private addresses are refused, also after redirects. */
import { extname, join, resolve } from 'node:path';
import type { OpenManifest } from '../../../importers/open/manifest-file.ts';
import { sheetTooLarge } from '../../../importers/open/piped-manifest.ts';
import { asFileName } from '../../../manifest/campaign-options.ts';
import { isUrl } from '../../../manifest/cells/media-source.ts';
import { UseCaseError } from '../../../manifest/problems/use-case-error.ts';
import { Proxies } from '../../../platform/net/proxy.ts';
import { AddressPolicy } from '../../../service/media/addresses.ts';
import { nameFromUrl } from '../../../service/media/content-type.ts';
import { Downloader } from '../../../service/media/download.ts';
import { MediaError } from '../../../service/media/errors.ts';
import { openSpool } from '../../../service/media/spool.ts';
import type { Runtime } from '../../runtime/runtime.ts';

/** In UTF-16 units. */
export const longestAddress = 2000;

const patience = { totalMs: 120_000, windowMs: 30_000, windowBytes: 256 };
/** Of fetches that other processes make at the same time. */
const spoolOfMany = 4;

/** A sheet that was fetched. Dispose of it at the end (`await using`). */
export interface FetchedSheet extends OpenManifest {
  readonly address: string;
  /** Name of the file, with an extension. */
  readonly fileName: string;
}

/** Whether the argument of a command is an address, and not a file. */
export function isSheetAddress(text: string): boolean {
  return isUrl(text);
}

/** Its media are below the current folder, as those of a pipe. @throws {UseCaseError} `manifest_unreadable`. */
export async function fetchSheet(
  { environment, settings }: Pick<Runtime, 'environment' | 'settings'>,
  given: string,
): Promise<FetchedSheet> {
  const address = given.trim();
  if (address.length > longestAddress || !isSheetAddress(address))
    throw unreadable('this is not an https address');
  const { maxBytes } = settings.manifest;
  const addresses = new AddressPolicy(settings.media.allowPrivateAddresses, new Proxies(environment.proxies));
  await using cleanup = new AsyncDisposableStack();
  try {
    const directory = join(environment.dataDir, 'incoming-sheets');
    const spool = await openSpool({ directory, quotaBytes: spoolOfMany * maxBytes });
    const downloader = cleanup.use(new Downloader({ spool, addresses, maxBytes, patience }));
    const { file, url, start, ...fetched } = await downloader.fetch(exportOf(address));
    cleanup.defer(() => fetched[Symbol.asyncDispose]());
    const fileName = fileNameOf(url, start);
    const owned = cleanup.move();
    return {
      address,
      fileName,
      file: address,
      path: file.path,
      name: fileName.slice(0, -extname(fileName).length),
      folder: resolve('.'),
      [Symbol.asyncDispose]: () => owned.disposeAsync(),
    };
  } catch (error) {
    throw error instanceof MediaError ? describe(error, address, maxBytes) : error;
  }
}

const googleSheet =
  /^https:\/\/docs\.google\.com\/spreadsheets\/(?:u\/\d\/)?d\/(e\/)?([A-Za-z0-9_-]{10,200})(?=[/?#]|$)/;

/**
 * The file behind a link that shares a Google Sheet: the worksheet that the link opens, or the workbook; any other address as it is.
 * The usual link of a sheet with one worksheet names that one (`gid=0`): it stays a workbook, which tells more than its CSV.
 */
export function exportOf(address: string): string {
  const [base, published, id] = googleSheet.exec(address) ?? [];
  if (base === undefined || /\/(?:export|pub)\?/.test(address)) return address;
  const worksheet = /[?#&]gid=([1-9]\d{0,15})(?:&|#|$)/.exec(address)?.[1];
  const format = worksheet === undefined ? 'xlsx' : 'csv';
  const of = worksheet === undefined ? '' : `&gid=${worksheet}`;
  return published === undefined
    ? `https://docs.google.com/spreadsheets/d/${id}/export?format=${format}${of}`
    : `https://docs.google.com/spreadsheets/d/e/${id}/pub?output=${format}${of}`;
}

/** Sheets are told apart by their bytes; the extension is for people. */
function fileNameOf(url: URL, start: Buffer): string {
  const named = asFileName(nameFromUrl(url).replaceAll(':', '-'));
  if (/^[^.].*\.(?:csv|tsv|txt|xlsx|json|jsonl)$/i.test(named)) return named;
  const first = start.toString('latin1').trimStart();
  const ending = first.startsWith('PK') ? 'xlsx' : /^[[{]/.test(first) ? 'json' : 'csv';
  const isOfGoogle = url.hostname.endsWith('.google.com') || url.hostname.endsWith('.googleusercontent.com');
  return `${isOfGoogle || named === '' ? 'sheet' : named}.${ending}`;
}

const tryAgain = 'Check the address and try again, or download the sheet and use the file.';

function describe(error: MediaError, address: string, maxBytes: number): UseCaseError {
  if (error.code === 'media_too_large') return sheetTooLarge('the sheet', maxBytes);
  const share = 'Share the sheet so that anyone with the link can view it, or download it and use the file.';
  if (error.code === 'media_web_page')
    return unreadable(
      'the address leads to a web page, not to a sheet: it may ask people to sign in',
      share,
      error,
    );
  if (error.code === 'media_url_expired')
    return unreadable('the sheet is not public, or no longer at this address', share, error);
  const said = error.message.replace(address, 'The address').replace(/^The URL/, 'The address');
  const fix = error.code === 'media_address_refused' ? error.fix : tryAgain;
  return unreadable(`the sheet cannot be fetched. ${said}`, fix, error);
}

function unreadable(
  problem: string,
  fix: MediaError['fix'] = 'Check the address.',
  cause?: unknown,
): UseCaseError {
  return new UseCaseError('manifest_unreadable', problem, { fix, cause });
}
