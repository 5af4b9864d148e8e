/** Runs the events of a trace against the real scripts, and compares what they leave with the model. */
import { expect } from 'vitest';
import type { Decision } from '../../src/ledger/transitions/decisions.ts';
import type { UnknownCall } from '../../src/ledger/transitions/publishing.ts';
import type { StepEnd } from '../../src/ledger/transitions/step-outcomes.ts';
import type { RowVersion } from '../../src/manifest/row.ts';
import { stepStart, type TestLedger } from '../support/ledger.ts';
import { rules } from './events.ts';
import { digestOf, ofLedger, ofModel, postOf } from './projection.ts';
import type { Event } from './rule.ts';
import type { Outcome, Worker, World } from './world.ts';

/** Longer than a call may be sent, and shorter than until it is over; and how long a decided row waits. */
const tickMs = 10_000;
const callMs = 10_000;

const error = { step: 'post' as const, code: 'outcome_unknown', message: 'no answer', at: 5 };

export class Replay {
  readonly #test: TestLedger;
  readonly #campaign: string;
  readonly #unknownCalls = new Map<number, UnknownCall>();

  constructor(test: TestLedger, campaign: string) {
    this.#test = test;
    this.#campaign = campaign;
  }

  /**
   * Does what the event does, and compares the ledger with the model, if the event is one of the ledger.
   * @param trace the events so far, for the message of a difference.
   */
  async run(event: Event, before: World, after: World, trace: readonly string[]): Promise<void> {
    if (!rules[event.rule]?.source) return;
    await this.#carryOut(event, before, after, trace);
    await this.#compare(after, trace);
  }

