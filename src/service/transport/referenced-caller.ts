/**
 * Calls the operations that the contract mentions without their form (section 4.9). The settings give the form; without a
 * setting there is no call. Fills the templates of their requests.
 */
import { Blob } from 'node:buffer';
import { FormData } from 'undici';
import { writeJson } from '../contract/json.ts';
import { type ReferencedOperationId, referencedOperations } from '../contract/operations.ts';
import {
  type OperationTemplate,
  operationTemplates,
  placeholder,
  placeholdersOf,
} from '../contract/templates.ts';
import { longestUrl } from '../contract/texts.ts';
import { InvalidRequestError, NotConfiguredError } from '../errors.ts';
import type { CallOptions, SkippedEntries } from './caller.ts';
import { type ListBound, numberedPages, type PageSizes, type PagingOptions, tokenPages } from './paging.ts';
import { ReferencedAnswer } from './referenced-answer.ts';
import type { ServiceCall, Transport } from './transport.ts';

/** The settings of the operations; missing or null for one that is not configured. */
export type OperationTemplates = Readonly<Partial<Record<ReferencedOperationId, OperationTemplate | null>>>;

/** Replaces `{file}` in form data. */
export interface FormFile {
  readonly bytes: Buffer;
  readonly fileName: string;
  readonly contentType: string;
}

interface ListOptions {
  /** Called for every page with unusable entries. */
  readonly skipped: (found: SkippedEntries) => void;
  readonly sizes: PageSizes;
}

export class ReferencedCaller {
  readonly #transport: Transport;
  readonly #templates: OperationTemplates;
  readonly #lists: ListOptions;

  /** @throws {NotConfiguredError} for a template that cannot be used. */
  constructor(transport: Transport, templates: OperationTemplates, lists: ListOptions) {
    this.#transport = transport;
    this.#lists = lists;
    const checked = referencedOperations.map((operation) => {
      const template = templates[operation];
      return [operation, template ? checkTemplate(operation, template) : null] as const;
    });
    this.#templates = Object.fromEntries(checked);
  }

