/** Encodes text as the file that it comes from. */
import { open } from 'node:fs/promises';
import iconv from 'iconv-lite';
import type { Encoding } from '../text/encoding.ts';

const mark = '\ufeff';

/** @param path of the file, for its byte order mark. @returns bytes; `?` for a character that the encoding lacks. */
export async function* encodeText(
  texts: AsyncIterable<string>,
  encoding: Encoding,
  path: string,
): AsyncGenerator<Buffer> {
  const encode = (text: string) =>
    encoding === 'utf-8' ? Buffer.from(text) : iconv.encode(text, encoding, { addBOM: false });
  const begin = encode(mark);
  if (await beginsWith(path, begin)) yield begin;
  for await (const text of texts) yield encode(text);
}

async function beginsWith(path: string, bytes: Buffer): Promise<boolean> {
  await using file = await open(path);
  const head = Buffer.alloc(bytes.length);
  await file.read(head, 0, head.length, 0);
  return head.equals(bytes);
}
