/** Error messages for pages, without names of operations, which planners do not know. */
import type { PauseReason } from '../../../../ledger/campaigns/campaigns.ts';
import { capitalized } from '../../../../runtime/wording.ts';
import { cureOnPage } from '../../../hints.ts';
import type { Html } from '../../../html.ts';
import { words } from '../../../parts/language.ts';
import { moment } from '../../../parts/numbers/numbers.ts';
import type { PageRequest } from '../../../request.ts';
import { operationOrder } from '../../queues/names.ts';

/** `createCreatorPost was refused with code 7` becomes `The call was refused with code 7`. */
export function plainMessage(message: string): string {
  const operation = operationOrder.find((name) => message.startsWith(name));
  const rest = operation === undefined ? undefined : message.slice(operation.length);
  if (rest?.startsWith(' was ')) return `The call${rest}`;
  return capitalized(rest?.startsWith(': ') ? rest.slice(2) : message);
}

const refused = 'The call was refused with ';

/** The words of the service, if the message quotes them: `The call was refused with code 7: Try again` becomes `Try again`. */
export function wordsOfService(message: string): string | undefined {
  const text = plainMessage(message);
  const colon = text.indexOf(': ');
  return text.startsWith(refused) && colon > 0 ? text.slice(colon + 2) : undefined;
}

export function said(message: string): Html | string {
  return words(plainMessage(message));
}

const isoTimes = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/** A text with its UTC times converted to the zone of the page. */
export function inZone({ zone, now }: PageRequest, text: string): string {
  return text.replace(isoTimes, (time) => moment(Date.parse(time), zone, now));
}

/** Why a campaign is paused; empty if no reason is known. */
export function whyPaused(request: PageRequest, reason: PauseReason | undefined): string {
  return inZone(
    request,
    [plainMessage(reason?.message ?? ''), cureOnPage(reason?.hints)].filter(Boolean).join(' '),
  );
}
