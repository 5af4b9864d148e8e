/** JSON that the ledger has stored. A shared Redis may have entries of other programs under our keys, so each entry is checked. */
import { ReplyError } from 'ioredis';
import { z } from 'zod';

/** A record that a command needs was not written by the ledger. */
export class UnreadableRecordError extends Error {
  override readonly name = 'UnreadableRecordError';
  readonly key: string;

  constructor(key: string) {
    super(`the key ${key} in Redis holds something else`);
    this.key = key;
  }
}

/** Whether a command failed because a key has a different type, written by another program. */
export function isOfOtherType(error: unknown): boolean {
  return error instanceof ReplyError && (error as Error).message.startsWith('WRONGTYPE');
}

/** What a command reads; `other` if the key has a different type. */
export async function unlessOfOtherType<T, Other>(reading: Promise<T>, other: Other): Promise<T | Other> {
  try {
    return await reading;
  } catch (error) {
    if (isOfOtherType(error)) return other;
    throw error;
  }
}

/** @returns undefined without a text, or if it is not JSON of this shape. */
export function readStored<T>(schema: z.ZodType<T>, json: string | null | undefined): T | undefined {
  if (!json) return undefined;
  try {
    return schema.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}

/** As `readStored`, for fields of a hash or entries of a list: leaves out what cannot be read. */
export function readAllStored<K, T>(
  schema: z.ZodType<T>,
  entries: Iterable<readonly [K, string | null | undefined]>,
): readonly (readonly [K, T])[] {
  return [...entries].flatMap(([key, json]) => {
    const value = readStored(schema, json);
    return value === undefined ? [] : [[key, value] as const];
  });
}

export const texts = z.array(z.string());
