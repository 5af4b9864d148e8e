/** Files at the service, found by content or by source, and the leases of uploads under way. */
import { batched, type RunScript, type ScriptArgument } from '../../platform/redis/script.ts';
import type { LedgerContext } from '../ledger-part.ts';
import { KnownRecords, placeOf, type RecordPlace } from './known-records.ts';

/** A file at the service. `url` is stored only for references, and for covers that are registered by their URL. */
export interface FileRecord {
  readonly fileId: string;
  readonly url?: string | undefined;
}

/** Uploads are the same if their bytes and declared types are. */
export interface FileContent {
  /** SHA-256 of the hex text of the bytes, as sent to the service. */
  readonly hash: string;
  readonly contentType: string;
}

export type UploadClaim =
  | { readonly kind: 'known'; readonly file: FileRecord }
  /** Upload it, and then call `record`. */
  | { readonly kind: 'yours' }
  /** Another job is uploading the same content. */
  | { readonly kind: 'taken' };

/** Script arguments that claim an upload: key and field of its record, lease key, token, lease time (ms). */
export type ClaimArguments = readonly [ScriptArgument, ScriptArgument, string, string, number];

/** The arguments of a step that uploads nothing. */
export const noClaim: ClaimArguments = ['', '', '', '', 0];

export function readClaim(kind: string, record: string): UploadClaim {
  if (kind === 'known') return { kind, file: parseRecord(record) };
  return { kind: kind === 'yours' ? 'yours' : 'taken' };
}

/** An upload whose lease is not renewed for this long goes to the next job that asks. A killed job is retried no sooner. */
export const leaseMs = 10_000;

export class FileLedger extends KnownRecords {
  readonly #claim: RunScript;
  readonly #record: RunScript;

  constructor(context: LedgerContext) {
    super(context);
    this.#claim = batched(context.script('service/claim-upload'));
    // Not awaited: a record that is lost with its process costs one look-up at the service.
    this.#record = batched(context.script('service/record-upload'), 10);
  }

  /** @param sources identities of local files. @returns the file of each, or undefined. */
  async findBySource(sources: readonly string[]): Promise<readonly (FileRecord | undefined)[]> {
    const places = sources.map((source) => this.#bySource(source));
    const records = await this.findRecords(places);
    return records.map((record) => (record === undefined ? undefined : parseRecord(record)));
  }

  /** Claims the upload of a content. A repeated claim with the same token succeeds. */
  async claim(content: FileContent, token: string): Promise<UploadClaim> {
    const [kind = '', record = ''] = (await this.#claim(this.claimOf(content, token))) as string[];
    return readClaim(kind, record);
  }

  /** Arguments of the same claim, for the script that starts a step. */
  claimOf(content: FileContent, token: string): ClaimArguments {
    const { key, field } = this.#byContent(content);
    return [key, field, this.#lease(content), token, leaseMs];
  }

  /** Renews the lease of an upload under way, unless another job holds it now. */
  async prolong(content: FileContent, token: string): Promise<void> {
    await this.run('service/prolong-upload', [this.#lease(content), token, leaseMs]);
  }

  /** Ends a claim and records the file; `file` is undefined when the upload failed. */
  async record(
    content: FileContent,
    token: string,
    file: FileRecord | undefined,
    source: string | undefined,
  ): Promise<void> {
    const byContent = this.#byContent(content);
    const bySource = source === undefined ? undefined : this.#bySource(source);
    await this.#record([
      byContent.key,
      byContent.field,
      bySource?.key ?? '',
      bySource?.field ?? '',
      this.#lease(content),
      token,
      file ? formatRecord(file) : '',
    ]);
  }

  #byContent(content: FileContent): RecordPlace {
    return placeOf(this.keys.known('files'), content.hash, content.contentType);
  }

  #bySource(source: string): RecordPlace {
    return placeOf(this.keys.known('sources'), source);
  }

  #lease(content: FileContent): string {
    return this.keys.uploading(content.hash, content.contentType);
  }
}

function formatRecord(file: FileRecord): string {
  return file.url === undefined ? file.fileId : `${file.fileId} ${file.url}`;
}

function parseRecord(text: string): FileRecord {
  const space = text.indexOf(' ');
  return space < 0 ? { fileId: text } : { fileId: text.slice(0, space), url: text.slice(space + 1) };
}
