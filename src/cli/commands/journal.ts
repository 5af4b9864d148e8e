/** `campaigns journal`: shows whether Redis lost records of what was sent, and goes on after a loss. */

import {
  acceptJournal,
  type JournalStatus,
  journalDocument,
  readJournal,
} from '../../app/campaigns/journal.ts';
import { unreadableNote } from '../../app/campaigns/progress/notes.ts';
import { limitOperations } from '../../app/operations/limits.ts';
import { documentPlace } from '../../app/runtime/package.ts';
import type { JournalMark } from '../../ledger/journal-position.ts';
import { plural } from '../../manifest/wording.ts';
import { exitCodes } from '../exit.ts';
import { type ConfirmFlags, confirm, type Define, refuseWithout, yesOption } from '../flags/common.ts';
import { reviewCommands } from '../hints.ts';
import { takenUp } from '../print/campaign.ts';
import { type Output, timeText } from '../print/output.ts';
import { printForgotten } from '../print/progress.ts';
import { type CommonOptions, openSession } from '../session.ts';

export const journal: Define = (command) =>
  command
    .option('--accept', 'accept the loss, and resume the campaigns paused for it')
    .option('--dry-run', 'only show what --accept would do')
    .addOption(yesOption())
    .notes(`
The runner records every post and generation in Redis before it sends it. Redis can lose such records through a cut
append-only file, a FLUSHALL, an old backup, or a replica that took over too early. The runner then pauses campaigns with
the code journal_behind, because it could resend the same posts.

--accept first sends rows to review whose requests may be among the lost records, and says how many. The publishing
records, late answers and you decide these; all others resume. Nothing is posted twice. It exits with 3 while records
are lost. After you restore a backup, always accept, even if no process remembers what came after it. See
${documentPlace('backup.md')}

Example:
  campaigns journal
  campaigns journal --accept --dry-run
  campaigns journal --accept`)
    .action(checkJournal);

async function checkJournal(
  given: CommonOptions & ConfirmFlags & { readonly accept?: boolean; readonly dryRun?: boolean },
): Promise<void> {
  const { accept = false, dryRun = false, ...flags } = given;
  if (!accept) refuseWithout({ dryRun: dryRun || undefined, ...flags }, ['dryRun', 'yes'], '--accept');
  const isAccepted = accept && !dryRun;
  await using session = await openSession(flags, { writes: isAccepted });
  const { runtime, output } = session;
  const status = await readJournal(runtime);
  const { found, seen, behind, held, maybeSent } = status;
  const ask = async (now: JournalStatus) => {
    const rows = now.maybeSent.reduce((sum, one) => sum + one.rows, 0);
    if (rows + now.inReview.length === 0 && !now.behind) return;
    if (!now.behind) output.print('No loss is known. Accept one only if a backup was restored.');
    printMaybeSent(output, now);
    const first = rows > 0 ? `Send ${plural(rows, 'row')} to review, and accept` : 'Accept';
    await confirm(`${first} the loss?`, flags);
  };
  if (isAccepted) await ask(status);
  const askAgain = async (now: JournalStatus) => {
    output.print('More is known about the loss now, so you are asked again.');
    await ask(now);
  };
  const accepted = isAccepted ? await acceptJournal(runtime, status, askAgain) : undefined;
  const document = journalDocument(status, accepted);
  if (accepted !== undefined) await session.record(limitOperations.acceptJournal, {}, document);
  output.document('journal', document);
  if (seen.position + found.position > 0) {
    const known = seen.position > found.position ? `. Last record seen here: ${describe(seen)}` : '';
    output.print(`Last record in Redis: ${describe(found)}${known}.`);
  }
  if (accepted !== undefined) {
    output.print(`The loss is accepted: ${plural(accepted, 'row')} went to review.`);
    if (held.length + maybeSent.length > 0) output.print(takenUp);
    printDecisions(output, status);
    return;
  }
  printStatus(output, status);
  if (behind) {
    printMaybeSent(output, status);
    output.print(`${accept ? 'Nothing was changed. ' : ''}Accept the loss:\n  campaigns journal --accept`);
    process.exitCode = exitCodes.incomplete;
  } else if (accept) printWithoutLoss(output, status);
}

/** Nobody remembers a loss. After a restored backup, there is one all the same. */
function printWithoutLoss(output: Output, status: JournalStatus): void {
  output.print('Nothing was changed. No loss is known, so there is none to accept.');
  if (status.maybeSent.length + status.inReview.length === 0) return;
  output.print(
    'If you have restored a backup, accept the loss of what came after it:\n  campaigns journal --accept',
  );
  for (const { campaign, rows } of status.maybeSent)
    output.print(
      `${campaign.id} (${campaign.name}): ${plural(rows, 'row')} that ${rows === 1 ? 'waits or runs' : 'wait or run'} would go to review.`,
    );
  for (const { campaign, rows } of status.inReview)
    output.print(
      `${campaign.id} (${campaign.name}): ${plural(rows, 'row')} in review: their posts would be searched for again.`,
    );
}

function printStatus(output: Output, { found, seen, behind, held }: JournalStatus): void {
  const paused = held.join(', ') || 'no campaign';
  if (behind)
    output.print(
      `Redis lost records of what was sent: those posts could be resent. Paused for it: ${paused}.`,
    );
  else if (seen.position > 0)
    output.print('Redis has lost no records of what was sent, as far as this machine remembers.');
  else if (found.position === 0) output.print('Nothing has been sent yet.');
  else
    output.print(
      'This machine remembers nothing of what was sent, so it cannot tell whether Redis lost records of it.',
    );
}

function printMaybeSent(output: Output, { loss, maybeSent, inReview, unreadable }: JournalStatus): void {
  const notes = unreadable.map(({ key }) => unreadableNote(key));
  printForgotten(output, notes);
  if (maybeSent.length + inReview.length === 0) output.print('No posts are affected.');
  for (const { campaign, rows } of maybeSent) {
    output.print(
      `${campaign.id} (${campaign.name}): ${plural(rows, 'row')} may have been sent, and would go to review.`,
    );
  }
  for (const { campaign, rows } of inReview) {
    output.print(
      `${campaign.id} (${campaign.name}): ${plural(rows, 'row')} in review may have been resent: their posts would be searched for again.`,
    );
  }
  if (maybeSent.length > 0 && loss.admitted === undefined) {
    output.print('No process knows how much was lost, so this counts all rows that wait or run.');
  }
}

function printDecisions(output: Output, { maybeSent, inReview }: JournalStatus): void {
  const ids = new Set([...maybeSent, ...inReview].map(({ campaign }) => campaign.id));
  if (ids.size === 0) return;
  output.print(
    "Decide rows in review once the publishing records have been searched, or you have checked creators' profiles:",
  );
  for (const id of ids) output.print(reviewCommands(id).join('\n'));
}

function describe({ position, at }: JournalMark): string {
  return at === 0 ? 'none' : `number ${position}, ${timeText(at, null)}`;
}
