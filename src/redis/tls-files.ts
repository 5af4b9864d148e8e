/** Reads the certificate files of an address once, for all its connections. */
import { readFileSync } from 'node:fs';
import type { Certificates, RedisAddress } from './address.ts';
import { RedisUrlError, reasonOf } from './errors.ts';

export type TlsFiles = { readonly [Name in keyof Certificates]: Buffer };

/** @throws {RedisUrlError} naming the file that cannot be read. */
export function readTlsFiles({ certificates = {} }: RedisAddress): TlsFiles {
  const read: { -readonly [Name in keyof TlsFiles]: Buffer } = {};
  for (const name of ['ca', 'cert', 'key'] as const) {
    const file = certificates[name];
    if (file !== undefined) read[name] = readCertificate(name, file);
  }
  return read;
}

function readCertificate(name: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new RedisUrlError(`its ${name} cannot be read (${reasonOf(error)}).`);
  }
}
