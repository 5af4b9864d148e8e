/** `campaigns share ID`: client links, which show the posts of a campaign to people without an account. */
import { Option } from 'commander';
import { longestLabel, usualShareMs } from '../../app/approvals/shares.ts';
import { approvalOperations } from '../../app/operations/approvals.ts';
import { leadRule, readLead, writeLead } from '../../manifest/lead.ts';
import { campaignId, type Define, parsedBy } from '../flags/common.ts';
import { timeText } from '../print/time.ts';
import { type CommonOptions, inSession } from '../session.ts';

interface ShareFlags extends CommonOptions {
  readonly approve?: boolean;
  readonly expires: string;
  readonly name?: string;
  readonly list?: boolean;
  readonly revoke?: string;
}

const rule = leadRule.replace(', or now', '');

const share: Define = (command) =>
  command
    .argument(...campaignId)
    .option('--approve', 'its guests may approve and reject posts')
    .option(
      '--expires <time>',
      'how long it is open',
      parsedBy(readTerm, `Write ${rule}.`),
      writeLead(usualShareMs),
    )
    .option('--name <text>', 'for whom it is', parsedBy(readLabel, `At most ${longestLabel} characters.`))
    .addOption(new Option('--list', 'list its links instead').conflicts(['approve', 'revoke']))
    .addOption(new Option('--revoke <link>', 'revoke this link instead').conflicts('approve'))
    .addHelpText(
      'after',
      `
Makes a link to the posts of this campaign, and nothing else, for people without an account. It is printed once: only a hash of it
is kept. The console must run (campaigns serve).

Example:
  campaigns share --approve --expires 7d --name 'Lin, Glow Ltd' c1
  campaigns share --list c1
  campaigns share --revoke 3f9c2a71 c1`,
    )
    .action(
      inSession({ writes: true }, async ({ carryOut, output }, id: string, flags: ShareFlags) => {
        if (flags.revoke !== undefined) {
          await carryOut(approvalOperations.revokeShare, { id, link: flags.revoke });
          output.print(`The link ${flags.revoke} is revoked.`);
        } else if (flags.list) {
          const { links } = await carryOut(approvalOperations.listShares, { id });
          const lines = links.map(({ id: link, label, mayApprove, by, expiresAt }) => [
            ...[link, mayApprove ? 'approves' : 'looks', timeText(Date.parse(expiresAt), null), by, label],
          ]);
          if (lines.length === 0) output.print(`${id} has no client link.`);
          else output.table(['LINK', 'MAY', 'UNTIL', 'BY', 'NAME'], lines);
        } else {
          const { expires, name = '', approve = false } = flags;
          const { link, path, url } = await carryOut(approvalOperations.shareCampaign, {
            id,
            approve,
            expires,
            name,
          });
          output.print(url ?? `${path}  (below the address of your console; CONSOLE_ORIGIN names it)`);
          output.print(`Open until ${timeText(Date.parse(link.expiresAt), null)}. To revoke it:`);
          output.print(`  campaigns share --revoke ${link.id} ${id}`);
        }
      }),
    );

function readTerm(text: string): string | undefined {
  return readLead(text) ? text : undefined;
}

function readLabel(text: string): string | undefined {
  return text.length <= longestLabel ? text : undefined;
}

export const commands = { share };
