/** Idempotent requests: a request repeated with the same `Idempotency-Key` is carried out once and gets the same answer. */
import { createHash } from 'node:crypto';
import type { Runtime } from '../../app/runtime/runtime.ts';
import type { Claim, KeptAnswer } from '../../ledger/kept-answers.ts';
import { HttpProblem } from '../http/problem.ts';

/** Printable ASCII. */
const keyForm = /^[\x21-\x7e]{1,255}$/;

export interface Keyed {
  readonly user: string;
  /** Method and path, with the parameters of the path filled in. */
  readonly route: string;
  readonly key: string;
  /** Query and body: they tell one request from another. */
  readonly asks: readonly string[];
}

/** Answers below 500 are kept; a failure frees the key. @throws {HttpProblem} `key_invalid`, `key_reused`, `key_in_use`. */
export async function onceFor(
  { ledger }: Pick<Runtime, 'ledger'>,
  { user, route, key, asks }: Keyed,
  carryOut: () => Promise<KeptAnswer>,
): Promise<KeptAnswer> {
  if (!keyForm.test(key)) {
    throw new HttpProblem(
      400,
      'key_invalid',
      'the Idempotency-Key must be 1 to 255 visible ASCII characters',
      {
        fix: 'Use a random UUID, a new one for each thing that you start.',
      },
    );
  }
  const fingerprint = createHash('sha256').update(JSON.stringify(asks)).digest('base64url');
  const found = await ledger.keptAnswers.claim({ user, route, key, fingerprint });
  switch (found.kind) {
    case 'answered':
      return found.answer;
    case 'reused':
      throw new HttpProblem(422, 'key_reused', 'another request was sent with this Idempotency-Key', {
        fix: 'Use a new key for a new request. To repeat a request, send it unchanged.',
      });
    case 'running':
      throw new HttpProblem(
        409,
        'key_in_use',
        'the first request with this Idempotency-Key is still running',
        {
          fix: 'Send it again later. If the console was killed, its key is free after a minute.',
        },
      );
    case 'claimed':
      return carryOutWith(found.claim, carryOut);
  }
}

/** Identifies the request among all that were ever sent. */
export function digestOf({ user, route, key, asks }: Keyed): string {
  return createHash('sha256')
    .update(JSON.stringify([user, route, key, ...asks]))
    .digest('base64url');
}

async function carryOutWith(claim: Claim, carryOut: () => Promise<KeptAnswer>): Promise<KeptAnswer> {
  let answer: KeptAnswer | undefined;
  try {
    answer = await carryOut();
    return answer;
  } finally {
    if (answer !== undefined && answer.status < 500) await claim.keep(answer);
    else await claim.release();
  }
}
