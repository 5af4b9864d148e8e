/**
 * Streams XML: bytes in, events of an `XmlHandler` out. Limits on depth and on the longest stretch without an event bound its memory.
 * Refuses document types, and with them custom entities.
 */
import { TextDecoder } from 'node:util';
import { SaxesParser } from 'saxes';
import { UnreadableSheetError } from '../sheet.ts';
import { broken, documentType } from './workbook-error.ts';

export type Attributes = Readonly<Record<string, string | undefined>>;

/** Names come without a prefix, because some programs write `x:row`. No name we read has two meanings. */
export interface XmlHandler {
  open(name: string, attributes: Attributes): void;
  /** A text may come in several pieces. */
  text?(text: string): void;
  close?(name: string): void;
}

/** Limit for a tag, a text or a comment. A cell has at most 32,767 characters, which take up to ten each as `&#x10FFFF;`. */
const longestStretch = 512 * 1024;
const deepest = 100;

export class XmlReader {
  readonly #part: string;
  readonly #parser = new SaxesParser({ position: false, xmlns: false as const });
  #decoder: TextDecoder | undefined;
  #depth = 0;
  /** Characters since the last event. */
  #silent = 0;

  /** @param part name of the part, for messages. */
  constructor(part: string, handler: XmlHandler) {
    this.#part = part;
    const parser = this.#parser;
    parser.on('doctype', () => {
      throw documentType(part);
    });
    parser.on('xmldecl', ({ encoding = 'utf-8' }) => {
      if (!/^(utf-?8|utf-?16|us-ascii)$/i.test(encoding)) throw broken(`${part} is written in ${encoding}`);
    });
    parser.on('opentag', ({ name, attributes }) => {
      this.#silent = 0;
      this.#depth += 1;
      if (this.#depth > deepest) throw broken(`${part} is nested more than ${deepest} deep`);
      handler.open(localName(name), attributes);
    });
    parser.on('closetag', ({ name }) => {
      this.#silent = 0;
      this.#depth -= 1;
      handler.close?.(localName(name));
    });
    const onText = (text: string) => {
      this.#silent = 0;
      handler.text?.(text);
    };
    parser.on('text', onText);
    parser.on('cdata', onText);
  }

  /** @throws {WorkbookError} */
  push(bytes: Buffer): void {
    this.#guard(() => {
      this.#decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true });
      this.#write(this.#decoder.decode(bytes, { stream: true }));
    });
  }

  /** Ends the input. @throws {WorkbookError} */
  end(): void {
    this.#guard(() => {
      this.#write(this.#decoder?.decode() ?? '');
      this.#parser.close();
    });
  }

  #write(text: string): void {
    this.#silent += text.length;
    this.#parser.write(text);
    if (this.#silent > longestStretch) throw broken(`a tag or a text in ${this.#part} does not end`);
  }

  #guard(step: () => void): void {
    try {
      step();
    } catch (error) {
      if (error instanceof UnreadableSheetError) throw error;
      throw broken(`${this.#part} is not well-formed XML`, error);
    }
  }
}

/** Reads a part from its beginning to its end. @throws {WorkbookError} */
export async function readXml(
  part: string,
  bytes: AsyncIterable<Buffer>,
  handler: XmlHandler,
): Promise<void> {
  const reader = new XmlReader(part, handler);
  for await (const piece of bytes) reader.push(piece);
  reader.end();
}

function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(colon + 1);
}

export function encodingOf(head: Buffer): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}
