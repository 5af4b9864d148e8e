/**
 * Reads the fields of forms and queries, and the sheet of a form, which is streamed to disk. Fields are counted before they are parsed:
 * to look up or remove fields takes time by the square of their number.
 */
import { join } from 'node:path';
import type { Request, RequestHandler, Response } from 'express';
import { expectSheet } from '../../app/campaigns/sheets-at-once.ts';
import type { Runtime } from '../../app/runtime/runtime.ts';
import type { PipeOptions } from '../../importers/open/piped-manifest.ts';
import { openUploadedSheet, type UploadedSheet } from '../../importers/open/uploaded-sheet.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { csrfField } from '../parts/form.ts';
import type { Route } from '../request.ts';
import { MultipartError, readField, readMultipart } from '../uploads/multipart.ts';
import { dropRest, readFormText, strangersShare } from './body.ts';
import type { Admitted } from './gate.ts';
import { HttpProblem } from './problem.ts';

/** Most fields of a query, and of a form whose route does not allow more. */
export const mostNames = 300;
/** Most fields that a route allows: a page of cells, and a row in a dialog. */
export const mostNamesOfAll = 3500;

/** Line breaks are line feeds, although browsers send CR and LF. @throws {HttpProblem} 413 if there are more fields than `most`. */
export function parseFields(text: string, most = mostNames): URLSearchParams {
  if (hasMoreNames(text, most)) throw tooMany(413, most);
  return new URLSearchParams(text.replaceAll(/%0D(?:%0A)?/gi, '%0A'));
}

/** Whether a form or query, as it was sent, has more fields than `most`. */
export function hasMoreNames(text: string, most: number): boolean {
  let names = 1;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    names += 1;
    if (names > most) return true;
  }
  return false;
}

/** A form without some of its fields, as it was sent. The others are not decoded. */
export function withoutFields(text: string, names: readonly string[]): string {
  return text
    .split('&')
    .filter((field) => !names.includes(field.split('=', 1)[0] ?? ''))
    .join('&');
}

/** Refuses requests whose query has too many fields, before anything parses it. */
export function boundQuery(): RequestHandler {
  return ({ originalUrl }, _response, next) => {
    const at = originalUrl.indexOf('?');
    const isTooLong = at >= 0 && hasMoreNames(originalUrl.slice(at + 1), mostNames);
    next(isTooLong ? tooMany(414, mostNames) : undefined);
  };
}

function tooMany(status: 413 | 414, most: number): Error {
  const code = status === 414 ? 'address_too_long' : 'form_too_long';
  return new HttpProblem(status, code, `there are more than ${most} fields`, { fix: 'Choose fewer.' });
}

export interface FormBody {
  readonly fields: URLSearchParams;
  readonly sheet?: UploadedSheet | undefined;
  /** Why the sheet was not taken. */
  readonly refused?: UseCaseError | undefined;
}

/** Longest form without a file, in bytes as sent, whose route does not allow more. */
const usualFormBytes = 256 * 1024;
/** Longest form with cells of a sheet, in bytes as sent: a Chinese character of a text takes nine. `sheet.js` sends less at once. */
export const cellFormBytes = 4 * 1024 * 1024;
const mostParts = 20;

/** @throws an error with a `status` of 4xx if the body is too long, has too many fields, or breaks off. */
export async function readForm(
  { method, mostNames, mostBytes = usualFormBytes }: Pick<Route, 'method' | 'mostNames' | 'mostBytes'>,
  request: Request,
): Promise<FormBody> {
  if (method !== 'post') return { fields: new URLSearchParams() };
  return { fields: parseFields(await readFormText(request, mostBytes), mostNames) };
}

/** Longest form of somebody who is not signed in that is shown again later, in bytes as it was sent. */
export const maxKeptBytes = 64 * 1024;

/** As sent: nothing in it is looked at. @returns an empty text for one that is too long to keep. @throws as `readBytes`, but not 413. */
export async function readStrangersForm(request: Request, response: Response): Promise<string> {
  try {
    return await readFormText(request, maxKeptBytes, { share: strangersShare, response });
  } catch (error) {
    if (error instanceof HttpProblem && error.status === 413) return '';
    throw error;
  }
}

/** Stores a sheet until it is disposed: in the data directory, because the temporary folder may be memory. @throws as `openUploadedSheet`. */
export function receiveSheet(
  runtime: Pick<Runtime, 'environment' | 'settings'> & Pick<PipeOptions, 'freeBytes'>,
  fileName: string,
  body: AsyncIterable<Uint8Array>,
): Promise<UploadedSheet> {
  return openUploadedSheet(runtime, fileName, body, {
    folder: join(runtime.environment.dataDir, 'sheets'),
    fix: "Ask an operator to free space on the console's disk, and to check that it may write to its data folder.",
    name: 'the sheet',
    freeBytes: runtime.freeBytes,
  });
}

/** Stores nothing before its first field, the CSRF token, is checked. @param longestField bytes; else empty. @throws `status` 4xx */
export async function readSheetForm(
  runtime: Runtime,
  { isOurs, person }: Pick<Admitted, 'isOurs' | 'person'>,
  request: Request,
  longestField?: number,
): Promise<FormBody> {
  const fields = new URLSearchParams();
  let sheet: UploadedSheet | undefined;
  try {
    let parts = 0;
    for await (const { name, fileName, body } of readMultipart(request.get('content-type') ?? '', request)) {
      parts += 1;
      if (parts > mostParts) throw new MultipartError('the form has too many fields');
      if (fileName === undefined) {
        const text = await readField(body, longestField);
        fields.append(name, text.replaceAll(/\r\n?/g, '\n'));
      }
      if (!isOurs(fields.get(csrfField) ?? '')) break;
      if (!fileName || sheet !== undefined) continue;
      using _place = expectSheet(person.name);
      const sent = await receiveSheet(runtime, fileName, body);
      if (sent.bytes > 0) sheet = sent;
      else await sent[Symbol.asyncDispose]();
    }
    return { fields, sheet };
  } catch (refused) {
    await sheet?.[Symbol.asyncDispose]();
    if (!(refused instanceof UseCaseError)) throw refused;
    // A form that breaks off says nothing of its sheet.
    if (refused.cause instanceof MultipartError) throw refused.cause;
    return { fields, refused };
  } finally {
    void dropRest(request);
  }
}
