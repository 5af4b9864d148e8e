/** Passwords, as scrypt hashes that carry their parameters: `scrypt$N$r$p$SALT$HASH`. */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Semaphore } from 'async-mutex';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { plural } from '../../manifest/wording.ts';

export interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** 32 MiB and about 0.2 s of a core: one of the settings that OWASP recommends. */
const usualCost: ScryptCost = { N: 2 ** 15, r: 8, p: 3 };
const hashBytes = 32;
const leastCharacters = 12;
const mostCharacters = 200;

/** Most concurrent hashes of this process, and most that wait. Each takes memory and a thread of Node's pool of four. */
const mostAtOnce = 2;
const mostBytes = 64 * 1024 * 1024;
const mostWaiting = 50;

/** @throws {UseCaseError} `password_invalid`. */
export function requireGoodPassword(password: string, name: string): void {
  const characters = [...password].length;
  const fault =
    characters < leastCharacters
      ? `the password has ${plural(characters, 'character')}`
      : characters > mostCharacters
        ? `the password has more than ${mostCharacters} characters`
        : name.length >= 4 && password.toLowerCase().includes(name)
          ? 'the password contains the name'
          : new Set(password).size < 4
            ? 'the password has fewer than 4 different characters'
            : undefined;
  if (fault === undefined) return;
  throw new UseCaseError('password_invalid', fault, {
    fix: `Use at least ${leastCharacters} characters, such as four words that do not belong together.`,
  });
}

/** @throws {UseCaseError} `sign_in_busy`. */
export async function hashPassword(password: string, cost: ScryptCost = usualCost): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, cost);
  const { N, r, p } = cost;
  return ['scrypt', N, r, p, salt.toString('base64'), hash.toString('base64')].join('$');
}

/** Takes as long without a hash (`undefined`: no such user), so that time shows nothing. @throws {UseCaseError} `sign_in_busy`. */
export async function isPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [, N, r, p, salt = '', expected = ''] = (hash ?? nobodysHash).split('$');
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const given = await derive(password.slice(0, mostCharacters * 2), Buffer.from(salt, 'base64'), cost);
  const isEqual = timingSafeEqual(given, Buffer.from(expected, 'base64'));
  return isEqual && hash !== undefined;
}

const { N, r, p } = usualCost;
const nobodysHash = [
  'scrypt',
  N,
  r,
  p,
  randomBytes(16).toString('base64'),
  randomBytes(hashBytes).toString('base64'),
].join('$');

const deriveKey = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);
const slots = new Semaphore(mostAtOnce);
/** Derivations that run or wait. */
let asked = 0;

async function derive(password: string, salt: Buffer, { N, r, p }: ScryptCost): Promise<Buffer> {
  if (asked >= mostAtOnce + mostWaiting) {
    throw new UseCaseError('sign_in_busy', 'too many people are signing in at the same time', {
      fix: 'Try again in a minute.',
    });
  }
  asked += 1;
  const options: ScryptOptions = { N, r, p, maxmem: mostBytes };
  // The same text may be typed as different sequences of characters.
  const typed = password.normalize('NFKC');
  try {
    return await slots.runExclusive(() => deriveKey(typed, salt, hashBytes, options));
  } finally {
    asked -= 1;
  }
}
