/**
 * The format of the ledger, and its identity. A program opens the ledger first, and refuses another format than its own.
 * Stored data that other versions would misread needs a new number. A new field that readers treat as optional needs none.
 */
import { randomBytes } from 'node:crypto';
import { LedgerPart } from './ledger-part.ts';

/** That of 0.1.0. */
export const ledgerFormat = 5;

/** The ledger cannot be opened, because another version of the runner has written it. */
export class LedgerFormatError extends Error {
  override readonly name = 'LedgerFormatError';
  readonly fix = 'End its campaigns with the version that began them, or give this version its own Redis.';

  constructor(found: string) {
    const format = /^\d{1,9}$/.test(found) ? `format ${found}` : 'a format that is no number';
    super(`the data in Redis has ${format}, but this version of the runner needs format ${ledgerFormat}`);
  }
}

export class LedgerFormat extends LedgerPart {
  #id: string | undefined;

  /** Id of this ledger. Two ledgers have different ones; a copy or a restored backup has the same. */
  async id(): Promise<string> {
    if (this.#id === undefined) await this.#find();
    return this.#id ?? '';
  }

  /** Reads the id again when it is next needed: the ledger may be another one. */
  forget(): void {
    this.#id = undefined;
  }

  /** @throws {LedgerFormatError} for another format. */
  async open(): Promise<void> {
    const found = await this.#find();
    if (found !== String(ledgerFormat)) throw new LedgerFormatError(found);
  }

  async #find(): Promise<string> {
    const fresh = randomBytes(5).toString('hex');
    const [version, id] = await this.run<[string, string]>('open-format', [ledgerFormat, fresh]);
    this.#id = id;
    return version;
  }
}
