/** Examines the receivers of notifications: their secrets, what they have not got yet, and, on request, whether a test arrives. */
import { randomUUID } from 'node:crypto';
import { testMessage } from '../../processors/notify/deliver.ts';
import type { Receiver, Receivers } from '../../processors/notify/receivers.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { plural } from '../../runtime/wording.ts';
import { openReceivers } from '../../runtime/workers.ts';
import { cureHere } from '../hints.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const check = 'notify';

/** @param isTest sends a message to every receiver. @returns nothing if there are none, and no test was asked for. */
export async function examineReceivers(
  { settings, ledger, now }: Pick<Runtime, 'settings' | 'ledger' | 'now'>,
  isTest: boolean,
): Promise<readonly Finding[]> {
  if (settings.notify.length === 0) {
    const cure = 'Name one in the setting notify. See docs/notifications.md.';
    return isTest ? [problem(check, 'there is no receiver of notifications', cure)] : [];
  }
  try {
    await using receivers = openReceivers(settings);
    const problems = await undelivered(ledger, receivers);
    const found = isTest
      ? await Promise.all(receivers.all.map((receiver) => sendTest(receiver, now())))
      : [ok(check, `${plural(receivers.all.length, 'receiver')} of notifications`)];
    return [...found, ...receivers.all.flatMap(examineSecret), ...problems];
  } catch (error) {
    if (error instanceof UseCaseError) return [problem(check, error.message, cureHere(error.cure))];
    throw error;
  }
}

async function sendTest(receiver: Receiver, now: number): Promise<Finding> {
  const answer = await receiver.send({ id: `msg_test_${randomUUID()}`, body: testMessage(now) }, now);
  const { host } = receiver;
  if (answer.kind === 'delivered') return ok(check, `${host} took a test message (HTTP ${answer.status})`);
  const cure = answer.cure ?? 'Check its address and its log.';
  return problem(check, `${host} did not take a test message: ${answer.problem}`, cure);
}

function examineSecret({ host, isSigned }: Receiver): readonly Finding[] {
  if (isSigned) return [];
  const cure = 'Name a file with a secret as secretFile in its entry. See docs/notifications.md.';
  return [warning(check, `messages to ${host} are not signed: anybody may send it such messages`, cure)];
}

/** What receivers have not got after at least one attempt, one finding each. */
async function undelivered({ outbox }: Runtime['ledger'], receivers: Receivers): Promise<readonly Finding[]> {
  const tried = (await outbox.open()).filter(({ problem: why }) => why !== '');
  return [...Map.groupBy(tried, ({ receiver }) => receiver)].map(([key, [first, ...others]]) => {
    const host = receivers.find(key)?.host ?? 'a receiver that is not in the settings here';
    const since = new Date(first?.since ?? 0).toISOString();
    const text = `${plural(1 + others.length, 'notification')} not delivered to ${host}, the oldest since ${since}: ${first?.problem}`;
    return warning(
      check,
      text,
      'Workers try again for a day. See whether a test arrives:\n  campaigns doctor --notify',
    );
  });
}