  async #carryOut(
    { rule, on, what }: Event,
    before: World,
    after: World,
    trace: readonly string[],
  ): Promise<void> {
    const { ledger, clock } = this.#test;
    const campaign = this.#campaign;
    const search = before.searches[on];
    const row = { campaign, row: on, revision: before.rows[on]?.revision ?? 0 };
    switch (rule) {
      case 'admit':
        return this.#test.admit(campaign, [on]);
      case 'release':
        return void (await ledger.admission.releaseHeld(campaign));
      case 'makeReady':
      case 'findUnapproved': {
        const gate = { name: rule === 'makeReady' ? 'ready' : 'unapproved', at: clock.now } as const;
        const end = { verdict: 'ready', gate, fields: [] } as const;
        return void (await ledger.steps.finish({ ...row, step: 'post', jobId: jobOf(row), end }));
      }
      case 'approve': {
        const { shown } = before;
        if (!shown || before.rows[shown.row]?.content !== shown.content) return;
        const seen = { ...shown, digest: digestOf(shown.content), opensAt: clock.now };
        return void (await ledger.approvals.approve(campaign, [seen], 'mei'));
      }
      case 'reject':
        return void (await ledger.approvals.reject(campaign, [row], { by: 'mei', reason: '', error }));
      case 'takeBack':
        return void (await ledger.approvals.withdraw(campaign, [{ ...row, plannedAt: undefined }], 'mei'));
      case 'edit':
        return this.#edit(row);
      case 'editShown':
        return before.shown && this.#edit(before.shown);
      case 'withdraw':
        return void (await ledger.rows.cancelOne(campaign, row, 'mei'));
      case 'uploadLate': {
        const fields = [['file:0', digestOf(after.rows[on]?.content ?? 0)]] as const;
        const end = { verdict: 'ok', fields } as const;
        return void (await ledger.steps.finish({ ...row, step: 'upload', jobId: jobOf(row), end }));
      }
      case 'wake':
        // Of two rows, this one is the nearest.
        await this.#test.redis.zadd(ledger.keys.index(campaign, 'ready'), 0, String(on));
        return void (await ledger.admission.wakeReady(campaign, 1));
      case 'cancel':
        return void (await ledger.cancellation.begin(campaign));
      case 'cancelRow':
        return void (await ledger.cancellation.cancelRows(campaign, on, 1));
      case 'retry':
        await this.#recordRecheck(on);
        return void (await ledger.rows.redo(campaign, [row]));
      case 'lookAgain':
        return this.#recordRecheck(on);
      case 'otherStepFails':
        return this.#finish(row, -1, 'without a call');
      case 'start':
        return this.#start(
          before.workers[on] as Worker,
          before.calls.length,
          after.workers[on] as Worker,
          trace,
        );
      case 'startAgain':
        return this.#start(
          before.workers[on] as Worker,
          before.workers[on]?.call ?? 0,
          after.workers[on] as Worker,
          trace,
        );
      case 'finish':
      case 'finishAgain': {
        const { row: of, revision, call, outcome } = before.workers[on] as Worker;
        return outcome === '' ? undefined : this.#finish({ campaign, row: of, revision }, call, outcome);
      }
      case 'decide':
        return this.#decide(before);
      case 'undo':
        return void (await ledger.decisions.undo(campaign, on));
      case 'search': {
        const [unknownCall] = await ledger.publishing.unknownCalls(campaign, [what]);
        if (unknownCall) this.#unknownCalls.set(on, unknownCall);
        return;
      }
      case 'claim':
        if (search)
          await ledger.publishing.claim({ ...search, campaign }, postOf(this.#campaign, search.post));
        return;
      case 'take': {
        const unknownCall = this.#unknownCalls.get(on);
        if (search && unknownCall)
          await ledger.publishing.reconcile({ ...search, campaign }, unknownCall, this.#result(search.post));
        return;
      }
      case 'failPost':
        return this.#failPost(on);
      case 'postAgain': {
        const earlier = (await ledger.failedPosts.all(campaign)).get(on) ?? [];
        return void (await ledger.failedPosts.postAgain(row, earlier, this.#result(what)));
      }
      case 'tick':
        clock.now += tickMs;
        return;
      case 'wait':
        clock.now += 600_000;
    }
  }

  async #compare(world: World, trace: readonly string[]): Promise<void> {
    const stored = await ofLedger(this.#test, this.#campaign, world);
    const model = ofModel(world, this.#campaign);
    if (JSON.stringify(stored) !== JSON.stringify(model)) expect(stored, trace.join('\n')).toEqual(model);
  }

  async #start(worker: Worker, call: number, { reply }: Worker, trace: readonly string[]): Promise<void> {
    const ref = { campaign: this.#campaign, row: worker.row, revision: worker.revision };
    const { kind, ...verdict } = await this.#test.ledger.steps.start({
      ...stepStart(ref, jobOf(ref)),
      effect: 'post',
      token: `t${call}`,
      callMs,
    });
    const isReview = kind === 'ended' && 'state' in verdict && verdict.state === 'review';
    const replied = kind === 'go' ? 'go' : isReview ? 'review' : 'no';
    expect(replied, trace.join('\n')).toBe(reply === '' ? 'no' : reply);
  }

  async #finish(ref: { campaign: string; row: number; revision: number }, call: number, outcome: Outcome) {
    const attempt =
      outcome === 'without a call'
        ? { step: 'upload' as const }
        : { step: 'post' as const, effect: 'post' as const, token: `t${call}` };
    await this.#test.ledger.steps.finish({
      ...ref,
      ...attempt,
      jobId: jobOf(ref),
      end: this.#endOf(call, outcome),
    });
  }

  #endOf(call: number, outcome: Outcome): StepEnd {
    switch (outcome) {
      case 'posted':
        return { verdict: 'posted', result: this.#result(call), assets: [] };
      case 'cleared':
      case 'unfit':
        return { verdict: 'cleared' };
      case 'failed':
      case 'without a call':
        return { verdict: 'failed', error };
      case 'review':
      case 'cut-off':
        return { verdict: outcome, error };
    }
  }

  async #decide({ look }: World): Promise<void> {
    if (!look) return;
    const ref = { campaign: this.#campaign, row: look.row, revision: look.revision };
    const decision: Decision =
      look.post < 0
        ? { kind: 'again', fields: [] }
        : { kind: 'posted', result: this.#result(look.post), assets: [] };
    await this.#test.ledger.decisions.decide(ref, look.unknownEffect ? 'post' : undefined, decision);
  }

  /** Of one cell that needs no other progress. */
  async #edit({ row, revision }: RowVersion): Promise<void> {
    const { ledger } = this.#test;
    const campaign = await ledger.campaigns.find(this.#campaign);
    if (!campaign) return;
    const { header, map } = campaign;
    const outdated = { files: false, cover: false, references: false, generations: false };
    const same = { header, map, creator: undefined, rows: undefined };
    await ledger.edits.edit(campaign, {
      row,
      revision,
      chunk: 0,
      outdated,
      what: '',
      ...same,
    });
  }

  async #recordRecheck(row: number): Promise<void> {
    const { failedPosts } = this.#test.ledger;
    const earlier = (await failedPosts.all(this.#campaign)).get(row);
    if (earlier) await failedPosts.recordRechecks(this.#campaign, new Map([[row, earlier]]));
  }

  async #failPost(row: number): Promise<void> {
    const { ledger } = this.#test;
    const before = (await ledger.publishing.posts(this.#campaign, 0)).get(row);
    if (before) await ledger.failedPosts.fail(this.#campaign, [{ row, before, postStatus: 'FAILED', error }]);
  }

  #result(post: number) {
    return { postId: postOf(this.#campaign, post), postStatus: '', fileIds: ['7'], at: 5000 };
  }
}

/** Of each revision of a row. */
const jobOf = ({ revision }: { readonly revision: number }): string => `job${revision}`;
