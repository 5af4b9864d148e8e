/** People without an account, who have opened a client link. */

import type { FullContext } from '../../app/operations/operation.ts';
import { type Actor, actorOf } from '../../app/operations/operation.ts';
import type { Tools } from '../../app/operations/tools.ts';
import type { Share } from '../../ledger/access/shares.ts';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { presentable } from '../../manifest/presentable.ts';

/** Longest name of a guest, in characters. */
export const longestName = 60;

export interface OpenedShare {
  readonly token: string;
  readonly share: Share;
  readonly campaign: Campaign;
}

export interface Guest extends OpenedShare {
  /** As typed; may be empty. */
  readonly name: string;
  /** Network address. */
  readonly from: string;
  readonly left: AbortSignal;
}

export function guestName(typed: string): string {
  return presentable(typed.slice(0, longestName)).trim();
}

/** Acts under the name that was typed; the audit names the link. */
export function guestActor(tools: Tools, { share, name, from, left }: Guest): Actor<FullContext> {
  const person = { name: `${name} (client link)`, isAnybody: false };
  return actorOf({ ...tools, person, source: { from, by: `client link ${share.id}` }, left });
}
