/**
 * To which addresses a notification may go: public ones, and those that the entry of its receiver permits
 * (`allowPrivateAddresses`). The name is resolved and checked at each connection. `config/notify.ts` checks the form of the URL.
 */
import { Agent } from 'undici';
import type { Proxies } from '../../platform/net/proxy.ts';
import { AddressPolicy } from '../../service/media/addresses.ts';
import { MediaError } from '../../service/media/errors.ts';

const connectMs = 10_000;
const connectionsPerReceiver = 4;

/** Connects only to permitted addresses: its requests fail with an error that `addressProblem` reads. */
export function receiverAgent(allowPrivateAddresses: readonly string[], proxies?: Proxies): Agent {
  return new Agent({
    connect: new AddressPolicy(allowPrivateAddresses, proxies).connector(connectMs),
    connections: connectionsPerReceiver,
    pipelining: 1,
    allowH2: false,
    // The deadline of the attempt replaces these limits, which restart with every byte.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/** Why a request was not sent, and what to do about it; undefined unless it was because of its address. */
export function addressProblem(
  error: unknown,
): { readonly problem: string; readonly cure: string } | undefined {
  if (!(error instanceof MediaError)) return undefined;
  return {
    problem: error.message.replace(/\.$/, ''),
    cure: 'Use a public URL, or add the address to allowPrivateAddresses of its entry in the setting notify.',
  };
}
