/** Reads the fields of a form, and its sheet, which is streamed to disk. */
import type { Request, Response } from 'express';
import type { Runtime } from '../../runtime/runtime.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { readFormText, strangersShare } from '../body.ts';
import { dropRest } from '../drop-rest.ts';
import { parseFields } from '../fields.ts';
import { csrfField } from '../parts/form.ts';
import type { Route } from '../request.ts';
import { MultipartError, readField, readMultipart } from '../uploads/multipart.ts';
import { SentSheet } from '../uploads/sent-sheet.ts';

export interface FormBody {
  readonly fields: URLSearchParams;
  readonly sheet?: SentSheet | undefined;
  /** Why the sheet was not taken. */
  readonly refused?: UseCaseError | undefined;
}

/** Longest form without a file, in bytes: enough for a page of selected rows, or an edited row. */
const maxFormBytes = 256 * 1024;
/** Most fields of a form with a sheet. */
const mostParts = 20;

/** @throws an error with a `status` of 4xx if the body is too long, has too many fields, or breaks off. */
export async function readForm(
  { method, mostNames }: Pick<Route, 'method' | 'mostNames'>,
  request: Request,
): Promise<FormBody> {
  if (method !== 'post') return { fields: new URLSearchParams() };
  return { fields: parseFields(await readFormText(request, maxFormBytes), mostNames) };
}

/**
 * The form of somebody who is not signed in, or may not be: as it was sent, because nothing in it is looked at.
 * @throws as `readBytes`.
 */
export function readStrangersForm(request: Request, response: Response): Promise<string> {
  return readFormText(request, maxFormBytes, { share: strangersShare, response });
}

/**
 * Reads a form that may have a sheet. Stores nothing before the CSRF token, the first field, is checked.
 * @throws an error with a `status` of 4xx if the body is no form or breaks off.
 */
export async function readSheetForm(
  runtime: Runtime,
  isOurs: (proof: string) => boolean,
  request: Request,
): Promise<FormBody> {
  const fields = new URLSearchParams();
  let sheet: SentSheet | undefined;
  try {
    let parts = 0;
    for await (const { name, fileName, body } of readMultipart(request.get('content-type') ?? '', request)) {
      parts += 1;
      if (parts > mostParts) throw new MultipartError('the form has too many fields');
      if (fileName === undefined) fields.append(name, await readField(body));
      if (!isOurs(fields.get(csrfField) ?? '')) break;
      if (fileName && sheet === undefined) sheet = await SentSheet.receive(runtime, fileName, body, request);
    }
    return { fields, sheet };
  } catch (refused) {
    await sheet?.[Symbol.asyncDispose]();
    if (refused instanceof UseCaseError) return { fields, refused };
    throw refused;
  } finally {
    void dropRest(request);
  }
}
