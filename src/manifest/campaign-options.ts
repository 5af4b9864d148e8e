/** The choices of a campaign: its name, its lead, and which posts wait for an approval. A row may have a lead and an approval of its own. */

/** A lead: how long before its time a post is handed to the service. Until then it waits here, and can still be changed. */
const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
/** Shorter, and the service might get the post too late. Milliseconds. */
const shortestLead = 5 * 60_000;
const longestLead = 366 * 86_400_000;

/** What a length of time is written as, for people: what `readLead` takes, but for `now`. */
export const termRule = '2d, 12h or 30m (5m to 366d)';
/** What `readLead` takes, for people. */
export const leadRule = `${termRule}, or now`;

/** @returns milliseconds; `null` for `now`: the service gets the post at once; undefined for a text that is none. */
export function readLead(text: string): number | null | undefined {
  const word = text.trim().toLowerCase();
  if (word === 'now') return null;
  const [, digits, unit = ''] = /^(\d{1,6})\s?([mhd])$/.exec(word) ?? [];
  const ms = Number(digits) * (units[unit] ?? Number.NaN);
  return ms >= shortestLead && ms <= longestLead ? ms : undefined;
}

/** As `readLead` reads it. @param ms of whole minutes. */
export function writeLead(ms: number | null): string {
  if (ms === null) return 'now';
  const [unit = 'm', size = 1] = Object.entries(units).findLast(([, each]) => ms % each === 0) ?? [];
  return `${ms / size}${unit}`;
}

/** The next lead that people write: whole quarters of an hour, hours, or days. @param ms least. */
export function roundedLead(ms: number): number {
  const [quarter, hour, day] = [15 * 60_000, 3_600_000, 86_400_000];
  const unit = ms <= hour ? quarter : ms <= day ? hour : day;
  return Math.min(longestLead, Math.ceil(ms / unit) * unit);
}

/** When the service may get a row's post (Unix epoch, milliseconds); undefined for at once. @param usual lead of its campaign. */
export function handedOverAt(
  {
    schedule,
    lead,
  }: {
    readonly schedule?: { readonly at: number } | undefined;
    readonly lead?: number | null | undefined;
  },
  usual: number | null,
): number | undefined {
  const own = lead === undefined ? usual : lead;
  return schedule === undefined || own === null ? undefined : schedule.at - own;
}

/** Which posts wait for the approval of a person before they are handed to the service. `generated`: those whose media an AI makes. */
export const approveRules = ['none', 'generated', 'all'] as const;
export type ApproveRule = (typeof approveRules)[number];

/** Whether a row needs an approval. @param usual rule of its campaign; a row may say otherwise. */
export function needsApproval(
  { approve, generation }: { readonly approve?: ApproveRule | undefined; readonly generation?: unknown },
  usual: ApproveRule,
): boolean {
  const rule = approve ?? usual;
  return rule === 'all' || (rule === 'generated' && generation !== undefined);
}

/** A name becomes part of file names, so it must not lead out of their folder. */
const longestName = 100;

export const campaignNameRule =
  'the campaign name is empty, too long, or contains characters that a file name cannot have';
export const campaignNameFix = `with up to ${longestName} characters. Do not use / or \\, or a full stop at the start.`;

export function isCampaignName(name: string): boolean {
  return name.length <= longestName && name.trim() !== '' && /^(?!\.)[^\p{Cc}\p{Cf}/\\]+$/u.test(name);
}

/** A name as part of a file name: names that the console took may have other characters. */
export function asFileName(name: string): string {
  const plain = name
    .slice(0, longestName)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}/\\]/gu, '-');
  return plain.startsWith('.') ? `-${plain.slice(1)}` : plain;
}
