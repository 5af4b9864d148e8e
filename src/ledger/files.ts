/** Files that the service has: found again by content, and by where they were read; and the leases of uploads under way. */
import type { Redis } from 'ioredis';
import type { RunScript, ScriptArgument } from '../redis/script.ts';
import type { LedgerKeys } from './keys.ts';
import { findRecords, placeOf, type RecordPlace } from './known.ts';

/** A file at the service. `url` is kept only for files that were uploaded as references. */
export interface FileRecord {
  readonly fileId: string;
  readonly url?: string | undefined;
}

/** What makes two uploads the same: bytes and declared type. */
export interface FileContent {
  /** SHA-256 of the hex text of the bytes, as the service is told. */
  readonly hash: string;
  readonly contentType: string;
}

export type UploadClaim =
  | { readonly kind: 'known'; readonly file: FileRecord }
  /** Upload it, and then call `record`. */
  | { readonly kind: 'yours' }
  /** Another job is uploading the same content. */
  | { readonly kind: 'taken' };

/** What the scripts need to claim an upload: key and field of its record, lease key, token, lease time. */
export type ClaimArguments = readonly [ScriptArgument, ScriptArgument, string, string, number];

/** For a step that uploads nothing. */
export const noClaim: ClaimArguments = ['', '', '', '', 0];

/** Reads what a script answered to a claim. */
export function readClaim(kind: string, record: string): UploadClaim {
  if (kind === 'known') return { kind, file: parseRecord(record) };
  return { kind: kind === 'yours' ? 'yours' : 'taken' };
}

/** An upload that keeps no sign of life for so long is given to the next who asks: no longer than a killed job waits for its successor. */
export const leaseMs = 10_000;

export class FileLedger {
  readonly #redis: Redis;
  readonly #keys: LedgerKeys;
  readonly #find: RunScript;
  readonly #claim: RunScript;
  readonly #record: RunScript;

  constructor(
    redis: Redis,
    keys: LedgerKeys,
    scripts: { readonly find: RunScript; readonly claim: RunScript; readonly record: RunScript },
  ) {
    this.#redis = redis;
    this.#keys = keys;
    this.#find = scripts.find;
    this.#claim = scripts.claim;
    this.#record = scripts.record;
  }

  /**
   * Looks up sources (a path with size and time of change) that were uploaded before, many at once.
   * @returns for each its file, or undefined.
   */
  async findBySource(
    account: string,
    sources: readonly string[],
  ): Promise<readonly (FileRecord | undefined)[]> {
    const places = sources.map((source) => this.#bySource(account, source));
    const records = await findRecords(this.#find, places);
    return records.map((record) => (record === undefined ? undefined : parseRecord(record)));
  }

  /** Asks for the right to upload a content. The same token may ask again. */
  async claim(account: string, content: FileContent, token: string): Promise<UploadClaim> {
    const [kind = '', record = ''] = (await this.#claim(this.claimOf(account, content, token))) as string[];
    return readClaim(kind, record);
  }

  /** The same question, to be asked at the start of a step. */
  claimOf(account: string, content: FileContent, token: string): ClaimArguments {
    const { key, field } = this.#byContent(account, content);
    return [key, field, this.#lease(account, content), token, leaseMs];
  }

  /** Prolongs a claim while its upload is under way. @returns false when the lease has passed to another. */
  async prolong(account: string, content: FileContent, token: string): Promise<boolean> {
    const lease = this.#lease(account, content);
    if ((await this.#redis.get(lease)) !== token) return false;
    return (await this.#redis.pexpire(lease, leaseMs)) === 1;
  }

  /** Ends a claim: with the file, which is known from now on; without one, when the upload came to nothing. */
  async record(
    account: string,
    content: FileContent,
    token: string,
    file: FileRecord | undefined,
    source: string | undefined,
  ): Promise<void> {
    const byContent = this.#byContent(account, content);
    const bySource = source === undefined ? undefined : this.#bySource(account, source);
    await this.#record([
      byContent.key,
      byContent.field,
      bySource?.key ?? '',
      bySource?.field ?? '',
      this.#lease(account, content),
      token,
      file ? formatRecord(file) : '',
    ]);
  }

  #byContent(account: string, content: FileContent): RecordPlace {
    return placeOf(this.#keys.account(account, 'files'), content.hash, content.contentType);
  }

  #bySource(account: string, source: string): RecordPlace {
    return placeOf(this.#keys.account(account, 'sources'), source);
  }

  #lease(account: string, content: FileContent): string {
    return this.#keys.account(account, `uploading:${content.hash}:${content.contentType}`);
  }
}

function formatRecord(file: FileRecord): string {
  return file.url === undefined ? file.fileId : `${file.fileId} ${file.url}`;
}

function parseRecord(text: string): FileRecord {
  const space = text.indexOf(' ');
  return space < 0 ? { fileId: text } : { fileId: text.slice(0, space), url: text.slice(space + 1) };
}
