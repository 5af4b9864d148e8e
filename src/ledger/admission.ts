/**
 * The admission of rows to the window, written down before anything is queued: after a crash the same jobs are added again.
 */
import type { Redis } from 'ioredis';
import type { RunScript, ScriptArgument } from '../redis/script.ts';
import type { LedgerKeys } from './keys.ts';

/** Rows of one creator whose products go to the showcase by one call. A `link` is a group of its own. */
export interface ShowcaseGroup {
  /** As the manifest writes the creator. */
  readonly creator: string;
  readonly link?: string | undefined;
  readonly rows: readonly GroupRow[];
}

export interface GroupRow {
  readonly row: number;
  readonly revision: number;
  readonly productId: string;
}

/** A waiting row as the admission means to send it on. */
export interface AdmittedRow {
  readonly row: number;
  readonly revision: number;
  /** False: its showcase group adds its flow. */
  readonly atOnce: boolean;
  /** What is known of it already (files uploaded before). */
  readonly fields: readonly (readonly [string, string])[];
}

export interface AdmissionPlan {
  readonly campaign: string;
  /** `Campaign.admissions` as the plan found it: of two plans made from the same state, one comes through. */
  readonly number: number;
  /** All rows before it have been admitted. */
  readonly cursor: number;
  readonly groups: readonly ShowcaseGroup[];
  readonly rows: readonly AdmittedRow[];
}

export interface Admitted {
  readonly groups: readonly number[];
  /** Those of the rows that run now. */
  readonly rows: ReadonlySet<number>;
}

export class AdmissionLedger {
  readonly #redis: Redis;
  readonly #keys: LedgerKeys;
  readonly #admit: RunScript;
  readonly #sleep: RunScript;
  readonly #now: () => number;

  constructor(
    redis: Redis,
    keys: LedgerKeys,
    scripts: { readonly admit: RunScript; readonly sleep: RunScript },
    now: () => number,
  ) {
    this.#redis = redis;
    this.#keys = keys;
    this.#admit = scripts.admit;
    this.#sleep = scripts.sleep;
    this.#now = now;
  }

  /** Makes rows running. @returns undefined when another admission was quicker: plan anew. */
  async admit(plan: AdmissionPlan): Promise<Admitted | undefined> {
    const args: ScriptArgument[] = [plan.campaign, plan.number, plan.cursor, this.#now(), plan.groups.length];
    for (const group of plan.groups) args.push(JSON.stringify(group));
    for (const row of plan.rows) {
      args.push(row.row, row.revision, row.atOnce ? '1' : '0', row.fields.length * 2, ...row.fields.flat());
    }
    const reply = (await this.#admit(args)) as [number, ...number[]] | null;
    if (reply === null) return undefined;
    const [firstGroup, ...rows] = reply;
    return { groups: plan.groups.map((_group, index) => firstGroup + index), rows: new Set(rows) };
  }

  /**
   * Lies down until an eighth of the window has ended (half of the rows in flight, where they are few), unless it has already.
   * @param inFlight rows in flight as the admission knows of.
   */
  async sleep(campaign: string, inFlight: number): Promise<'asleep' | 'awake' | 'done' | 'paused' | 'gone'> {
    return (await this.#sleep([campaign, inFlight])) as 'asleep' | 'awake' | 'done' | 'paused' | 'gone';
  }

  /** Rows that wait again after a retry or a decision, lowest first. */
  async rowsToRedo(campaign: string, limit: number): Promise<readonly number[]> {
    return (await this.#redis.zrange(this.#keys.index(campaign, 'redo'), '0', String(limit - 1))).map(Number);
  }

  /** Rows that run but whose flow may not have been added. */
  async rowsToAdd(campaign: string): Promise<readonly { row: number; revision: number }[]> {
    const all = await this.#redis.hgetall(this.#keys.adding(campaign));
    return Object.entries(all).map(([row, revision]) => ({ row: Number(row), revision: Number(revision) }));
  }

  async flowsAdded(campaign: string, rows: readonly number[]): Promise<void> {
    if (rows.length > 0) await this.#redis.hdel(this.#keys.adding(campaign), ...rows.map(String));
  }

  async group(campaign: string, group: number): Promise<ShowcaseGroup | undefined> {
    const json = await this.#redis.hget(this.#keys.groups(campaign), String(group));
    return json === null ? undefined : (JSON.parse(json) as ShowcaseGroup);
  }

  /** Groups whose record stands: their job may be missing. */
  async groups(campaign: string): Promise<ReadonlyMap<number, ShowcaseGroup>> {
    const all = await this.#redis.hgetall(this.#keys.groups(campaign));
    return new Map(
      Object.entries(all).map(([number, json]) => [Number(number), JSON.parse(json) as ShowcaseGroup]),
    );
  }

  /** Keeps of a group only what a retry of its job would have to do. */
  async narrowGroup(campaign: string, group: number, left: ShowcaseGroup): Promise<void> {
    await this.#redis.hset(this.#keys.groups(campaign), String(group), JSON.stringify(left));
  }

  async dropGroup(campaign: string, group: number): Promise<void> {
    await this.#redis.hdel(this.#keys.groups(campaign), String(group));
  }
}
