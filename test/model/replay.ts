/** Runs the events of a trace against the real scripts, and compares what they leave with the model. */
import { expect } from 'vitest';
import type { Decision } from '../../src/ledger/transitions/decisions.ts';
import { shardOf, type UnknownCall } from '../../src/ledger/transitions/publishing.ts';
import type { StepEnd } from '../../src/ledger/transitions/steps.ts';
import { stepStart, type TestLedger } from '../support/ledger.ts';
import { rules } from './events.ts';
import type { Event } from './rule.ts';
import type { Entry, Outcome, Worker, World } from './world.ts';

/** Longer than a call may be sent, and shorter than until it is over; and how long a decided row waits. */
const tickMs = 10_000;
const callMs = 10_000;

const error = { step: 'post' as const, code: 'outcome_unknown', message: 'no answer', at: 5 };

/** What the model and the ledger are compared by, of a row. */
interface Projection {
  readonly state: string;
  readonly revision: number;
  readonly entry: string | null;
  readonly late: readonly string[];
  readonly post: string | null;
  readonly earlier: readonly string[];
  readonly place: string;
}

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
        return void (await ledger.steps.finish({
          ...row,
          step: 'post',
          jobId: 'job',
          end: { verdict: 'ready', gate: { name: 'ready', at: clock.now }, fields: [] },
        }));
      case 'wake':
        // Of two rows, this one is the nearest.
        await this.#test.redis.zadd(ledger.keys.index(campaign, 'ready'), 0, String(on));
        return void (await ledger.admission.wakeReady(campaign, 1));
      case 'cancel':
        return void (await ledger.cancellation.begin(campaign));
      case 'cancelRow':
        return void (await ledger.cancellation.cancelRows(campaign, on, 1));
      case 'retry':
        await this.#noteLook(on);
        return void (await ledger.rows.redo(campaign, [row]));
      case 'lookAgain':
        return this.#noteLook(on);
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
        if (search) await ledger.publishing.claim({ ...search, campaign }, this.#post(search.post));
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
    const model = {
      rows: world.rows.map(
        (row): Projection => ({
          state: row.state,
          revision: row.revision,
          entry: entryText(row.entry),
          late: row.late.map((post) => this.#post(post)),
          post: row.post < 0 ? null : this.#post(row.post),
          earlier: row.earlier.map((post) => this.#post(post)),
          place: row.place === 'first' ? '' : row.place,
        }),
      ),
      holders: world.calls.map((_, post) => {
        const held = world.holders[post] ?? -1;
        return held < 0 ? null : `${this.#campaign} ${held >> 1}${held % 2 === 1 ? ' a' : ''}`;
      }),
    };
    const stored = await this.#read(world.rows.length, world.calls.length);
    if (JSON.stringify(stored) !== JSON.stringify(model)) expect(stored, trace.join('\n')).toEqual(model);
  }

  async #read(rows: number, posts: number): Promise<{ rows: Projection[]; holders: (string | null)[] }> {
    const { redis, ledger } = this.#test;
    const { keys } = ledger;
    const id = this.#campaign;
    const pipeline = redis.pipeline();
    for (let row = 0; row < rows; row += 1) {
      pipeline.getrangeBuffer(keys.states(id), row * 2, row * 2 + 1);
      pipeline.hmget(keys.progress(id, row), 'journal:post', 'late');
      pipeline.hget(keys.results(id, 0), String(row));
      pipeline.hget(keys.earlier(id), String(row));
      pipeline.zscore(keys.index(id, 'redo'), row);
      pipeline.zscore(keys.held(id), row);
      pipeline.zscore(keys.index(id, 'ready'), row);
    }
    for (let post = 0; post < posts; post += 1) {
      pipeline.hget(keys.posts(shardOf(this.#post(post))), this.#post(post));
    }
    const replies = ((await pipeline.exec()) ?? []).map(([, reply]) => reply);
    const projections = Array.from({ length: rows }, (_, row): Projection => {
      const [bytes, work, result, earlier, redo, held, ready] = replies.slice(row * 7, row * 7 + 7);
      const [entry, late] = work as [string | null, string | null];
      const [letter = 0, revision = 0] = bytes as Buffer;
      return {
        state: String.fromCharCode(letter),
        revision,
        entry: entry?.split(' ').slice(0, 2).join(' ') ?? null,
        late: postsOf(late as string | null),
        post: postsOf(result as string | null)[0] ?? null,
        earlier: postsOf(earlier as string | null),
        place: redo !== null ? 'redo' : held !== null ? 'held' : ready !== null ? 'ready' : '',
      };
    });
    return { rows: projections, holders: replies.slice(rows * 7) as (string | null)[] };
  }

  async #start(worker: Worker, call: number, { reply }: Worker, trace: readonly string[]): Promise<void> {
    const ref = { campaign: this.#campaign, row: worker.row, revision: worker.revision };
    const { kind, ...verdict } = await this.#test.ledger.steps.start({
      ...stepStart(ref),
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
      jobId: 'job',
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

  async #noteLook(row: number): Promise<void> {
    const { failedPosts } = this.#test.ledger;
    const earlier = (await failedPosts.all(this.#campaign)).get(row);
    if (earlier) await failedPosts.noteLooks(this.#campaign, new Map([[row, earlier]]));
  }

  async #failPost(row: number): Promise<void> {
    const { ledger } = this.#test;
    const before = (await ledger.publishing.posts(this.#campaign, 0)).get(row);
    if (before) await ledger.failedPosts.fail(this.#campaign, [{ row, before, postStatus: 'FAILED', error }]);
  }

  #post(post: number): string {
    return `${this.#campaign}-p${post}`;
  }

  #result(post: number) {
    return { postId: this.#post(post), postStatus: '', fileIds: ['7'], at: 5000 };
  }
}

function entryText(entry: Entry | undefined): string | null {
  return entry ? `${entry.state} ${entry.by < 0 ? '-' : `t${entry.by}`}` : null;
}

/** Post ids of packed results, one a line. */
function postsOf(packed: string | null): string[] {
  return packed ? packed.split('\n').map((line) => line.split('\t')[0] ?? '') : [];
}