  isConfigured(operation: ReferencedOperationId): boolean {
    return Boolean(this.#templates[operation]);
  }

  asksFor(operation: ReferencedOperationId, placeholder: string): boolean {
    const template = this.#templates[operation];
    return template ? placeholdersOf(template).has(placeholder) : false;
  }

  reads(operation: ReferencedOperationId, pointer: string): boolean {
    return this.#templates[operation]?.result[pointer] !== undefined;
  }

  /** @throws {NotConfiguredError} without a setting for it; {ApiError} */
  async call(
    operation: ReferencedOperationId,
    values: TemplateValues,
    { signal, file }: CallOptions & { readonly file?: FormFile | undefined } = {},
  ): Promise<ReferencedAnswer> {
    const template = this.#templates[operation];
    if (!template) {
      const setting = `api.${operation}`;
      throw new NotConfiguredError(`${operation} is not set up.`, { operation, setting });
    }
    const { method } = template;
    const filled = fill(operation, template, values, file);
    const answer = await this.#transport.call({ operation, method, ...filled, signal });
    return new ReferencedAnswer(operation, answer, template.result, this.#lists.skipped);
  }

  /**
   * The entries of a list: page by page if the template has `{pageToken}`, or `{pageNumber}` and the answer one of the counts, else
   * those of one call.
   * @param read returns undefined for an entry of no use.
   * @throws as `call`.
   */
  list<T>(
    operation: ReferencedOperationId,
    values: TemplateValues,
    read: (field: (name: string) => unknown) => T | undefined,
    options: PagingOptions & ListBound,
  ): AsyncGenerator<T> {
    const { sizes } = this.#lists;
    const paging = { ...options, sizes: this.asksFor(operation, 'pageSize') ? sizes : undefined };
    if (this.asksFor(operation, 'pageToken')) {
      return tokenPages(operation, sizes.usual, paging, async (pageToken, pageSize) => {
        const answer = await this.call(operation, { ...values, pageSize, pageToken }, options);
        return { ...answer.page(read), nextPageToken: answer.nextPageToken() };
      });
    }
    const isNumbered = this.asksFor(operation, 'pageNumber');
    return numberedPages(operation, sizes.usual, paging, async (pageNumber, pageSize) => {
      const answer = await this.call(operation, { ...values, pageSize, pageNumber }, options);
      const page = answer.page(read);
      return { ...page, isOnly: !isNumbered || !(page.totalPages || page.total) };
    });
  }
}

/** @throws {NotConfiguredError} that names the place in the template. */
function checkTemplate(operation: ReferencedOperationId, template: OperationTemplate): OperationTemplate {
  const { data, error } = operationTemplates[operation].safeParse(template);
  if (data !== undefined) return data;
  const [issue] = error.issues;
  const setting = ['api', operation, ...(issue?.path ?? [])].join('.');
  throw new NotConfiguredError(`${setting}: ${issue?.message}`, { operation, setting });
}

/** A caption, the longest text, has at most 8,000. */
const longestValue = longestUrl;

function fill(
  operation: ReferencedOperationId,
  template: OperationTemplate,
  values: TemplateValues,
  file: FormFile | undefined,
): Pick<ServiceCall, 'path' | 'query' | 'body'> {
  const long = Object.keys(values).find((name) => String(values[name]).length > longestValue);
  if (long !== undefined) {
    const message = `${operation} was not sent: ${long} has more than ${longestValue} characters.`;
    throw new InvalidRequestError(message, { operation, field: long });
  }
  try {
    return {
      path: fillPath(template.path, values),
      query: fillQuery(template.query, values),
      body: fillAnyBody(template, values, file),
    };
  } catch (error) {
    if (!(error instanceof MissingValueError)) throw error;
    const setting = `api.${operation}`;
    const message = `${operation} was not sent: ${setting} asks for ${error.placeholder}, which is unknown here.`;
    throw new NotConfiguredError(message, { operation, setting, cause: error });
  }
}

function fillAnyBody(
  { body, encoding }: OperationTemplate,
  values: TemplateValues,
  file: FormFile | undefined,
): ServiceCall['body'] {
  if (body === undefined) return undefined;
  if (encoding === 'json') return writeJson(fillBody(body, values));
  const form = encoding === 'multipart' ? new FormData() : new URLSearchParams();
  for (const [name, value] of Object.entries(Object(body) as Record<string, OperationTemplate['body']>)) {
    if (value === '{file}' && !(form instanceof URLSearchParams)) {
      if (!file) throw new MissingValueError('file');
      form.append(name, new Blob([file.bytes], { type: file.contentType }), file.fileName);
    } else for (const text of fillField(value, values)) form.append(name, text);
  }
  return form;
}

/** A `bigint` is an integer beyond 2^53. */
type TemplateScalar = string | number | bigint | boolean;
/** Values by the name of their placeholder. An undefined value leaves out its field. */
type TemplateValues = Readonly<Record<string, TemplateScalar | undefined>>;

type Body = OperationTemplate['body'];

const wholePlaceholder = /^\{([A-Za-z]\w*)(:string)?\}$/;

/** A placeholder in the middle of a text, or in the path, has no value. */
export class MissingValueError extends Error {
  override readonly name = 'MissingValueError';
  readonly placeholder: string;

  constructor(placeholder: string) {
    super(`there is no ${placeholder}`);
    this.placeholder = placeholder;
  }
}

/** @throws {MissingValueError} */
export function fillPath(path: string, values: TemplateValues): string {
  return path.replaceAll(placeholder, (_, name: string) =>
    encodeURIComponent(need(name, values).toWellFormed()),
  );
}

/** @throws {MissingValueError} for a placeholder within a longer text. */
export function fillQuery(query: OperationTemplate['query'], values: TemplateValues): URLSearchParams {
  const filled = new URLSearchParams();
  for (const [name, text] of Object.entries(query ?? {})) {
    const value = fillText(text, values);
    if (value !== undefined) filled.append(name, String(value));
  }
  return filled;
}

/** Fills a template for `writeJson`. A placeholder that is a whole string keeps its type: `"{fileId}"` an integer, `"{fileId:string}"` a text. @throws as `fillQuery`. */
export function fillBody(body: Body, values: TemplateValues): unknown {
  if (typeof body === 'string') return fillText(body, values);
  if (Array.isArray(body)) {
    return body.map((item) => fillBody(item, values)).filter((item) => item !== undefined);
  }
  if (typeof body !== 'object' || body === null) return body;
  const filled = Object.entries(body).map(([name, value]) => [name, fillBody(value, values)] as const);
  return Object.fromEntries(filled.filter(([, value]) => value !== undefined));
}

/** The values of a field of a form: a list repeats its field, an object is sent as JSON, and `null` is left out. */
function fillField(value: Body, values: TemplateValues): readonly string[] {
  return [fillBody(value, values)]
    .flat()
    .filter((item) => item !== undefined && item !== null)
    .map((item) => (typeof item === 'object' ? writeJson(item) : String(item)));
}

function fillText(text: string, values: TemplateValues): TemplateScalar | undefined {
  const [, whole, asText] = wholePlaceholder.exec(text) ?? [];
  if (whole !== undefined) {
    const value = values[whole];
    return asText !== undefined && value !== undefined ? String(value) : value;
  }
  return text.replaceAll(placeholder, (_, name: string) => need(name, values));
}

function need(name: string, values: TemplateValues): string {
  const value = values[name];
  if (value === undefined) throw new MissingValueError(name);
  return String(value);
}
