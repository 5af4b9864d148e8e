/** `campaigns share ID`: client links, which show the posts of a campaign to people without an account. */
import { Option } from 'commander';
import { longestLabel, usualShareMs } from '../../app/approvals/shares.ts';
import { approvalOperations } from '../../app/operations/approvals.ts';
import { readLead, termRule, writeLead } from '../../manifest/campaign-options.ts';
import { CommandError } from '../exit.ts';
import { type Define, parsedBy } from '../flags/common.ts';
import { timeText } from '../print/output.ts';
import { type CommonOptions, inSession, type Session } from '../session.ts';

interface ShareFlags extends CommonOptions {
  readonly approve?: boolean;
  readonly expires: string;
  readonly name?: string;
  readonly list?: boolean;
  readonly revoke?: string;
}

/** Options that say nothing about a link that exists. */
const ofNewLink = ['approve', 'expires', 'name'] as const;

export const share: Define = (command) =>
  command
    .argument('[id]', 'campaign id, as `campaigns list` shows it')
    .option('--approve', 'guests may approve and reject posts')
    .option(
      '--expires <time>',
      'how long the link is open',
      parsedBy((text) => (readLead(text) ? text : undefined), `Write ${termRule}.`),
      writeLead(usualShareMs),
    )
    .option(
      '--name <text>',
      'for whom the link is',
      parsedBy(
        (text) => (text.length <= longestLabel ? text : undefined),
        `At most ${longestLabel} characters.`,
      ),
    )
    .addOption(
      new Option('--list', 'list the links of the campaign instead').conflicts([...ofNewLink, 'revoke']),
    )
    .addOption(new Option('--revoke <link>', 'revoke this link instead').conflicts([...ofNewLink]))
    .notes(`
Makes a link to the posts of this campaign, and nothing else, for people without
an account. It is printed once: only a hash of it is kept. The console must run
(campaigns serve). --list lists the links of one campaign, or of all.

Example:
  campaigns share --approve --expires 7d --name 'Lin, Glow Ltd' c1
  campaigns share --list
  campaigns share --revoke 3f9c2a71`)
    .action(
      inSession(
        { writes: true },
        (session, id: string | undefined, flags: ShareFlags) => {
          if (flags.revoke !== undefined) return revoke(session, flags.revoke);
          return flags.list || id === undefined ? list(session, id) : make(session, id, flags);
        },
        (id: string | undefined, { list: lists, revoke: link }: ShareFlags) => {
          if (id !== undefined && link !== undefined)
            throw new CommandError(`--revoke needs no campaign: ${link} names the link`, {
              fix: `Omit ${id}.`,
            });
          if (id !== undefined || lists || link !== undefined) return;
          throw new CommandError('a link needs a campaign', {
            fix: 'Name the campaign, or list all links:\n  campaigns share --list',
          });
        },
      ),
    );

async function revoke({ carryOut, output }: Session, link: string): Promise<void> {
  const { campaign, draft } = await carryOut(approvalOperations.revokeShare, { link });
  output.print(`The link ${link} to ${campaign ?? `draft ${draft}`} is revoked.`);
}

async function list({ carryOut, output }: Session, campaign: string | undefined): Promise<void> {
  const { links } = await carryOut(approvalOperations.listShares, { campaign });
  const lines = links.map(({ id: link, campaign: of, draft, label, mayApprove, by, expiresAt }) => {
    const until = timeText(Date.parse(expiresAt), null);
    return [link, of ?? `draft ${draft}`, mayApprove ? 'approve' : 'look', until, by, label];
  });
  if (lines.length > 0) output.table(['LINK', 'CAMPAIGN', 'MAY', 'UNTIL', 'BY', 'NAME'], lines);
  else output.print(campaign === undefined ? 'There is no client link.' : `${campaign} has no client link.`);
}

async function make({ carryOut, output }: Session, id: string, flags: ShareFlags): Promise<void> {
  const { expires, name = '', approve = false } = flags;
  const made = await carryOut(approvalOperations.shareCampaign, { id, approve, expires, name });
  const { link, path, url } = made;
  output.print(url ?? `${path}  (add it to your console's address, or set CONSOLE_ORIGIN)`);
  output.print(`Open until ${timeText(Date.parse(link.expiresAt), null)}. To revoke it:`);
  output.print(`  campaigns share --revoke ${link.id}`);
}
