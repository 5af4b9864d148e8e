/** The typed client of the service: one class per resource, over one transport. */
import { type ServiceCodes, serviceCodes } from './contract/codes.ts';
import { type ReferencedOperationId, referencedOperations } from './contract/operations.ts';
import { Creators, Showcase } from './creators.ts';
import { NotConfiguredError } from './errors.ts';
import { Covers, Files } from './files.ts';
import { Generations } from './generations.ts';
import { MusicLibrary, Posts, Videos } from './posts.ts';
import { Storage, type StorageOptions } from './storage.ts';
import { OperationCaller, type SkippedEntries } from './transport/caller.ts';
import { PageSizes, type SmallerPages } from './transport/paging.ts';
import { type OperationTemplates, ReferencedCaller } from './transport/referenced-caller.ts';
import { type ObservedCall, Transport } from './transport/transport.ts';

export interface ServiceClientOptions {
  /** `http(s)://host[:port][/prefix]`. */
  readonly baseUrl: string;
  /** Sent to the origin of `baseUrl` only. */
  readonly apiKey: string;
  /** Milliseconds from a call to the last byte of its answer; 30 seconds by default. */
  readonly timeoutMs?: number;
  /** The settings of the operations that the contract does not show; none by default. */
  readonly templates?: OperationTemplates;
  /** Entries that a page of a list is asked for, 1 or more; 100 by default. If the service refuses them, 50, 20 and 10 are tried. */
  readonly pageSize?: number;
  /** What codes of the envelope mean with HTTP 2xx; a list that is left out has the usual ones (`docs/settings.md`). */
  readonly codes?: Partial<ServiceCodes>;
  /** Unix epoch, milliseconds. */
  readonly now?: () => number;
  /** Largest answer that is read, in bytes; 4 MB by default. */
  readonly maxAnswerBytes?: number;
  /** Which addresses presigned URLs may lead to, beside the host of the service; all of them by default. */
  readonly storageConnector?: StorageOptions['connector'];
  /** On the way to the service and to its storage; none by default. */
  readonly proxies?: StorageOptions['proxies'];
  /** Called after every call to the service. */
  readonly observe?: ((call: ObservedCall) => void) | undefined;
  /** Called for every page with entries that lack what is needed of them: they are left out. */
  readonly skipped?: ((found: SkippedEntries) => void) | undefined;
  /** Called when the service refused the size of a page and accepts a smaller one, which is kept. */
  readonly smallerPages?: ((found: SmallerPages) => void) | undefined;
}

/** The typed client of the service. Dispose of it at the end (`await using`). */
export interface ServiceClient extends AsyncDisposable {
  readonly creators: Creators;
  readonly showcase: Showcase;
  readonly generations: Generations;
  readonly files: Files;
  readonly posts: Posts;
  readonly videos: Videos;
  readonly covers: Covers;
  readonly music: MusicLibrary;
  /** Which of the operations that the contract does not show have a setting. */
  readonly configured: Readonly<Record<ReferencedOperationId, boolean>>;
  close(): Promise<void>;
  /** Closes every connection at once. Calls in progress end without an answer: their outcome is unknown. */
  cutOff(): Promise<void>;
}

const defaultMaxAnswerBytes = 4 * 1024 * 1024;
const defaultTimeoutMs = 30_000;
const defaultPageSize = 100;

/** The first call connects. @throws {NotConfiguredError} for a template or codes that cannot be used, with the place in them. */
export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const { baseUrl, apiKey, timeoutMs = defaultTimeoutMs, templates = {}, storageConnector } = options;
  const { now = Date.now, observe, proxies, maxAnswerBytes = defaultMaxAnswerBytes } = options;
  const { skipped = () => undefined, smallerPages = () => undefined, pageSize = defaultPageSize } = options;
  const codes = checkCodes(options.codes);
  const calls = { timeoutMs, proxies };
  const transport = new Transport({ ...calls, baseUrl, apiKey, maxAnswerBytes, now, codes, observe });
  const storage = new Storage({ ...calls, serviceUrl: baseUrl, connector: storageConnector });
  const caller = new OperationCaller(transport, skipped);
  const sizes = new PageSizes(pageSize, smallerPages);
  const referenced = new ReferencedCaller(transport, templates, { skipped, sizes });

  async function close(): Promise<void> {
    await Promise.all([transport.close(), storage.close()]);
  }

  async function cutOff(): Promise<void> {
    await Promise.all([transport.cutOff(), storage.cutOff()]);
  }

  return {
    creators: new Creators(caller, sizes),
    showcase: new Showcase(caller, sizes),
    generations: new Generations(caller),
    files: new Files(caller, referenced, storage),
    posts: new Posts(caller, referenced),
    videos: new Videos(caller),
    covers: new Covers(referenced),
    music: new MusicLibrary(referenced),
    configured: Object.fromEntries(
      referencedOperations.map((operation) => [operation, referenced.isConfigured(operation)]),
    ) as ServiceClient['configured'],
    close,
    cutOff,
    [Symbol.asyncDispose]: close,
  };
}

function checkCodes(given: ServiceClientOptions['codes']): ServiceCodes {
  const { data, error } = serviceCodes.safeParse(given ?? {});
  if (data !== undefined) return data;
  const [issue] = error.issues;
  const setting = ['api.codes', ...(issue?.path ?? [])].join('.');
  const operation = 'createServiceClient';
  throw new NotConfiguredError(`${setting}: ${issue?.message}`, { operation, setting });
}
