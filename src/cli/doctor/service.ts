/** The service: its address, the key, one call that only reads, and the clock by its answer. */
import { defaultAccount } from '../../../config/access.ts';
import { ApiError, KeyRefusedError, MalformedAnswerError, RefusedError } from '../../api/errors.ts';
import type { ObservedCall } from '../../api/transport.ts';
import { openAccounts, type ServiceAccounts } from '../../runtime/accounts.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { describeDuration } from '../../runtime/wording.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/** Uploads cannot be confirmed without the setting, and every manifest with local media needs it. */
export function examineUploads(confirmUpload: unknown): Finding {
  if (confirmUpload) return ok('confirm-upload', 'uploads can be confirmed');
  return warning(
    'confirm-upload',
    'the setting api.confirmUpload is missing: a manifest that has media to upload will be refused',
    'Give it as the provider of the service describes the operation; see docs/settings.md.',
  );
}

const operation = 'listCreatorAccounts';
const longestWaitMs = 5_000;

/** Calls the service once under each account that is configured. */
export async function examineService(
  runtime: Runtime,
  now: () => number = Date.now,
): Promise<readonly Finding[]> {
  let answer: ObservedCall | undefined;
  // An address that is tried out says nothing of those who work.
  await using accounts = openAccounts(runtime, {
    observe: (call) => {
      answer = call;
    },
    recordsReach: false,
  });
  const names = accounts.names.length > 0 ? accounts.names : [defaultAccount];
  const findings: Finding[] = [];
  for (const name of names) {
    answer = undefined;
    findings.push(await examineAccount(accounts, name));
    findings.push(...clock(answer, now()));
  }
  return findings;
}

async function examineAccount(accounts: ServiceAccounts, name: string): Promise<Finding> {
  const subject = name === defaultAccount ? 'the service' : `the service of account ${name}`;
  try {
    const { budgets, client } = accounts.need(name);
    const turn = await budgets.take(operation, longestWaitMs);
    if (!turn.granted) {
      const text = `${subject} was not called: ${operation} may not be called for another ${describeDuration(turn.waitMs)}`;
      return warning('service', text, 'See why with: campaigns budgets');
    }
    await client.creators.list({ pageSize: 1, pageNumber: 1 });
    return ok('service', `${subject} answers and takes the key`);
  } catch (error) {
    if (error instanceof UseCaseError) return problem('service', error.message, error.cure);
    if (!(error instanceof ApiError)) throw error;
    return failureOf(error, name);
  }
}

function failureOf(error: ApiError, account: string): Finding {
  if (error instanceof RefusedError || error instanceof MalformedAnswerError) {
    // Nothing but an account was asked for: whoever refuses that is most likely another service.
    const place = account === defaultAccount ? 'CREATOR_API_URL' : `the setting accounts.${account}.url`;
    const cure = `Check the address in ${place}; if it is right, ask the provider of the service.`;
    return problem('service', error.message, cure);
  }
  if (!(error instanceof KeyRefusedError)) return problem('service', error.message, error.cure);
  const place = account === defaultAccount ? 'CREATOR_API_KEY' : `the setting accounts.${account}`;
  return problem('key', error.message, `Give a key that is valid and permitted in ${place}.`);
}

/** What `Date` tells is rounded to a second, and some time on its way. */
const unremarkableMs = 5_000;
const intolerableMs = 60_000;

function clock(answer: ObservedCall | undefined, now: number): readonly Finding[] {
  const finding = examineClock(answer?.date, now);
  return finding ? [finding] : [];
}

/** @param date header of an answer that has just come. @returns undefined where it tells no time. */
export function examineClock(date: string | undefined, now: number): Finding | undefined {
  const theirs = Date.parse(date ?? '');
  if (Number.isNaN(theirs)) return undefined;
  const off = Math.abs(now - theirs);
  if (off <= unremarkableMs) return ok('clock', 'the clock agrees with that of the service');
  const text = `the clock of this machine is ${describeDuration(off)} ${now > theirs ? 'ahead of' : 'behind'} that of the service: schedules and the times of uploads are judged by it`;
  const cure = 'Let the machine keep its time by NTP.';
  return off > intolerableMs ? problem('clock', text, cure) : warning('clock', text, cure);
}
