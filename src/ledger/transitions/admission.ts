/** Rows admitted to the window. The ledger records them before their jobs are added, so a crash loses no job. */
import { z } from 'zod';
import type { RowIndex, RowVersion } from '../../manifest/row.ts';
import type { ScriptArgument } from '../../platform/redis/script.ts';
import { LedgerPart, rowNumbers } from '../ledger-part.ts';
import { readAllStored, readStored, unlessOfOtherType } from '../stored-json.ts';

const groupRow = z.object({ row: z.int(), revision: z.int(), productId: z.string() });
export type GroupRow = Readonly<z.infer<typeof groupRow>>;

/** Rows of one creator whose products one call adds to the showcase. A `link` is a group of its own. */
const showcaseGroup = z.object({
  /** `Row.creator`. */
  creator: z.string(),
  link: z.string().optional(),
  rows: z.array(groupRow).readonly(),
  /** Products that waiting rows of the creator will need: the call takes them along, and their rows keep waiting. */
  along: z.array(z.string()).readonly().optional(),
});
export type ShowcaseGroup = Readonly<z.infer<typeof showcaseGroup>>;

/** A waiting row that the admission plans to start. */
interface AdmittedRow extends RowVersion {
  /** False: its showcase group adds its flow. */
  readonly atOnce: boolean;
  /** Known progress (files uploaded before). */
  readonly fields: readonly (readonly [string, string])[];
}

interface AdmissionPlan {
  readonly campaign: string;
  /** As in `ReadRow`. */
  readonly sheetId?: string | undefined;
  /** `Campaign.admissions` when the plan was made: of two plans made from the same state, only one is carried out. */
  readonly number: number;
  readonly cursor: number;
  readonly groups: readonly ShowcaseGroup[];
  readonly rows: readonly AdmittedRow[];
}

export class AdmissionLedger extends LedgerPart {
  /** @returns the rows that run now; undefined when another admission was quicker, or the sheet is another one: make a new plan. */
  async admit(plan: AdmissionPlan) {
    const { campaign, number, cursor, sheetId = '' } = plan;
    const args: ScriptArgument[] = [campaign, number, cursor, this.clock, sheetId, plan.groups.length];
    for (const group of plan.groups) args.push(JSON.stringify(group));
    for (const row of plan.rows) {
      args.push(row.row, row.revision, row.atOnce ? '1' : '0', row.fields.length * 2, ...row.fields.flat());
    }
    const reply = await this.run<[number, ...number[]] | null>('transitions/admit-rows', args);
    if (reply === null) return undefined;
    const [firstGroup, ...rows] = reply;
    return { groups: plan.groups.map((_group, index) => firstGroup + index), rows: new Set(rows) };
  }

  /** @param inFlight rows in flight, as far as the admission knows. @returns `awake` when an eighth of the window is free already. */
  async sleep(campaign: string, inFlight: number): Promise<'asleep' | 'awake' | 'done' | 'paused' | 'gone'> {
    return this.run('transitions/sleep-admission', [campaign, inFlight, this.clock]);
  }

  /** Releases decided rows that have waited long enough. @returns their number. */
  async releaseHeld(campaign: string): Promise<number> {
    return this.run('transitions/release-held', [campaign, this.clock]);
  }

  /** Sends ready rows back to waiting whose gate is open by now, the nearest time first. @returns their number. */
  async wakeReady(campaign: string, most: number): Promise<number> {
    return this.run('transitions/wake-ready', [campaign, this.clock, most]);
  }

  /** When the gate of a ready row opens (Unix epoch, milliseconds), by default of the next one; undefined if it is not ready, or none is. */
  async readyAt(campaign: string, row?: RowIndex): Promise<number | undefined> {
    const key = this.keys.index(campaign, 'ready');
    const reading =
      row === undefined
        ? this.redis.zrange(key, '0', '0', 'WITHSCORES').then(([, first]) => first)
        : this.redis.zscore(key, String(row));
    // The pages of all campaigns ask; the admission pauses this one.
    const at = await unlessOfOtherType(reading, undefined);
    return at == null ? undefined : Number(at);
  }

  /** Ready rows whose gate opens until then (Unix epoch, milliseconds). */
  async countReady(campaign: string, until: number): Promise<number> {
    return unlessOfOtherType(this.redis.zcount(this.keys.index(campaign, 'ready'), '-inf', until), 0);
  }

  async countRedo(campaign: string): Promise<number> {
    return this.redis.zcard(this.keys.index(campaign, 'redo'));
  }

  /** Rows that wait again after a retry or a decision, lowest first, without those decided moments ago. */
  rowsToRedo(campaign: string, limit: number): Promise<readonly number[]> {
    return this.rowsOf(campaign, 'redo', limit);
  }

  /** Running rows whose flow may not have been added yet. */
  async rowsToAdd(campaign: string): Promise<readonly RowVersion[]> {
    const all = await this.redis.hgetall(this.keys.adding(campaign));
    const rows = rowNumbers(Object.keys(all));
    return rows.map((row) => ({ row, revision: Number(all[row]) }));
  }

  async flowsAdded(campaign: string, rows: readonly Pick<RowVersion, 'row'>[]): Promise<void> {
    if (rows.length > 0)
      await this.redis.hdel(this.keys.adding(campaign), ...rows.map(({ row }) => `${row}`));
  }

  async group(campaign: string, group: number): Promise<ShowcaseGroup | undefined> {
    const json = await this.redis.hget(this.keys.groups(campaign), String(group));
    return readStored(showcaseGroup, json);
  }

  /** Groups that still have a record: their job may be missing. */
  async groups(campaign: string): Promise<ReadonlyMap<number, ShowcaseGroup>> {
    const all = await this.redis.hgetall(this.keys.groups(campaign));
    const groups = readAllStored(showcaseGroup, Object.entries(all));
    return new Map(groups.map(([number, group]) => [Number(number), group]));
  }

  /** Reduces a group to the rows that a retry of its job still has to do. */
  async narrowGroup(campaign: string, group: number, left: ShowcaseGroup): Promise<void> {
    await this.redis.hset(this.keys.groups(campaign), String(group), JSON.stringify(left));
  }

  async dropGroup(campaign: string, group: number): Promise<void> {
    await this.redis.hdel(this.keys.groups(campaign), String(group));
  }
}
