/** An operation of the REST API: its address, who may call it, its request and answer, and the use case behind it. */
import type { Writable } from 'node:stream';
import type { z } from 'zod';
import type { OpenManifest } from '../../campaigns/import/manifest-file.ts';
import type { Document } from '../../runtime/documents.ts';
import type { UseCaseErrorCode } from '../../runtime/use-case-error.ts';
import type { Person, Role } from '../request.ts';
import type { ConsoleTools } from '../tools.ts';

export interface ApiRequest<Query = unknown, Body = unknown> extends ConsoleTools {
  /** Aborted when the caller has left. */
  readonly left: AbortSignal;
  readonly person: Person;
  /** Digest of a request with an `Idempotency-Key`. The same request, sent again, has the same. */
  readonly origin: string | undefined;
  /** Parameters of the path, by name, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** The uploaded sheet, for operations that take one. */
  readonly sheet: OpenManifest;
}

/** A JSON document. */
export interface Reply<Body = unknown> {
  readonly body: Body;
  /** Default: the first of `statuses`. */
  readonly status?: number | undefined;
}

/** A file, streamed while it is written. */
export interface FileReply {
  readonly fileName: string;
  readonly contentType: string;
  readonly write: (to: Writable) => Promise<void>;
  /** Frees what it holds if it is not written. */
  readonly close?: () => Promise<void>;
}

type Method = 'get' | 'post' | 'put' | 'delete';
type Fields = Readonly<Record<string, z.ZodType>>;

/** Sections of the document. */
export const tags = {
  Campaigns: 'Imported sheets: their state, pause, cancellation, deletion.',
  Rows: 'Rows of a campaign, each of them a post.',
  Decisions: 'Rows in review: a person decides what became of a call.',
  Sheets: 'Sheets in and out: check, import, results.',
  Drafts: 'Sheets that will become campaigns: checked, mended in their own cells, started.',
  Videos: 'Published videos and their public figures, night by night.',
  Limits: 'Rate limits, queues and workers, for all campaigns.',
  Service: 'What the service knows: creators, products, music, publishing records; and the journal.',
  Access: 'Users, their tokens, and who changed what.',
} as const;

interface OperationFacts {
  readonly method: Method;
  /** Path below `/api/v1`, as OpenAPI writes it: `/campaigns/{id}`. */
  readonly path: string;
  readonly role: Role;
  readonly id: string;
  readonly tag: keyof typeof tags;
  /** Imperative, without a full stop. */
  readonly summary: string;
  readonly description?: string | undefined;
  /** Statuses of success; default 200. */
  readonly statuses?: readonly number[] | undefined;
  /** Whether its body is a sheet. */
  readonly takesSheet?: boolean | undefined;
  /** Whether it reads the whole sheet before it answers: then it waits for its turn. */
  readonly readsSheet?: boolean | undefined;
  /** Media types of the file that it answers. */
  readonly contentTypes?: readonly string[] | undefined;
  /** It starts something that must not be started twice, so it takes an `Idempotency-Key`. */
  readonly startsSomething?: boolean | undefined;
  /** Codes of its own problems, besides those of every operation. */
  readonly problems?: readonly (UseCaseErrorCode | 'sheet_refused')[] | undefined;
}

/** An operation with the types of its request and answer. */
interface TypedOperation<Query extends Fields, Body extends z.ZodType, Answer extends z.ZodType>
  extends OperationFacts {
  /** Parameters of the query, by name. */
  readonly query?: Query;
  /** JSON body. */
  readonly body?: Body;
  /** The document that it answers. */
  readonly answer: Answer;
  readonly handle: (
    request: ApiRequest<z.output<z.ZodObject<Query>>, z.output<Body>>,
  ) => Promise<Reply<Document<Answer>>>;
}

/** An operation in the table of all operations. */
export interface Operation extends OperationFacts {
  readonly query: Fields;
  readonly body: z.ZodType | undefined;
  /** Undefined: it answers a file. */
  readonly answer: z.ZodType | undefined;
  readonly handle: (request: ApiRequest) => Promise<Reply | FileReply>;
}

/** Defines an operation that answers a document. */
export function operation<Query extends Fields, Body extends z.ZodType, Answer extends z.ZodType>(
  typed: TypedOperation<Query, Body, Answer>,
): Operation {
  // The router parses query and body by these schemas before it calls.
  return { query: {}, body: undefined, ...typed } as unknown as Operation;
}

/** Defines an operation that answers a file. */
export function fileOperation<Query extends Fields>(
  typed: OperationFacts & {
    readonly contentTypes: readonly string[];
    readonly query: Query;
    readonly handle: (request: ApiRequest<z.output<z.ZodObject<Query>>>) => Promise<FileReply>;
  },
): Operation {
  return { body: undefined, answer: undefined, ...typed } as unknown as Operation;
}
