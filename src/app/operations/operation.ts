/** An operation: who may carry it out, its input and answer, what the audit says, and the use case behind it. */
import type { Writable } from 'node:stream';
import { z } from 'zod';
import type { OpenManifest } from '../../importers/open/manifest-file.ts';
import { UseCaseError, type UseCaseErrorCode } from '../../manifest/problems/use-case-error.ts';
import type { SheetFormat } from '../../sheets/write/format.ts';
import { recordChange } from '../access/audit.ts';
import type { Right } from '../access/roles.ts';
import type { Document } from '../runtime/documents.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Tools } from './tools.ts';

/** Who carries an operation out, and with what. */
export interface Context {
  readonly runtime: Runtime;
  readonly person: {
    readonly name: string;
    /** Whether the console is open (on loopback, without users). */
    readonly isAnybody: boolean;
  };
  /** Source in the audit: the address or terminal, and the request or command, without secrets. */
  readonly source: { readonly from: string; readonly by: string };
  /** Aborted when the caller has left. */
  readonly left: AbortSignal;
  /** Digest of a request with an `Idempotency-Key`. The same request, sent again, has the same. */
  readonly origin?: string | undefined;
  /** Only for operations that take one. */
  readonly sheet?: OpenManifest | undefined;
}

/** The context of operations that need the readers of a long-lived process. */
export interface FullContext extends Context, Tools {}

/** The document of a request that changed nothing: the audit has nothing of it. */
export class Unchanged<Body = unknown> {
  readonly body: Body;

  constructor(body: Body) {
    this.body = body;
  }
}

export function ifChanged<Body>(isChanged: boolean, body: Body): Body | Unchanged<Body> {
  return isChanged ? body : new Unchanged(body);
}

/** The document of what a request would have made, but which exists already: it has the second status of its operation. */
export class Existing<Body = unknown> extends Unchanged<Body> {}

/** A file, streamed while it is written. */
export interface FileReply {
  readonly fileName: string;
  readonly contentType: string;
  readonly write: (to: Writable) => Promise<void>;
  /** Frees what it holds if it is not written. */
  readonly close?: () => Promise<void>;
}

/** What names a download after today, in the zone of the settings. */
export function namedNow({ settings, now }: Pick<Runtime, 'settings' | 'now'>, format: SheetFormat) {
  return { format, now: now(), zone: settings.timezone ?? 'UTC' };
}

type Fields = Readonly<Record<string, z.ZodType>>;
export type Answers = z.ZodType | readonly string[];

/** Names in braces: `id` and `key` of `/campaigns/{id}/rows/{key}`. */
type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** Parameters of the path, the query and the body, together. */
type InputOf<Path extends string, Query extends Fields, Body extends z.ZodType> = Readonly<
  Record<NamesIn<Path>, string>
> &
  ReadQuery<Query> &
  z.output<Body>;

/** The type of an empty object would allow no other fields beside it. */
type ReadQuery<Query extends Fields> = keyof Query extends never ? unknown : z.output<z.ZodObject<Query>>;

/** Names of fields that may be left out, because they have a default or need none. */
type Optional<Schema extends z.ZodType> = {
  [Name in keyof z.input<Schema>]: undefined extends z.input<Schema>[Name] ? Name : never;
}[keyof z.input<Schema>];

/** What a schema makes, but for the fields that it takes as optional; for each type of a union by itself. */
type Loose<Fields, Names> = Fields extends unknown
  ? Omit<Fields, Extract<keyof Fields, Names>> & {
      readonly [Name in Extract<keyof Fields, Names>]?: Fields[Name] | undefined;
    }
  : never;

/** Input as programs give it: what has a default may be left out. */
type GivenOf<Path extends string, Query extends Fields, Body extends z.ZodType> = Readonly<
  Record<NamesIn<Path>, string>
> &
  Loose<ReadQuery<Query>, Optional<z.ZodObject<Query>>> &
  Loose<z.output<Body>, Optional<Body>>;

