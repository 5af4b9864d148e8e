/** Checks of the service (address and key, by one call that only reads; the clock, by the answer) and of receivers of notifications. */
import { randomUUID } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { documentPlace } from '../../app/runtime/package.ts';
import type { Runtime } from '../../app/runtime/runtime.ts';
import { openService, type ServiceConnection } from '../../app/runtime/service-connection.ts';
import { openReceivers } from '../../app/runtime/workers.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { describeDuration, plural } from '../../manifest/wording.ts';
import type { Proxies } from '../../platform/net/proxy.ts';
import { testMessage } from '../../processors/notify/deliver.ts';
import type { Receiver } from '../../processors/notify/receiver.ts';
import {
  ApiError,
  ForbiddenError,
  KeyRefusedError,
  MalformedAnswerError,
  RefusedError,
} from '../../service/errors.ts';
import { AddressPolicy } from '../../service/media/addresses.ts';
import { fixHere } from '../hints.ts';
import { timeText } from '../print/output.ts';
import { type Finding, type Findings, ok, problem, warning } from './machine.ts';

/** Without the setting, uploads cannot be confirmed. Every manifest with local media needs it. */
export async function* examineUploads(confirmUpload: unknown): Findings {
  const text = 'the setting api.confirmUpload is missing, so sheets with media to upload are refused';
  const fix = `Set it as the documentation of the service describes it. See ${documentPlace('settings.md')}`;
  yield confirmUpload
    ? ok('confirm-upload', 'uploads can be confirmed')
    : warning('confirm-upload', text, fix);
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
    const text = `the service is on a private network (${hostname}: ${inside.address}); files can be uploaded only to ${hostname} and to public addresses`;
    const fix =
      'If its object storage is another host of that network, add the address to the setting media.allowPrivateAddresses.';
    yield warning(check, text, fix);
    return;
  }
  const more = allowed.length > 0 ? `, and to ${allowed.join(', ')} (media.allowPrivateAddresses)` : '';
  yield ok(check, `files may be uploaded to public addresses${more}`);
}

/** Which proxies the environment names, and whether calls to the services go through them. Nothing if it names none. */
export async function* examineProxies(urls: readonly string[], proxies: Proxies): Findings {
  const check = 'proxy';
  for (const { name, variable } of proxies.all) yield ok(check, `the proxy ${name} is used (${variable})`);
  if (proxies.all.length === 0) return;
  for (const url of urls) {
    const { protocol, hostname, port, host } = new URL(url);
    const proxy = proxies.find({ protocol, hostname: hostname.replace(/^\[|\]$/g, ''), port });
    const way = proxy === undefined ? 'without a proxy' : `through the proxy ${proxy.name}`;
    yield ok(check, `the service ${host} is called ${way}`);
  }
}

const operation = 'listCreatorAccounts';
const longestWaitMs = 5_000;

/** Calls the service once. */
export async function* examineService(runtime: Runtime): Findings {
  let date: string | undefined;
  // Workers may use another address: a failure here says nothing about them.
  await using service = openService(runtime, {
    observe: (call) => {
      date = call.date;
    },
    recordsReach: false,
  });
  yield await examineCall(service);
  yield* examineClock(date, Date.now());
}

async function examineCall(service: ServiceConnection): Promise<Finding> {
  try {
    const { rateLimits, client } = await service.need();
    const permit = await rateLimits.take(operation, longestWaitMs);
    if (!permit.granted) {
      const text = `the service was not called: the rate limit of ${operation} is used up for another ${describeDuration(permit.waitMs)}`;
      return warning('service', text, 'See why:\n  campaigns rate-limits');
    }
    await client.creators.list({ pageSize: 1, pageNumber: 1 });
    return ok('service', 'the service answers and accepts the key');
  } catch (error) {
    if (error instanceof UseCaseError) return problem('service', error.message, fixHere(error.fix));
    if (!(error instanceof ApiError)) throw error;
    return failureOf(error);
  }
}

function failureOf(error: ApiError): Finding {
  const isOfKey = error instanceof KeyRefusedError || error instanceof ForbiddenError;
  if (!isOfKey && (error instanceof RefusedError || error instanceof MalformedAnswerError)) {
    // The call only asks for an account. If that is refused, the address is most likely another service.
    const fix = 'Check the address in CREATOR_API_URL. If it is right, ask service support.';
    return problem('service', error.message, fix);
  }
  if (!isOfKey) return problem('service', error.message, fixHere(error.fix));
  return problem('key', error.message, 'Put a valid key with the needed permissions into CREATOR_API_KEY.');
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
  runtime: Pick<Runtime, 'settings' | 'ledger' | 'now'> & {
    readonly environment: Parameters<typeof openReceivers>[1];
  },
  isTest: boolean,
  proxies?: Proxies,
): Findings {
  const { settings, environment, ledger, now } = runtime;
  if (settings.notify.length === 0) {
    const fix = `Name one in the setting notify. See ${documentPlace('notifications.md')}`;
    if (isTest) yield problem(check, 'there is no webhook endpoint for notifications', fix);
    return;
  }
  try {
    await using receivers = openReceivers(settings, environment, proxies);
    const tried = (await ledger.outbox.open()).filter(({ problem: why }) => why !== '');
    if (isTest) yield* await Promise.all(receivers.all.map((receiver) => sendTest(receiver, now())));
    else yield ok(check, `${plural(receivers.all.length, 'webhook endpoint')} for notifications`);
    for (const { host, isSigned } of receivers.all) {
      const text = `messages to ${host} are not signed, so others can forge them`;
      const fix = `Name a file with a secret as secretFile in its entry. See ${documentPlace('notifications.md')}`;
      if (!isSigned) yield warning(check, text, fix);
    }
    // What they have not got after at least one attempt.
    for (const [key, messages] of Map.groupBy(tried, ({ receiver }) => receiver)) {
      const host = receivers.find(key)?.host ?? 'a webhook endpoint that is not in the settings here';
      const [oldest] = messages;
      const since = timeText(oldest?.since ?? 0, null);
      const text = `${plural(messages.length, 'notification')} not delivered to ${host}, the oldest since ${since}: ${oldest?.problem}`;
      const fix = 'Workers try again for a day. See whether a test arrives:\n  campaigns doctor --notify';
      yield warning(check, text, fix);
    }
  } catch (error) {
    if (!(error instanceof UseCaseError)) throw error;
    yield problem(check, error.message, fixHere(error.fix));
  }
}

async function sendTest(receiver: Receiver, now: number): Promise<Finding> {
  const answer = await receiver.send({ id: `msg_test_${randomUUID()}`, body: testMessage(now) }, now);
  const { host, protocol } = receiver;
  if (answer.kind === 'delivered')
    return ok(check, `${host} accepted a test message (${protocol} ${answer.status})`);
  const fix = answer.fix ?? 'Check its address and its log.';
  return problem(check, `${host} did not accept a test message: ${answer.problem}`, fix);
}
