/** Checks of the service (address and key, by one call that only reads; the clock, by the answer) and of receivers of notifications. */
import { randomUUID } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { defaultAccount } from '../../../config/access.ts';
import {
  ApiError,
  ForbiddenError,
  KeyRefusedError,
  MalformedAnswerError,
  RefusedError,
} from '../../api/errors.ts';
import { AddressPolicy } from '../../media/addresses.ts';
import { testMessage } from '../../processors/notify/deliver.ts';
import type { Receiver } from '../../processors/notify/receivers.ts';
import { documentPlace } from '../../runtime/configuration.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { openAccounts, type ServiceAccounts } from '../../runtime/service/accounts.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { describeDuration, plural } from '../../runtime/wording.ts';
import { openReceivers } from '../../runtime/workers.ts';
import { cureHere } from '../hints.ts';
import { type Finding, type Findings, ok, problem, warning } from './machine.ts';

/** Without the setting, uploads cannot be confirmed. Every manifest with local media needs it. */
export async function* examineUploads(confirmUpload: unknown): Findings {
  const text = 'the setting api.confirmUpload is missing, so sheets with media to upload are refused';
  const cure = `Set it as the documentation of the service describes it. See ${documentPlace('settings.md')}`;
  yield confirmUpload
    ? ok('confirm-upload', 'uploads can be confirmed')
    : warning('confirm-upload', text, cure);
}

/**
 * Presigned URLs may lead to the host of the service and to public addresses. A service on a private network may have its storage there,
 * too, on another host.
 * @param urls addresses of the services.
 */
export async function* examineStorage(urls: readonly string[], allowed: readonly string[]): Findings {
  const check = 'storage-addresses';
  const policy = new AddressPolicy(allowed);
  for (const url of urls) {
    const { hostname } = new URL(url);
    const found = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => []);
    const inside = found.find(({ address }) => !policy.permits(address));
    if (inside === undefined) continue;
    const text = `the service is on a private network (${hostname}: ${inside.address}); files are uploaded to ${hostname} itself, and elsewhere to public addresses only`;
    const cure =
      'If its object storage is another host of that network, add the address to the setting media.allowPrivateAddresses.';
    yield warning(check, text, cure);
    return;
  }
  const more = allowed.length > 0 ? `, and to ${allowed.join(', ')} (media.allowPrivateAddresses)` : '';
  yield ok(check, `files may be uploaded to public addresses${more}`);
}

const operation = 'listCreatorAccounts';
const longestWaitMs = 5_000;

/** Calls the service once for each configured account. */
export async function* examineService(runtime: Runtime, now: () => number = Date.now): Findings {
  let date: string | undefined;
  // Workers may use another address: a failure here says nothing about them.
  await using accounts = openAccounts(runtime, {
    observe: (call) => {
      date = call.date;
    },
    recordsReach: false,
  });
  for (const name of accounts.names.length > 0 ? accounts.names : [defaultAccount]) {
    date = undefined;
    yield await examineAccount(accounts, name);
    yield* examineClock(date, now());
  }
}

async function examineAccount(accounts: ServiceAccounts, name: string): Promise<Finding> {
  const subject = name === defaultAccount ? 'the service' : `the service of account ${name}`;
  try {
    const { rateLimits, client } = accounts.need(name);
    const permit = await rateLimits.take(operation, longestWaitMs);
    if (!permit.granted) {
      const text = `${subject} was not called: the rate limit of ${operation} is spent for another ${describeDuration(permit.waitMs)}`;
      return warning('service', text, 'See why:\n  campaigns rate-limits');
    }
    await client.creators.list({ pageSize: 1, pageNumber: 1 });
    return ok('service', `${subject} answers and accepts the key`);
  } catch (error) {
    if (error instanceof UseCaseError) return problem('service', error.message, cureHere(error.cure));
    if (!(error instanceof ApiError)) throw error;
    return failureOf(error, name);
  }
}

