/** The ZIP archive of a workbook: its parts by name, and the relationships between them. */
import { open } from 'node:fs/promises';
import { posix } from 'node:path';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { highestRatio } from '../bounds.ts';
import {
  broken,
  compressedTooMuch,
  encrypted,
  notXlsx,
  tooLarge,
  truncated,
  WorkbookError,
} from './workbook-error.ts';
import { readXml } from './xml.ts';

export interface Relationship {
  readonly id: string;
  /** Last word of its type, the same in all editions of the standard: `worksheet`, `styles`, ... */
  readonly type: string;
  /** Name of the target part. */
  readonly target: string;
}

/** A part per sheet, drawing and picture; each takes memory even if it is empty. */
const mostParts = 10_000;
/** The compression ratio of smaller parts does not matter. */
const harmlessBytes = 64 * 1024 * 1024;
const relationshipBytes = 4 * 1024 * 1024;

export class Package implements AsyncDisposable {
  readonly #zip: ZipFile;
  /** By name in lowercase, because part names ignore case. */
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  /** @throws {WorkbookError} if the file is not an archive; a file system error if it cannot be read. */
  static async open(path: string): Promise<Package> {
    await refuseCompoundFile(path);
    const zip = await openPromise(path, { autoClose: false }).catch((error: unknown) => {
      throw asWorkbookError(error);
    });
    try {
      if (zip.entryCount > mostParts) throw broken(`it has ${zip.entryCount} parts`);
      const entries = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) entries.set(entry.fileName.toLowerCase(), entry);
      return new Package(zip, entries);
    } catch (error) {
      zip.close();
      throw asWorkbookError(error);
    }
  }

  /** Bytes of the whole archive. */
  get fileBytes(): number {
    return this.#zip.fileSize;
  }

  has(name: string): boolean {
    return this.#entries.has(name.toLowerCase());
  }

  /**
   * Reads the unpacked bytes of a part.
   * @param most bytes allowed.
   * @throws {WorkbookError}
   */
  async *read(name: string, most = Number.POSITIVE_INFINITY): AsyncGenerator<Buffer> {
    const entry = this.#entries.get(name.toLowerCase());
    if (entry === undefined) throw broken(`it has no part ${name}`);
    if (entry.isEncrypted()) throw encrypted();
    const { compressedSize, uncompressedSize } = entry;
    if (uncompressedSize > most) throw tooLarge(`${name} has ${Math.round(uncompressedSize / 1e6)} MB`);
    if (uncompressedSize > harmlessBytes && uncompressedSize > compressedSize * highestRatio) {
      throw compressedTooMuch(name);
    }
    try {
      // The stream fails if its length differs from the declared one.
      const stream = await this.#zip.openReadStreamPromise(entry);
      for await (const bytes of stream) yield bytes as Buffer;
    } catch (error) {
      throw asWorkbookError(error);
    }
  }

  /** The relationships of a part, or of the package itself (`''`). @throws {WorkbookError} */
  async relationships(part: string): Promise<readonly Relationship[]> {
    const folder = posix.dirname(part);
    const name = posix.join(folder, '_rels', `${posix.basename(part)}.rels`);
    if (!this.has(name)) return [];
    const found: Relationship[] = [];
    await readXml(name, this.read(name, relationshipBytes), {
      open(element, { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode }) {
        if (element !== 'Relationship' || mode === 'External') return;
        // A target is relative to the part's folder, or absolute within the package.
        const resolved = posix.resolve('/', folder, target).slice(1);
        found.push({ id, type: type.slice(type.lastIndexOf('/') + 1), target: resolved });
      },
    });
    return found;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#zip.close();
  }
}

/** Keeps file system errors: they say nothing about the workbook. */
function asWorkbookError(error: unknown): unknown {
  if (error instanceof WorkbookError || !(error instanceof Error) || 'syscall' in error) return error;
  if (/end of central directory/i.test(error.message)) return truncated(error);
  return broken('its archive cannot be unpacked', error);
}

const compoundFile = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const encryptedPackage = Buffer.from('EncryptedPackage', 'utf16le');

/** Refuses the container of the old XLS format. Workbooks with a password use it too. */
async function refuseCompoundFile(path: string): Promise<void> {
  await using file = await open(path);
  const head = Buffer.alloc(512);
  await file.read(head, 0, head.length, 0);
  if (!head.subarray(0, compoundFile.length).equals(compoundFile)) return;
  const sectorBytes = 1 << Math.min(head.readUInt16LE(30), 12);
  const directory = Buffer.alloc(sectorBytes);
  await file.read(directory, 0, sectorBytes, (head.readUInt32LE(48) + 1) * sectorBytes);
  throw directory.includes(encryptedPackage)
    ? encrypted()
    : notXlsx('an Excel workbook of the old format (XLS)');
}