export type DocumentOf<Answer extends Answers> = Answer extends z.ZodType ? Document<Answer> : FileReply;

interface Entry<Input, Query, Body, Answer extends Answers, In> {
  /** Imperative, without a full stop. */
  readonly summary: string;
  readonly description?: string;
  /** Statuses of success; default 200. */
  readonly statuses?: readonly number[];
  readonly takesSheet?: boolean;
  /** Whether it reads the whole sheet before it answers: then it waits for its turn. */
  readonly readsSheet?: boolean;
  /** Whether it starts something that must not be started twice, so that it takes an `Idempotency-Key`. */
  readonly startsSomething?: boolean;
  /** Codes of its own problems, besides those of every operation and those of what its path names. */
  readonly problems?: readonly UseCaseErrorCode[];
  readonly query?: Query;
  /** JSON body. */
  readonly body?: Body;
  /** The document that it answers; or the media types of the file. */
  readonly answer: Answer;
  handle(
    context: In & { readonly sheet: OpenManifest },
    input: Input,
  ): Promise<DocumentOf<Answer> | (Answer extends z.ZodType ? Unchanged<DocumentOf<Answer>> : never)>;
  /** The audit's sentence about a change, without secrets; undefined if nothing was changed. */
  audit?(input: Input, answer: DocumentOf<Answer>): string | undefined;
}

export interface Operation<Input = never, Answer extends Answers = Answers, In = FullContext, Given = unknown>
  extends Entry<Input, Fields, z.ZodType, Answer, In> {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** Path below `/api/v1`, as OpenAPI writes it: `/campaigns/{id}`. */
  readonly path: string;
  readonly right: Right;
  readonly tag: string;
  readonly query: Fields;
  /** Only for the compiler. */
  readonly given?: Given;
}

export function isFile(answer: Answers): answer is readonly string[] {
  return Array.isArray(answer);
}

/** Defines operations of a section of the document, by the right that they need. */
function section<In = Context>(tag: keyof typeof tags) {
  const by =
    (right: Right) =>
    <
      Path extends string,
      const Answer extends Answers,
      Query extends Fields = Record<never, never>,
      Body extends z.ZodType = z.ZodUnknown,
    >(
      address: `${'GET' | 'POST' | 'PUT' | 'DELETE'} ${Path}`,
      entry: Entry<InputOf<Path, Query, Body>, Query, Body, Answer, In>,
    ) => {
      const [method = '', path] = address.split(' ');
      const known = { method: method.toLowerCase(), path, right, tag, query: {} };
      return { ...known, ...entry } as unknown as Operation<
        InputOf<Path, Query, Body>,
        Answer,
        In,
        GivenOf<Path, Query, Body>
      >;
    };
  return {
    see: by('see'),
    comment: by('comment'),
    edit: by('edit'),
    approve: by('approve'),
    run: by('run'),
    manage: by('manage'),
  };
}

export const tags = {
  Campaigns: 'Imported sheets: their state, pause, cancellation, deletion.',
  Rows: 'Rows of a campaign, each of them a post.',
  Decisions: 'Rows in review: a person decides whether the post or generation exists.',
  Approvals: 'Posts that wait for the approval of a person before they are handed to the service.',
  Sheets: 'Sheets in and out: check, import, results.',
  Drafts: 'Sheets that will become campaigns: check them, fix problems in place, start them.',
  Videos: 'Published videos and their public figures, night by night.',
  Limits: 'Rate limits, queues and workers, for all campaigns.',
  Service: 'What the service knows: creators, products, music, publishing records; and the send log.',
  Access: 'Users, their tokens, and who changed what.',
} as const;

export const campaigns = section('Campaigns');
export const progress = section<FullContext>('Campaigns');
export const rows = section('Rows');
export const decisions = section('Decisions');
export const approvals = section('Approvals');
export const sheets = section('Sheets');
export const drafts = section<FullContext>('Drafts');
export const videos = section('Videos');
export const figures = section<FullContext>('Videos');
export const limits = section('Limits');
export const service = section('Service');
export const access = section('Access');