function failureOf(error: ApiError, account: string): Finding {
  const isOfKey = error instanceof KeyRefusedError || error instanceof ForbiddenError;
  if (!isOfKey && (error instanceof RefusedError || error instanceof MalformedAnswerError)) {
    // The call only asks for an account. If that is refused, the address is most likely another service.
    const place = account === defaultAccount ? 'CREATOR_API_URL' : `the setting accounts.${account}.url`;
    const cure = `Check the address in ${place}. If it is right, ask service support.`;
    return problem('service', error.message, cure);
  }
  if (!isOfKey) return problem('service', error.message, cureHere(error.cure));
  const place = account === defaultAccount ? 'CREATOR_API_KEY' : `the setting accounts.${account}`;
  return problem('key', error.message, `Put a valid key with the needed permissions into ${place}.`);
}

/** The header `Date` is rounded to a second, and travels for a while. */
const unremarkableMs = 5_000;
const intolerableMs = 60_000;

/** @param date header of an answer that has just arrived. Nothing if it has no valid time. */
export async function* examineClock(date: string | undefined, now: number): Findings {
  const theirs = Date.parse(date ?? '');
  if (Number.isNaN(theirs)) return;
  const off = Math.abs(now - theirs);
  const text = `the clock of this machine is ${describeDuration(off)} ${now > theirs ? 'ahead of' : 'behind'} the clock of the service, so schedules and upload times are wrong`;
  const verdict = off > intolerableMs ? problem : warning;
  yield off <= unremarkableMs
    ? ok('clock', 'the clock agrees with the clock of the service')
    : verdict('clock', text, 'Keep the clock right with NTP.');
}

const check = 'notify';

/** Nothing if there are no receivers, and no test was asked for. @param isTest sends a message to every receiver. */
export async function* examineReceivers(
  { settings, ledger, now }: Pick<Runtime, 'settings' | 'ledger' | 'now'>,
  isTest: boolean,
): Findings {
  if (settings.notify.length === 0) {
    const cure = `Name one in the setting notify. See ${documentPlace('notifications.md')}`;
    if (isTest) yield problem(check, 'there is no webhook endpoint for notifications', cure);
    return;
  }
  try {
    await using receivers = openReceivers(settings);
    const tried = (await ledger.outbox.open()).filter(({ problem: why }) => why !== '');
    if (isTest) yield* await Promise.all(receivers.all.map((receiver) => sendTest(receiver, now())));
    else yield ok(check, `${plural(receivers.all.length, 'webhook endpoint')} for notifications`);
    for (const { host, isSigned } of receivers.all) {
      const text = `messages to ${host} are not signed: anyone may send it such messages`;
      const cure = `Name a file with a secret as secretFile in its entry. See ${documentPlace('notifications.md')}`;
      if (!isSigned) yield warning(check, text, cure);
    }
    // What they have not got after at least one attempt.
    for (const [key, messages] of Map.groupBy(tried, ({ receiver }) => receiver)) {
      const host = receivers.find(key)?.host ?? 'a webhook endpoint that is not in the settings here';
      const [oldest] = messages;
      const since = new Date(oldest?.since ?? 0).toISOString();
      const text = `${plural(messages.length, 'notification')} not delivered to ${host}, the oldest since ${since}: ${oldest?.problem}`;
      const cure = 'Workers try again for a day. See whether a test arrives:\n  campaigns doctor --notify';
      yield warning(check, text, cure);
    }
  } catch (error) {
    if (!(error instanceof UseCaseError)) throw error;
    yield problem(check, error.message, cureHere(error.cure));
  }
}

async function sendTest(receiver: Receiver, now: number): Promise<Finding> {
  const answer = await receiver.send({ id: `msg_test_${randomUUID()}`, body: testMessage(now) }, now);
  const { host } = receiver;
  if (answer.kind === 'delivered') return ok(check, `${host} took a test message (HTTP ${answer.status})`);
  const cure = answer.cure ?? 'Check its address and its log.';
  return problem(check, `${host} did not take a test message: ${answer.problem}`, cure);
}
