/** Names of campaigns. A name becomes part of file names, so it must not lead out of their folder. */

const longest = 100;

export const campaignNameRule =
  'the campaign name is empty, too long, or contains characters that a file name cannot have';
export const campaignNameFix = `with up to ${longest} characters. Do not use / or \\, or a full stop at the start.`;

export function isCampaignName(name: string): boolean {
  return name.length <= longest && name.trim() !== '' && /^(?!\.)[^\p{Cc}\p{Cf}/\\]+$/u.test(name);
}

/** A name as part of a file name: names that the console took may have other characters. */
export function asFileName(name: string): string {
  const plain = name
    .slice(0, longest)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}/\\]/gu, '-');
  return plain.startsWith('.') ? `-${plain.slice(1)}` : plain;
}
