/** People without an account, who have opened a client link. */

import type { SharedSheet } from '../../app/approvals/shares.ts';
import type { FullContext } from '../../app/operations/operation.ts';
import { type Actor, actorOf } from '../../app/operations/operation.ts';
import type { Tools } from '../../app/operations/tools.ts';
import { printable } from '../../manifest/printable.ts';

/** Longest name of a guest, in characters. */
export const longestName = 60;

export type OpenedShare<Sheet extends SharedSheet = SharedSheet> = Sheet & { readonly token: string };
export type CampaignShare = Extract<SharedSheet, { readonly campaign: object }>;
export type DraftShare = Extract<SharedSheet, { readonly draft: object }>;

export type Guest<Sheet extends SharedSheet = SharedSheet> = OpenedShare<Sheet> & {
  /** As typed; may be empty. */
  readonly name: string;
  /** Network address. */
  readonly from: string;
  readonly left: AbortSignal;
};

export function guestName(typed: string): string {
  return printable(typed.slice(0, longestName)).trim();
}

/** Acts under the name that was typed; the audit names the link. */
export function guestActor(tools: Tools, { share, name, from, left }: Guest): Actor<FullContext> {
  const person = { name: `${name} (client link)`, isAnybody: false };
  return actorOf({ ...tools, person, source: { from, by: `client link ${share.id}` }, left });
}
