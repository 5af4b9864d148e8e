/** An open workbook: the parts of its ZIP archive, the relationships between them, its sheets, and the parts that every sheet needs. */
import { open } from 'node:fs/promises';
import { posix } from 'node:path';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { highestRatio } from '../bounds-check.ts';
import {
  broken,
  compressedTooMuch,
  encrypted,
  noSheet,
  notXlsx,
  tooLarge,
  truncated,
  unknownSheet,
  WorkbookError,
} from './workbook-error.ts';
import { type Attributes, readXml } from './xml.ts';

export interface Sheet {
  readonly name: string;
  readonly hidden: boolean;
  /** Whether the spreadsheet program shows it first. */
  readonly isActive: boolean;
  readonly part: string;
}

export interface Workbook extends AsyncDisposable {
  readonly parts: Package;
  /** Sheets of cells in tab order, without charts and macros. */
  readonly sheets: readonly Sheet[];
  /** Days count from 1904, as on old Macs, and not from 1900. */
  readonly from1904: boolean;
  readonly sharedStrings: string | undefined;
  readonly styles: string | undefined;
}

const workbookBytes = 16 * 1024 * 1024;
/** Far more than anybody can find a sheet among. */
const mostSheets = 10_000;

/** What else a ZIP archive may be, by a part of it. */
const formats = [
  ['mimetype', 'an OpenDocument file'],
  ['Index/Document.iwa', 'a Numbers document'],
  ['Index.zip', 'a Numbers document'],
] as const;

/** @throws {WorkbookError} if the file is not a workbook; a file system error if it cannot be read. */
export async function openWorkbook(path: string): Promise<Workbook> {
  const parts = await Package.open(path);
  try {
    const main = (await parts.relationships('')).find(({ type }) => type === 'officeDocument')?.target;
    const part = main ?? 'xl/workbook.xml';
    if (part.endsWith('.bin')) throw notXlsx('a binary workbook (XLSB)');
    if (!parts.has(part))
      throw notXlsx(formats.find(([name]) => parts.has(name))?.[1] ?? 'another ZIP archive');
    const { root, from1904, active, listed } = await readMainPart(parts, part);
    if (root !== 'workbook') throw notXlsx('another Office document');
    const relationships = await parts.relationships(part);
    const targetOf = (type: string) =>
      relationships.find((each) => each.type === type && parts.has(each.target))?.target;
    const byId = new Map(relationships.map((each) => [each.id, each]));
    const sheets = listed.flatMap(({ name, hidden, id }, index) => {
      const found = byId.get(id);
      const isActive = index === active;
      return found?.type === 'worksheet' ? [{ name, hidden, isActive, part: found.target }] : [];
    });
    return {
      parts,
      sheets,
      from1904,
      sharedStrings: targetOf('sharedStrings'),
      styles: targetOf('styles'),
      [Symbol.asyncDispose]: () => parts[Symbol.asyncDispose](),
    };
  } catch (error) {
    await parts[Symbol.asyncDispose]();
    throw error;
  }
}

/** Finds a sheet by its name, in any case of letters; default: the first visible one. @throws {WorkbookError} that lists the names. */
export function chooseSheet({ sheets }: Workbook, name: string | undefined): Sheet {
  const visible = sheets.filter(({ hidden }) => !hidden);
  if (name === undefined) {
    const [first] = visible;
    if (first === undefined) throw noSheet();
    return first;
  }
  const folded = name.toLowerCase();
  const named =
    sheets.find((sheet) => sheet.name === name) ??
    sheets.find((sheet) => sheet.name.toLowerCase() === folded);
  if (named !== undefined) return named;
  throw unknownSheet(
    name,
    visible.map((sheet) => sheet.name),
  );
}

async function readMainPart(parts: Package, part: string) {
  let root = '';
  let from1904 = false;
  let active = 0;
  const listed: { readonly name: string; readonly hidden: boolean; readonly id: string }[] = [];
  await readXml(part, parts.read(part, workbookBytes), {
    open(element, attributes) {
      root ||= element;
      if (element === 'workbookPr') from1904 = /^(1|true)$/.test(attributes.date1904 ?? '');
      if (element === 'workbookView') active = Number(attributes.activeTab ?? 0);
      if (element !== 'sheet') return;
      if (listed.length === mostSheets) throw tooLarge(`it has more than ${mostSheets} sheets`);
      const hidden = /hidden$/i.test(attributes.state ?? '');
      listed.push({ name: attributes.name ?? '', hidden, id: relationshipOf(attributes) });
    },
  });
  return { root, from1904, active, listed };
}

/** The id of the relationship that an element names. */
export function relationshipOf(attributes: Attributes): string {
  return Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1] ?? '';
}

interface Relationship {
  readonly id: string;
  /** Last word of its type, the same in all editions of the standard: `worksheet`, `styles`, ... */
  readonly type: string;
  readonly target: string;
}

/** A part per sheet, drawing and picture; each takes memory even if it is empty. */
const mostParts = 10_000;
/** The compression ratio of smaller parts does not matter. */
const harmlessBytes = 64 * 1024 * 1024;
const relationshipBytes = 4 * 1024 * 1024;

/** The ZIP archive of a workbook: its parts by name, and the relationships between them. */
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

  get fileBytes(): number {
    return this.#zip.fileSize;
  }

  /** Its parts, in the order of the archive. */
  list(): readonly { readonly name: string; readonly modified: Date }[] {
    return [...this.#entries.values()]
      .filter(({ fileName }) => !fileName.endsWith('/'))
      .map((entry) => ({ name: entry.fileName, modified: entry.getLastModDate() }));
  }

  has(name: string): boolean {
    return this.#entries.has(name.toLowerCase());
  }

  /** Unpacked. @param most bytes allowed. @throws {WorkbookError} */
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

  /** The relationships of a part, or of the package itself (`''`), to its other parts. @throws {WorkbookError} */
  async relationships(part: string): Promise<readonly Relationship[]> {
    const all = await this.#relationships(part);
    return all.flatMap(({ isOutside, ...each }) => {
      // A target is relative to the part's folder, or absolute within the package.
      const target = posix.resolve('/', posix.dirname(part), each.target).slice(1);
      return isOutside ? [] : [{ ...each, target }];
    });
  }

  /** Addresses outside the package that a part links to, by the ids of their relationships. @throws {WorkbookError} */
  async addresses(part: string): Promise<ReadonlyMap<string, string>> {
    const outside = (await this.#relationships(part)).filter(({ isOutside }) => isOutside);
    return new Map(outside.map(({ id, target }) => [id, target]));
  }

  /** With targets as written. */
  async #relationships(part: string): Promise<readonly (Relationship & { readonly isOutside: boolean })[]> {
    const name = posix.join(posix.dirname(part), '_rels', `${posix.basename(part)}.rels`);
    if (!this.has(name)) return [];
    const found: (Relationship & { readonly isOutside: boolean })[] = [];
    await readXml(name, this.read(name, relationshipBytes), {
      open(element, { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode }) {
        if (element !== 'Relationship') return;
        found.push({
          id,
          type: type.slice(type.lastIndexOf('/') + 1),
          target,
          isOutside: mode === 'External',
        });
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
