/**
 * Fault runs: rounds of a campaign by real workers on a real Redis against the sandbox, while processes are killed and frozen,
 * clocks jump, connections break, Redis loses its end, and the service answers late, wrongly or never. Meanwhile an honest person
 * decides about rows in review and edits the sheet, and another one approves and rejects posts. After each round the ledger and the
 * sandbox's own record must agree, and nothing was posted but what was approved.
 *
 *     npm run faults                                one round, with a new seed
 *     npm run faults -- --seed 7 --rounds 50        rounds with the seeds 7 to 56
 *     npm run faults -- --minutes 30                rounds for half an hour
 *     npm run faults -- --only kill,freeze          only these kinds of faults; --without leaves some out
 *
 * A seed draws rows, faults and their times; real processes make each run of it a little different. Exit codes: 0 all agree,
 * 1 a round does not, 2 wrong usage, 130 interrupted.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { playRound } from './round.ts';
import { kindNames } from './script.ts';

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const interrupt = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => interrupt.abort());

try {
  process.exitCode = await main(interrupt.signal);
} catch (error) {
  if (interrupt.signal.aborted) process.exitCode = 130;
  else {
    process.stderr.write(`faults: ${error instanceof Error ? error.stack : error}\n`);
    process.exitCode = 2;
  }
}

async function main(signal: AbortSignal): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
      rounds: { type: 'string' },
      minutes: { type: 'string' },
      only: { type: 'string', default: kindNames.join(',') },
      without: { type: 'string', default: '' },
    },
  });
  const first = numberOf('--seed', values.seed);
  const rounds = numberOf('--rounds', values.rounds ?? (values.minutes === undefined ? '1' : '1e9'));
  const until = performance.now() + numberOf('--minutes', values.minutes ?? '1e9') * 60_000;
  const without = kindsOf(values.without);
  const kinds = kindsOf(values.only).filter((kind) => !without.includes(kind));
  let failed = 0;
  let played = 0;
  for (; played < rounds && performance.now() < until; played += 1) {
    const { summary, violations, report } = await playRound({
      seed: first + played,
      kinds,
      lastsMs: [12_000, 25_000],
      rows: [40, 120],
      workers: [2, 3],
      outlastsMs: 20_000,
      signal,
    });
    say(summary);
    if (violations.length === 0) continue;
    failed += 1;
    say(report);
  }
  say(`${played} rounds, ${failed} with violations`);
  return failed === 0 ? 0 : 1;
}

function numberOf(option: string, text: string): number {
  const number = Number(text);
  if (!(number >= 0)) throw new Error(`${option} must be a number, not "${text}"`);
  return number;
}

function kindsOf(text: string): readonly string[] {
  const wanted = text.split(',').filter((kind) => kind !== '');
  const unknown = wanted.find((kind) => !kindNames.includes(kind));
  if (unknown !== undefined)
    throw new Error(`there is no kind "${unknown}"; there are ${kindNames.join(', ')}`);
  return wanted;
}
