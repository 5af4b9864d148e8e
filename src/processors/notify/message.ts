/** Messages for receivers: JSON with the event, the campaign or run, counts by state and code, and a command that shows more. */
import type { PauseReason } from '../../ledger/campaigns/campaigns.ts';
import type { CampaignEvent, RunEvent } from '../../ledger/outbox.ts';

type Counts = Readonly<Record<string, number>>;

const isNumber = /^\d{1,15}$/;
const mostCodes = 50;
const longestReason = 500;
const longestName = 200;

/** @param counts rows by state. @param codes rows by error code. */
export function campaignMessage(event: CampaignEvent, counts: Counts, codes: Counts): string {
  const { campaign, name, reason } = event;
  return JSON.stringify({
    ...headOf(event),
    campaign,
    name: cut(name, longestName),
    ...(reason && { reason: readable(reason) }),
    counts,
    codes: few(codes),
    command: `campaigns show ${campaign}`,
  });
}

export function runMessage(event: RunEvent): string {
  const { run, reason, counts, codes } = event;
  return JSON.stringify({
    ...headOf(event),
    // A number, as in `videos scrape --json` and the REST API.
    run: isNumber.test(run) ? Number(run) : run,
    ...(reason && { reason: readable(reason) }),
    counts,
    codes: few(codes),
    command: 'campaigns videos schedule',
  });
}

/** A message that only shows that messages arrive. */
export function testMessage(at: number): string {
  return JSON.stringify({ ...headOf({ event: 'doctor.test', at }), command: 'campaigns doctor' });
}

/** `type`: Standard Webhooks recommend this name for the event. */
function headOf({ event, at }: { readonly event: string; readonly at: number }) {
  return { type: event, event, timestamp: new Date(at).toISOString() };
}

function readable({ code, message }: PauseReason): PauseReason {
  return { code, message: cut(message, longestReason) };
}

function cut(text: string, length: number): string {
  const characters = [...text.slice(0, length * 2)];
  return characters.length > length ? `${characters.slice(0, length).join('')}...` : text;
}

/** The codes with the most rows. The rest is summed up as `other`, together with those that the ledger summed up. */
function few({ other: unnamed = 0, ...codes }: Counts): Counts {
  const sorted = Object.entries(codes).sort(([, one], [, another]) => another - one);
  const other = sorted.slice(mostCodes).reduce((sum, [, rows]) => sum + rows, unnamed);
  return Object.fromEntries([...sorted.slice(0, mostCodes), ...(other > 0 ? [['other', other]] : [])]);
}
