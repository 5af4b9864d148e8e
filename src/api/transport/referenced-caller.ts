/**
 * Calls the operations that the contract mentions without their form (section 4.9). The settings give the form; without a
 * setting there is no call.
 */
import { Blob } from 'node:buffer';
import { FormData } from 'undici';
import type { OperationTemplate } from '../../../config/schema.ts';
import { writeJson } from '../contract/json.ts';
import type { ReferencedOperationId } from '../contract/operations.ts';
import { InvalidRequestError, NotConfiguredError } from '../errors.ts';
import type { CallOptions, SkippedEntries } from './caller.ts';
import { ReferencedAnswer } from './referenced-answer.ts';
import {
  fillBody,
  fillPath,
  fillQuery,
  MissingValueError,
  placeholdersOf,
  type TemplateValues,
} from './template.ts';
import type { Transport } from './transport.ts';

/** The settings of the operations; missing or null for one that is not configured. */
export type OperationTemplates = Readonly<Partial<Record<ReferencedOperationId, OperationTemplate | null>>>;

/** Replaces `{file}` in form data. */
export interface FormFile {
  readonly bytes: Buffer;
  readonly fileName: string;
  readonly contentType: string;
}

/** The placeholders that a template of each operation may use. */
const placeholders = {
  confirmUpload: ['fileId', 'fileName', 'contentType', 'size', 'hash', 'url'],
  uploadCover: ['fileId', 'accountId', 'creatorId', 'fileName', 'contentType', 'file'],
  searchMusic: ['keyword', 'pageSize', 'pageNumber'],
  listPosts: [
    'pageSize',
    'pageNumber',
    'postId',
    'creatorId',
    'title',
    'businessId',
    'status',
    'createdFrom',
  ],
} as const satisfies Record<ReferencedOperationId, readonly string[]>;

/** The pointer that each operation needs to be of use. */
const neededResults: Partial<Record<ReferencedOperationId, string>> = {
  uploadCover: 'coverUri',
  searchMusic: 'list',
  listPosts: 'list',
};

export class ReferencedCaller {
  readonly #transport: Transport;
  readonly #templates: OperationTemplates;
  readonly #skipped: (found: SkippedEntries) => void;

  /**
   * @param skipped is told of every page with entries that are of no use.
   * @throws {NotConfiguredError} when a template has an unknown placeholder, or lacks a needed pointer.
   */
  constructor(transport: Transport, templates: OperationTemplates, skipped: (found: SkippedEntries) => void) {
    this.#transport = transport;
    this.#skipped = skipped;
    this.#templates = templates;
    for (const operation of Object.keys(placeholders) as ReferencedOperationId[]) {
      const template = templates[operation];
      if (template) checkTemplate(operation, template);
    }
  }

  isConfigured(operation: ReferencedOperationId): boolean {
    return Boolean(this.#templates[operation]);
  }

  /** Whether the template of the operation has a placeholder. */
  asksFor(operation: ReferencedOperationId, placeholder: string): boolean {
    const template = this.#templates[operation];
    return template ? placeholdersOf(template).has(placeholder) : false;
  }

  /** Whether the template of the operation has a pointer of this name. */
  reads(operation: ReferencedOperationId, pointer: string): boolean {
    return this.#templates[operation]?.result[pointer] !== undefined;
  }

  /**
   * Fills the template of an operation and calls it.
   * @throws {NotConfiguredError} without a setting for it, and {ApiError} like any call.
   */
  async call(
    operation: ReferencedOperationId,
    values: TemplateValues,
    { signal, file }: CallOptions & { readonly file?: FormFile | undefined } = {},
  ): Promise<ReferencedAnswer> {
    const template = this.#templates[operation];
    if (!template) {
      const setting = `api.${operation}`;
      throw new NotConfiguredError(`${operation} is not configured: the setting ${setting} is missing.`, {
        operation,
        setting,
      });
    }
    const { path, query, body } = fill(operation, template, values, file);
    const { method } = template;
    const answer = await this.#transport.call({ operation, method, path, query, body, signal });
    return new ReferencedAnswer(operation, answer, template.result, this.#skipped);
  }
}

function checkTemplate(operation: ReferencedOperationId, template: OperationTemplate): void {
  const setting = `api.${operation}`;
  const known: readonly string[] = placeholders[operation];
  const asked = placeholdersOf(template);
  const unknown = [...asked].find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const names = known.map((each) => `{${each}}`).join(', ');
    const message = `${setting}: {${unknown}} is unknown; use ${names}.`;
    throw new NotConfiguredError(message, { operation, setting });
  }
  if (asked.has('file') && template.encoding !== 'multipart') {
    throw new NotConfiguredError(`${setting}: {file} needs the encoding multipart.`, { operation, setting });
  }
  const needed = neededResults[operation];
  if (needed !== undefined && template.result[needed] === undefined) {
    const pointer = `${setting}.result.${needed}`;
    const message = `${pointer} is missing: it must be a JSON pointer into the answer.`;
    throw new NotConfiguredError(message, { operation, setting: pointer });
  }
}

function fill(
  operation: ReferencedOperationId,
  template: OperationTemplate,
  values: TemplateValues,
  file: FormFile | undefined,
) {
  try {
    const multipart = template.encoding === 'multipart';
    return {
      path: fillPath(template.path, values),
      query: fillQuery(template.query, values),
      body:
        template.body === undefined
          ? undefined
          : multipart
            ? fillForm(template.body, values, file)
            : writeJson(fillBody(template.body, values)),
    };
  } catch (error) {
    if (!(error instanceof MissingValueError)) throw error;
    const field = error.placeholder;
    const message = `${operation} was not sent: its setting asks for ${field}, which is unknown here.`;
    throw new InvalidRequestError(message, { operation, field, cause: error });
  }
}

function fillForm(
  body: OperationTemplate['body'],
  values: TemplateValues,
  file: FormFile | undefined,
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body ?? {})) {
    if (value === '{file}') {
      if (!file) throw new MissingValueError('file');
      form.append(name, new Blob([file.bytes], { type: file.contentType }), file.fileName);
      continue;
    }
    const filled = fillBody(value, values);
    if (filled === undefined || filled === null) continue;
    form.append(name, typeof filled === 'object' ? writeJson(filled) : String(filled));
  }
  return form;
}
