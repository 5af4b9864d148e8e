/**
 * Answers of the API to requests with an `Idempotency-Key`, for 24 hours. A request claims its key before it does anything, and
 * renews the claim while it works. The claim of a killed process expires. Then the request may be sent again, and the use case
 * finds out what was done already.
 */
import { createHash, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { z } from 'zod';
import { LedgerPart } from './ledger-part.ts';
import { readStored } from './stored-json.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

interface KeyedRequest {
  readonly user: string;
  readonly route: string;
  readonly key: string;
  /** Digest of everything that the request asks for. */
  readonly fingerprint: string;
}

const keptAnswer = z.object({ status: z.int(), contentType: z.string(), body: z.string() }).readonly();
export type KeptAnswer = z.infer<typeof keptAnswer>;

/** `reused`: the key belongs to another request. `running`: the request is not answered yet. */
type Claimed =
  | { readonly kind: 'claimed'; readonly claim: Claim }
  | { readonly kind: 'answered'; readonly answer: KeptAnswer }
  | { readonly kind: 'reused' | 'running' };

export interface Claim {
  /** Keeps the answer, unless it is too large. */
  keep(answer: KeptAnswer): Promise<void>;
  /** Releases the key, because the request failed and may be sent again. */
  release(): Promise<void>;
}

const keptMs = 24 * 3600 * 1000;
const claimMs = 60_000;
const renewMs = 20_000;
/** Most answers kept for one user. */
const mostAnswers = 1000;
/** Compressed. Larger answers are lists of problems: nothing was started, and the request may be sent again. */
const mostBytes = 256 * 1024;
/** Largest answer to read, uncompressed: another program may have written to a shared Redis. */
const mostText = 16 * 1024 * 1024;

const stored = z.object({
  fingerprint: z.string(),
  claim: z.string().optional(),
  answer: keptAnswer.optional(),
});

export class KeptAnswers extends LedgerPart {
  async claim(request: KeyedRequest): Promise<Claimed> {
    const { user, route, key, fingerprint } = request;
    const id = digestOf([user, route, key]);
    const held = JSON.stringify({ fingerprint, claim: randomUUID() });
    const args = [digestOf([user]), id, held, claimMs, this.now(), keptMs, mostAnswers];
    const found = await this.run<string | null>('claim-answer', args);
    if (found === null) return { kind: 'claimed', claim: this.#hold(id, held, fingerprint) };
    const entry = readStored(stored, found);
    if (entry?.fingerprint !== fingerprint) return { kind: 'reused' };
    if (!entry.answer) return { kind: 'running' };
    const packed = Buffer.from(entry.answer.body, 'base64');
    const body = (await decompress(packed, { maxOutputLength: mostText })).toString();
    return { kind: 'answered', answer: { ...entry.answer, body } };
  }

  #hold(id: string, held: string, fingerprint: string): Claim {
    const put = (json: string, ms: number) => this.run('keep-answer', [id, held, json, ms]);
    const renewal = setInterval(() => void put(held, claimMs).catch(() => undefined), renewMs).unref();
    return {
      async keep({ body, ...answer }) {
        clearInterval(renewal);
        const packed = await compress(body);
        const isFit = packed.length <= mostBytes;
        const entry = { fingerprint, answer: { ...answer, body: packed.toString('base64') } };
        await put(isFit ? JSON.stringify(entry) : '', keptMs);
      },
      async release() {
        clearInterval(renewal);
        await put('', keptMs);
      },
    };
  }
}

function digestOf(texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('base64url');
}
