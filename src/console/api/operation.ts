/** An operation of the REST API: its address, who may call it, its request and answer, and the use case behind it. */
import type { Writable } from 'node:stream';
import type { z } from 'zod';
import type { OpenManifest } from '../../campaigns/import/manifest-file.ts';
import type { Document } from '../../runtime/documents.ts';
import type { UseCaseErrorCode } from '../../runtime/use-case-error.ts';
import type { SheetFormat } from '../../sheets/write/format.ts';
import type { Person, Role } from '../request.ts';
import type { ConsoleTools } from '../tools.ts';

export interface ApiRequest<Query = unknown, Body = unknown, Params = Readonly<Record<string, string>>>
  extends ConsoleTools {
  /** Aborted when the caller has left. */
  readonly left: AbortSignal;
  readonly person: Person;
  /** Digest of a request with an `Idempotency-Key`. The same request, sent again, has the same. */
  readonly origin: string | undefined;
  /** Parameters of the path, by name, decoded. */
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The uploaded sheet, for operations that take one. */
  readonly sheet: OpenManifest;
}

/** The document of what a request would have made, but which exists already: it has the second status of its operation. */
export class Existing<Body = unknown> {
  readonly body: Body;

  constructor(body: Body) {
    this.body = body;
  }
}

/** A file, streamed while it is written. */
export interface FileReply {
  readonly fileName: string;
  readonly contentType: string;
  readonly write: (to: Writable) => Promise<void>;
  /** Frees what it holds if it is not written. */
  readonly close?: () => Promise<void>;
}

/** What names a download after today, in the zone of the settings. */
export function namedNow(
  { settings, now }: Pick<ConsoleTools['runtime'], 'settings' | 'now'>,
  format: SheetFormat,
) {
  return { format, now: now(), zone: settings.timezone ?? 'UTC' };
}

type Fields = Readonly<Record<string, z.ZodType>>;

interface OperationFacts {
  /** Imperative, without a full stop. Begins the audit's text about a change. */
  readonly summary: string;
  readonly description?: string | undefined;
  /** Statuses of success; default 200. */
  readonly statuses?: readonly number[] | undefined;
  /** Whether its body is a sheet. */
  readonly takesSheet?: boolean | undefined;
  /** Whether it reads the whole sheet before it answers: then it waits for its turn. */
  readonly readsSheet?: boolean | undefined;
  /** It starts something that must not be started twice, so it takes an `Idempotency-Key`. */
  readonly startsSomething?: boolean | undefined;
  /** Codes of its own problems, besides those of every operation and those of what its path names. */
  readonly problems?: readonly (UseCaseErrorCode | 'sheet_refused')[] | undefined;
}

/** Names in braces: `id` and `key` of `/campaigns/{id}/rows/{key}`. */
type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** An operation with the types of its request and answer. */
interface TypedOperation<
  Path extends string,
  Query extends Fields,
  Body extends z.ZodType,
  Answer extends z.ZodType | readonly string[],
> extends OperationFacts {
  /** Parameters of the query, by name. */
  readonly query?: Query;
  /** JSON body. */
  readonly body?: Body;
  /** The document that it answers; or the media types of the file. */
  readonly answer: Answer;
  readonly handle: (
    request: ApiRequest<
      z.output<z.ZodObject<Query>>,
      z.output<Body>,
      Readonly<Record<NamesIn<Path>, string>>
    >,
  ) => Promise<Answer extends z.ZodType ? Document<Answer> | Existing<Document<Answer>> : FileReply>;
}

/** An operation in the table of all operations. */
export interface Operation extends OperationFacts {
  readonly id: string;
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** Path below `/api/v1`, as OpenAPI writes it: `/campaigns/{id}`. */
  readonly path: string;
  readonly role: Role;
  readonly tag: string;
  readonly query: Fields;
  readonly body: z.ZodType | undefined;
  readonly answer: z.ZodType | readonly string[];
  /** Answers a document or a file, as `answer` says. */
  readonly handle: (request: ApiRequest) => Promise<unknown>;
}

export function isFile(answer: Operation['answer']): answer is readonly string[] {
  return Array.isArray(answer);
}

/** Defines operations of a section of the document: for viewers, or for operators only. */
function section(tag: string) {
  const by =
    (role: Role) =>
    <
      Path extends string,
      Query extends Fields,
      Body extends z.ZodType,
      const Answer extends z.ZodType | readonly string[],
    >(
      address: `${'GET' | 'POST' | 'PUT' | 'DELETE'} ${Path}`,
      id: string,
      typed: TypedOperation<Path, Query, Body, Answer>,
    ): Operation => {
      const [method = '', path] = address.split(' ');
      // The router parses query and body by these schemas before it calls.
      const known = { id, method: method.toLowerCase(), path, role, tag, query: {}, body: undefined };
      return { ...known, ...typed } as unknown as Operation;
    };
  return { viewer: by('viewer'), operator: by('operator') };
}

/** Sections of the document. */
export const tags = {
  Campaigns: 'Imported sheets: their state, pause, cancellation, deletion.',
  Rows: 'Rows of a campaign, each of them a post.',
  Decisions: 'Rows in review: a person decides whether the post or generation exists.',
  Sheets: 'Sheets in and out: check, import, results.',
  Drafts: 'Sheets that will become campaigns: check them, fix problems in place, start them.',
  Videos: 'Published videos and their public figures, night by night.',
  Limits: 'Rate limits, queues and workers, for all campaigns.',
  Service: 'What the service knows: creators, products, music, publishing records; and the send log.',
  Access: 'Users, their tokens, and who changed what.',
} as const;

export const campaigns = section('Campaigns');
export const rows = section('Rows');
export const decisions = section('Decisions');
export const sheets = section('Sheets');
export const drafts = section('Drafts');
export const videos = section('Videos');
export const limits = section('Limits');
export const service = section('Service');
export const access = section('Access');
