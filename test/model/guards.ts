/**
 * The rules of the protocol that can be left out of the model, each with the line that it is. `explored.test.ts` leaves each of them
 * out, and expects the violation that it prevents.
 */

/** A file of this repository, and a line in it. */
export type Source = readonly [file: string, line: string];

const lua = (file: string, line: string): Source => [`src/ledger/lua/${file}.lua`, line];

export const guards = {
  /** An attempt that finds the entry of another one does not send. */
  'entry of another attempt': lua('transitions/start-step', 'if entry and sender ~= token then'),
  /** A step begins only in a row that runs. */
  'row runs': lua('transitions/start-step', "if state ~= 'r' then return { 'ended', state } end"),
  /** A job of an older revision does nothing. */
  'revision of the job': lua(
    'transitions/start-step',
    "if not state or current ~= revision then return { 'gone' } end",
  ),
  /** A row that had a post is not sent again by the job that failed it. */
  'not after a post': lua('rows', "and redis.call('HEXISTS', campaign .. ':earlier', row) == 0"),
  /** A row that had a post is sent again only after a look into the records. */
  'last look': lua(
    'transitions/start-step',
    "if effect == 'post' and not is_rechecked(campaign, row, now, 'send') then",
  ),
  /** Nothing is sent while the journal lacks an entry that the sender has seen. */
  'position of the journal': lua('transitions/start-step', 'if is_loss_known() or has_lost(tonumber(last[1]'),
  /** It does not take a journal that has grown past such an entry for the one that had it: a count alone would. */
  'token of an entry': lua(
    'journal',
    "return redis.call('HGET', journal .. ':recent', seen % recent) ~= token",
  ),
  /** Whoever is too late does not send. */
  'time to send': ['src/service/transport/exchange.ts', 'if (this.#isTooLate?.()) {'],
  /** Without an answer, the entry stays. */
  'no answer is an unknown outcome': lua('transitions/finish-step', "if verdict == 'review' then"),
  /** Only the attempt that wrote the entry ends it. */
  'own entry': lua(
    'transitions/finish-step',
    "if effect ~= '' and not answered and not lost then return 'stale' end",
  ),
  /** A gate does not hide a call of unknown outcome. */
  'gate beside a call': lua('transitions/finish-step', 'if unsettled then\n      end_with('),
  /** A row does not end as certain while its call is of unknown outcome. */
  'unknown outcome of another call': lua(
    'transitions/finish-step',
    "if unsettled and unsettled ~= effect then verdict, payload = 'review'",
  ),
  /** A post without an entry of its own is recorded all the same. */
  'late post': lua('transitions/finish-step', 'local known = late_posts(campaign, row)'),
  /** A decision that an answer has confirmed is not taken back. */
  'answer confirms a decision': lua('transitions/finish-step', 'confirm_post(campaign, id, row, post)'),
  /** A late answer beside another post of the row does not free that one. */
  'both posts are its own': lua('posts', 'local recorded = answered and post_of(result_of(campaign, row))'),
  /** A post beside another call of the row is kept. */
  'post beside a call': lua('transitions/finish-step', 'keep_late(campaign, row, known)'),
  /** A person who says that nothing was posted does not undo the answer that says otherwise. */
  'late post and a decision': lua('transitions/decide-row', "if decision ~= 'posted' and #late > 0 then"),
  /** A decision that would send again is taken once the call is over. */
  'age of an unknown outcome': lua(
    'transitions/decide-row',
    'if entry and not has_effect() and over_of(entry) > tonumber(now) then',
  ),
  /** A search is about calls that are over. */
  'age of a search': [
    'src/processors/publishing-records/unknown-rows.ts',
    'if (progress.underWayUntil !== undefined && progress.underWayUntil > now()) continue;',
  ],
  /** A decision is about the row as it was shown. */
  'row as shown': lua(
    'transitions/decide-row',
    "if current ~= revision or (not is_lost and (state ~= 'v' or (unknown_effect(work) or '') ~= effect)) then",
  ),
  /** A person gives no row the post of another one. */
  'post of another row': lua('transitions/decide-row', "if decision == 'posted' and is_taken("),
  /** A decided row waits before it goes on, and cannot be taken back once it has. */
  'row as decided': lua(
    'transitions/undo-decision',
    'if state ~= facts.state or revision ~= tonumber(facts.revision) then',
  ),
  /** A record belongs to one row. */
  'claim of a record': lua('transitions/claim-record', 'return claim_post(ARGV[3],'),
  /** A claim is taken only while it stands. */
  'claim stands': lua(
    'transitions/reconcile-post',
    "if holder_of(post) ~= id .. ' ' .. row then return 'taken' end",
  ),
  /** A search that comes too late does not free a post that its row had. */
  'earlier post keeps its row': lua(
    'transitions/reconcile-post',
    'if not had_post(campaign, row, post) then free_post(',
  ),
  /** An answer takes its post from the row that a search or a person had given it to. */
  'answer has the last word': lua('posts', 'give_up_record(other, other_row, post, now)'),
  /** Cancelling sends a row with a call of unknown outcome to review. */
  'cancelled with an unknown outcome': lua('campaigns/cancel-rows', 'if not effect then'),
  /** The job of a post that needs an approval goes on only with one of what it would post. */
  'approval at the gate': [
    'src/processors/steps/gates.ts',
    "const isGiven = approval?.is === 'approved' && approval.digest === digest;",
  ],
  /** It looks again once its call may be sent: a late upload may have changed what it would post. */
  'post as approved': [
    'src/processors/steps/post.ts',
    'if (differsFromApproved(input, progress, approval)) return',
  ],
  /** An approval names what was shown. */
  'post as shown': [
    'src/app/approvals/approve.ts',
    "const parts = changedParts(seen.seen ?? '', post.digest);",
  ],
  /** It is one of the row as it was shown: not of before a rejection and a retry. */
  'revision as shown': lua(
    'rows',
    'if revision == tonumber(ARGV[at + 1]) then work(row, state, revision, at) end',
  ),
  /** Brought back, a row that a person has cancelled asks again. */
  'approval of a cancelled row': lua('rows/cancel-row', "redis.call('HDEL', campaign .. ':approvals', row)"),
  /** It is brought back only by a person who has seen that it was cancelled. */
  'revision of a cancelled row': lua(
    'rows/cancel-row',
    "move(campaign, row, state, 'c', (revision + 1) % 256, now)",
  ),
  /** It does not take back a rejection. */
  'only waiting posts are approved': lua(
    'approvals/approve-rows',
    "return decide_at_gate(campaign, 'unapproved', now, 4, 4, function(row, _, at)",
  ),
  /** An approval is withdrawn while no job goes by it. */
  'only ready posts lose their approval': lua(
    'approvals/withdraw-rows',
    "return decide_at_gate(campaign, 'ready', now, 4, 3, function(row, revision, at)",
  ),
  /** It does not count again after an edit that is taken back. */
  'approval that is withdrawn': lua(
    'approvals/withdraw-rows',
    "redis.call('HDEL', campaign .. ':approvals', row)",
  ),
  /** The row is approved again only by a person who is shown it after that. */
  'revision of a withdrawn approval': lua(
    'approvals/withdraw-rows',
    "move(campaign, row, 'y', 'y', (revision + 1) % 256, now)",
  ),
} as const satisfies Record<string, Source>;

export type Guard = keyof typeof guards;

/** Whether a rule holds in a model. */
export type On = (guard: Guard) => boolean;
