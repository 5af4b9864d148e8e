import { expect, it } from 'vitest';
import { type Random, randomFrom } from '../fuzz/random.ts';
import { type TestLedger, testLedger } from '../support/ledger.ts';
import { seededRandom } from '../support/random.ts';
import { wild } from './concerns.ts';
import { after, eventsOf, say } from './events.ts';
import { Replay } from './replay.ts';
import { type Concern, firstWorld } from './world.ts';

const longest = 40;
/** Each has its own ledger and clock, and waits for Redis while others compute. */
const lanes = 10;

it.each([
  ['one row', wild.oneRow, 60],
  ['two alike rows', wild.twoRows, 40],
  ['a row that needs an approval', wild.approvals, 20],
] as const)('the scripts do what the model says: %s', async (_, concern, traces) => {
  const random = seededRandom();
  const played = Array.from({ length: lanes }, async () => {
    const test = testLedger();
    const lane = randomFrom(random.integer(0, 2 ** 31));
    for (let trace = 0; trace < traces; trace += 1) await play(test, concern, lane);
  });
  await expect(Promise.all(played)).resolves.toBeDefined();
});

async function play(test: TestLedger, concern: Concern, random: Random): Promise<void> {
  const replay = new Replay(test, await test.campaign(concern.rows));
  const lines: string[] = [];
  let world = firstWorld(concern);
  for (let step = 0; step < longest; step += 1) {
    // Each rule is as likely, however many ways there are to apply it.
    const byRule = [...Map.groupBy(eventsOf(world, concern), ({ rule }) => rule).values()];
    if (byRule.length === 0) break;
    const event = random.pick(random.pick(byRule));
    const next = after(world, concern, event);
    lines.push(say(event));
    await replay.run(event, world, next, lines);
    world = next;
  }
}