/** Carries an operation out, and records its change in the audit. @returns as its `handle`. @param input as its schemas have read it. */
export async function carryOut(operation: Operation, context: Context, input: object): Promise<unknown> {
  const reply = await operation.handle(context as Parameters<Operation['handle']>[0], input as never);
  if (!(reply instanceof Unchanged)) {
    await recordOperation(operation, context, input as never, reply as never);
  }
  return reply;
}

const longestText = 300;

/** Records in the audit what an operation has changed; nothing of a dry run. */
async function recordOperation<Input, Answer extends Answers, In>(
  { audit }: Operation<Input, Answer, In>,
  { runtime, person, source }: Context,
  input: Input,
  answer: DocumentOf<Answer>,
): Promise<void> {
  const isDry = (input as { readonly dryRun?: unknown }).dryRun === true;
  const what = isDry ? undefined : audit?.(input, answer);
  if (!what) return;
  const text = what.length > longestText ? `${what.slice(0, longestText)}...` : what;
  await recordChange(runtime, { who: person.name, what: text, ...source });
}

/** Carries operations out in somebody's name. */
export interface Actor<In extends Context> {
  carryOut<Answer extends Answers, Given>(
    operation: Operation<never, Answer, In, Given>,
    given: Given,
  ): Promise<DocumentOf<Answer>>;
  /** Records in the audit a change that is that of an operation, but was made by its use case. Fields that the audit does not name may be missing. */
  record<Answer extends Answers, Given>(
    operation: Operation<never, Answer, In, Given>,
    given: Partial<Given>,
    answer: Partial<DocumentOf<Answer>>,
  ): Promise<void>;
}

export function actorOf<In extends Context>(context: In): Actor<In> {
  return {
    carryOut: (operation, given) => callOperation(operation, context, given),
    record: (operation, given, answer) =>
      recordOperation(operation, context, given as never, answer as never),
  };
}

/** As `carryOut`, with fields as a program gives them. @throws {UseCaseError} `request_invalid`. */
export async function callOperation<Input, Answer extends Answers, In extends Context, Given>(
  operation: Operation<Input, Answer, In, Given>,
  context: In,
  given: Given,
): Promise<DocumentOf<Answer>> {
  const plain = operation as unknown as Operation;
  if (plain.takesSheet && !context.sheet) throw new UseCaseError('request_invalid', 'the sheet is missing');
  const reply = await carryOut(plain, context, readInput(plain, given as object));
  return (reply instanceof Unchanged ? reply.body : reply) as DocumentOf<Answer>;
}

function readInput({ path, query, body }: Operation, given: object): Record<string, unknown> {
  const entries = Object.entries(given);
  const isInPath = ([name]: [string, unknown]) => path.includes(`{${name}}`);
  const isInQuery = ([name]: [string, unknown]) => Object.hasOwn(query, name);
  const rest = entries.filter((entry) => !isInPath(entry) && !isInQuery(entry));
  const parts = [
    Object.fromEntries(entries.filter(isInPath)),
    check(z.strictObject(query), entries.filter(isInQuery).map(asInAddress)),
    check(body ?? z.strictObject({}), rest),
  ];
  return Object.assign({}, ...parts);
}

/** The schemas of a query read texts. */
function asInAddress([name, value]: readonly [string, unknown]): readonly [string, unknown] {
  return [name, typeof value === 'boolean' || typeof value === 'number' ? String(value) : value];
}

function check(schema: z.ZodType, entries: readonly (readonly [string, unknown])[]): object {
  const { data, error } = schema.safeParse(Object.fromEntries(entries));
  if (!error) return data as object;
  const [issue] = error.issues;
  throw new UseCaseError('request_invalid', `${issue?.path.join('.')}: ${issue?.message.slice(0, 300)}`);
}
