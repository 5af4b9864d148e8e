/**
 * An honest person, who works with the command line while faults strike: decides about rows in review as the service knows them,
 * accepts a lost journal as the docs say, resumes, and retries. Refused commands are simply tried again later.
 */
import { join } from 'node:path';
import { z } from 'zod';
import type { Queues } from '../../src/queues/queues.ts';
import type { Random } from '../fuzz/random.ts';
import { type Cells, type ResultRow, readSheet, writeSheet } from '../support/sheets/sheet.ts';
import type { Approver } from './approver.ts';
import type { Site } from './site.ts';
import { type Decision, truthAbout } from './truth.ts';

const id = 'c1';
const campaign = z.object({ state: z.string(), counts: z.record(z.string(), z.number()) });
const journal = z.object({ behind: z.boolean() });
/** Each is a command, while faults strike. */
const decidedAtOnce = 10;

export class Person {
  /** Rows decided so far. */
  decided = 0;
  /** Updates of the sheet so far. */
  edited = 0;
  /** The campaign as it was seen last. */
  seen = '';
  readonly #site: Site;
  readonly #queues: Queues;
  readonly #random: Random;
  readonly #approver: Approver;
  #rows: readonly Cells[];

  constructor(
    site: Site,
    queues: Queues,
    random: Random,
    { approver, rows }: { readonly approver: Approver; readonly rows: readonly Cells[] },
  ) {
    this.#site = site;
    this.#queues = queues;
    this.#random = random;
    this.#approver = approver;
    this.#rows = rows;
  }

  /** Something that a person may do at any time. */
  async actAtRandom(): Promise<void> {
    const act = this.#random.integer(1, 10);
    if (act === 1) await this.#run(['retry', id]);
    else if (act === 2) await this.#runJobsAgain();
    else if (act === 3) await this.#run(['pause', id]);
    else if (act === 4) await this.#edit();
    else await this.act();
  }

  /** Does what there is to do. @returns true once the campaign has ended and leaves nothing to decide. */
  async act(): Promise<boolean> {
    const before = await this.#look();
    if (!before) return false;
    if (before.state === 'paused') await this.#acceptJournal();
    const review = before.counts.review ?? 0;
    if (review > 0) await this.#decide();
    else if (before.state === 'ended') return true;
    if (this.#site.isHealing) await this.#approver.approveAll();
    if (before.state === 'paused') await this.#run(['resume', id]);
    return false;
  }

  async #look() {
    const finished = await this.#run(['show', id, '--json'], { isQuiet: true });
    if (finished?.code !== 0) return undefined;
    const found = campaign.parse(JSON.parse(finished.stdout));
    this.seen = JSON.stringify([found, this.decided]);
    return found;
  }

  async #acceptJournal(): Promise<void> {
    const finished = await this.#run(['journal', '--json'], { isQuiet: true });
    // 3 if it is behind, 2 if Redis is away.
    if (!finished || finished.code === 2 || !journal.parse(JSON.parse(finished.stdout)).behind) return;
    await this.#run(['journal', '--accept', '--yes']);
  }

  async #decide(): Promise<void> {
    const sheet = 'review.csv';
    const written = await this.#run(['report', id, '--only', 'review', '--out', sheet], { isQuiet: true });
    if (written?.code !== 0) return;
    const path = join(this.#site.folder, sheet);
    const { rows } = readSheet(path);
    // A list may lie about for a while. The decisions are true when they are made.
    if (this.#random.once(3)) await this.#site.lasting(this.#random.integer(500, 5000));
    for (const row of rows.slice(0, decidedAtOnce)) await this.#decideOne(row);
  }

  async #decideOne(row: ResultRow): Promise<void> {
    const decision = truthAbout(row, await this.#site.service.effects());
    this.#site.timeline.note(`the person says: ${row.key} ${decision.decision}`);
    const finished = await this.#run(['decide', id, row.key, ...decision.option]);
    if (finished?.code === 0) this.decided += 1;
    await this.#thinkAgain(row, decision);
  }

  /** A command may wait for Redis for long. What is no longer true when it has ended is taken back. */
  async #thinkAgain(row: ResultRow, { decision }: Decision): Promise<void> {
    const now = truthAbout(row, await this.#site.service.effects());
    if (now.decision === decision) return;
    this.#site.timeline.note(`no longer true: ${row.key} is ${now.decision}`);
    await this.#run(['decide', id, row.key, '--undo']);
  }

  /** The next version of the sheet: some rows have another product. Rows that run or have ended are left as they are. */
  async #edit(): Promise<void> {
    const title = `Product ${this.#random.integer(1, 1000)}`;
    this.#rows = this.#rows.map((row) => (this.#random.once(4) ? { ...row, product_title: title } : row));
    const sheet = 'edited.csv';
    writeSheet(join(this.#site.folder, sheet), this.#rows);
    const finished = await this.#run(['import', sheet, '--into', id]);
    if (finished?.code === 0) this.edited += 1;
  }

  /** Runs jobs again that have ended, as Bull Board does. */
  async #runJobsAgain(): Promise<void> {
    const queue = await this.#queues.queue(this.#random.pick(['post', 'post', 'generate', 'upload', 'poll']));
    const state = this.#random.pick(['failed', 'failed', 'completed'] as const);
    try {
      const jobs = (await queue.getJobs([state], 0, 20)).filter((job) => job !== undefined);
      if (jobs.length === 0) return;
      const job = this.#random.pick(jobs);
      this.#site.timeline.note(`job ${job.id} (${state}) is run again`);
      await job.retry(state);
    } catch (error) {
      this.#site.timeline.note(`no job is run again: ${error instanceof Error ? error.message : error}`);
    }
  }

  async #run(args: readonly string[], { isQuiet = false } = {}) {
    const finished = await this.#site.run(args);
    if (finished && (!isQuiet || finished.code !== 0)) {
      const said = (finished.code === 0 ? finished.stdout : finished.stderr || finished.stdout).split('\n');
      this.#site.timeline.note(
        `campaigns ${args.join(' ')}: ${finished.code}, ${said.slice(0, 3).join(' / ').slice(0, 300)}`,
      );
    }
    return finished;
  }
}
