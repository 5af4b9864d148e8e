/**
 * Plans a manifest: calls of each operation, AI outputs, bytes, and the shortest time within the rate limits. Finds rows that miss their time,
 * and manifests that ask for too many AI outputs.
 */
import { z } from 'zod';
import type { RateLimit } from '../../../config/rate-limits.ts';
import type { Settings } from '../../../config/schema.ts';
import { needsApproval } from '../../manifest/campaign-options.ts';
import { isUrl } from '../../manifest/cells/media-source.ts';
import { lacksAiLabel } from '../../manifest/cells/post-options.ts';
import { costOfOutputs, costSchema } from '../../manifest/money.ts';
import { hint } from '../../manifest/problems/hint.ts';
import type { CellProblem, RowPlace } from '../../manifest/problems/problem.ts';
import type { Row } from '../../manifest/row.ts';
import { plural } from '../../manifest/wording.ts';
import { maxProductsPerCall } from '../../service/contract/creators.ts';
import {
  type CallUnit,
  callsFor,
  type LimitedOperation,
  operationsFor,
} from '../../service/contract/operations.ts';
import type { AcceptedRow } from '../check/row-checks.ts';
import { missesItsTime } from '../check/row-warnings.ts';
import { DistinctCount } from '../check/text-hashes.ts';
import { LaterCount, laterSchema } from './later.ts';

/** What a sheet will take: calls of the service, AI outputs, and time. */
export const planSchema = z.strictObject({
  /** Accepted rows, one post each. */
  rows: z.int(),
  videos: z.int(),
  photos: z.int(),
  /** Fewest possible calls by operation; there will be more polls. An estimate beyond some ten thousand distinct files or products. */
  calls: z.record(z.string(), z.number()),
  /**
   * By operation with calls: number of posts, AI outputs, generations, files, covers, or products; milliseconds until the last of its calls
   * may start, within its rate limit; the rate limit in calls a second, `null` for no bound.
   */
  steps: z.record(
    z.string(),
    z.strictObject({ items: z.number(), leastMs: z.number(), perSecond: z.number().nullable() }),
  ),
  /** Cost of the AI outputs; `null` without prices in the settings. */
  cost: costSchema.nullable(),
  /** Images and videos to generate. */
  aiOutputs: z.strictObject({ total: z.int(), byModel: z.record(z.string(), z.int()) }),
  /** Bytes of all media of known size, each medium counted once. */
  bytes: z.number(),
  /** Shortest possible run in milliseconds: the time of the slowest operation within its rate limit. */
  shortestMs: z.number(),
  /** The slowest operation; `null` if all calls fit into the bursts. */
  decidedBy: z.string().nullable(),
  /** Rows whose time passes before their turn, if the run starts now. */
  missed: z.int(),
  /** Posts of generated photos, which the service takes no AI label for. */
  unlabelled: z.int(),
  /** Posts that wait for the approval of a person. */
  approvals: z.int(),
  /** Posts that wait for their day. */
  later: laterSchema,
});
export type Plan = Readonly<z.infer<typeof planSchema>>;

/** Calls that a row waits for its turn of; the others are few, or come before. */
const paced = ['post', 'file', 'generation'] as const;

type PlanSettings = Pick<Settings, 'rateLimits' | 'spend' | 'lead' | 'approve' | 'timezone'>;

/** Adds up the rows of a manifest. Of each file and product it remembers a hash. */
export class CallForecast {
  readonly #settings: PlanSettings;
  readonly #limits: readonly { readonly unit: CallUnit; readonly rateLimit: RateLimit }[];
  readonly #now: number;
  readonly #later: LaterCount;
  /** The first row beyond the limit of AI outputs. */
  #overspent: RowPlace | undefined;
  #videos = 0;
  #photos = 0;
  #generations = 0;
  #links = 0;
  #bytes = 0;
  #outputs = 0;
  readonly #byModel = new Map<string, number>();
  readonly #files = new DistinctCount();
  readonly #coverFiles = new DistinctCount();
  readonly #anchors = new DistinctCount();
  /** Products to add to each creator's showcase. */
  readonly #productsByCreator = new Map<string, number>();

  #products = 0;
  #missed = 0;
  #approvals = 0;
  #unlabelled = 0;

  /** @param options.now milliseconds since the epoch. */
  constructor({ settings, now }: { readonly settings: PlanSettings; readonly now: number }) {
    this.#settings = settings;
    this.#limits = paced.flatMap((unit) =>
      operationsFor([unit]).flatMap((operation) => {
        const rateLimit = this.#rateLimitOf(operation);
        return rateLimit === undefined ? [] : [{ unit, rateLimit }];
      }),
    );
    this.#now = now;
    this.#later = new LaterCount(settings.lead, now);
  }

  /**
   * Appends a row.
   * @param outputs of its generation that are still to be made; default: all.
   * @returns a warning if its turn comes too late.
   */
  add(accepted: AcceptedRow, outputs = accepted.row.generation?.count ?? 0): CellProblem | null {
    const { line, worksheet, row, creator, bytesOf } = accepted;
    if (row.mediaType === 'VIDEO') this.#videos += 1;
    else this.#photos += 1;
    if (lacksAiLabel(row)) this.#unlabelled += 1;
    this.#later.add(row);
    if (needsApproval(row, this.#settings.approve)) this.#approvals += 1;
    if (row.showcase) this.#addProduct(row, creator);
    for (const source of row.media) this.#addFile(source, bytesOf);
    for (const reference of row.generation?.references ?? []) {
      if (!isUrl(reference)) this.#addFile(reference, bytesOf);
    }
    if (row.generation !== undefined && outputs > 0) this.#addGeneration(row.generation.model, outputs);
    if (row.cover?.kind === 'file') {
      this.#addFile(row.cover.source, bytesOf);
      this.#coverFiles.add(row.cover.source);
    }
    if (this.#outputs > this.#limit().most) this.#overspent ??= { line, worksheet };
    if (row.schedule === undefined) return null;
    const earliest = this.#now + this.#leastMs();
    if (row.schedule.at >= earliest) return null;
    this.#missed += 1;
    return missesItsTime(row, earliest, this.#settings.timezone);
  }

  /** The nearer limit of AI outputs. */
  #limit(): { readonly name: string; readonly most: number; readonly is: string } {
    const { maxOutputs, perMonth } = this.#settings.spend;
    const [campaign, month] = [maxOutputs ?? Number.POSITIVE_INFINITY, perMonth ?? Number.POSITIVE_INFINITY];
    return campaign <= month
      ? { name: 'spend.maxOutputs', most: campaign, is: `the limit is ${campaign}` }
      : { name: 'spend.perMonth', most: month, is: `the monthly limit leaves ${month}` };
  }

  /** A warning of more AI outputs than the limit, and the first row beyond it. */
  overspending(): { readonly place: RowPlace; readonly problem: CellProblem } | null {
    if (this.#overspent === undefined) return null;
    const { name, is } = this.#limit();
    return {
      place: this.#overspent,
      problem: {
        column: null,
        code: 'too_many_outputs',
        value: String(this.#outputs),
        problem: `the sheet asks for ${plural(this.#outputs, 'AI output')}; ${is}, and the rows beyond that wait for an operator`,
        fix: [
          'Remove rows, or lower ai_count. Or ask an operator to allow them after the start, or to raise the limit.',
          hint('setting', { name }),
        ],
      },
    };
  }

  /** Milliseconds until the turn of the last added row, if the run starts now. */
  #leastMs(): number {
    const counts = this.#counts(0);
    let least = 0;
    for (const { unit, rateLimit } of this.#limits)
      least = Math.max(least, leastTime(counts[unit], rateLimit));
    return least;
  }

  finish(): Plan {
    const calls = this.#calls();
    const steps = this.#steps(calls);
    let [shortestMs, decidedBy]: [number, string | null] = [0, null];
    for (const [operation, { leastMs }] of Object.entries(steps)) {
      if (leastMs > shortestMs) [shortestMs, decidedBy] = [leastMs, operation];
    }
    return {
      rows: this.#videos + this.#photos,
      videos: this.#videos,
      photos: this.#photos,
      calls,
      steps,
      aiOutputs: { total: this.#outputs, byModel: Object.fromEntries(this.#byModel) },
      cost: costOfOutputs(this.#byModel, this.#settings.spend),
      bytes: this.#bytes,
      shortestMs,
      decidedBy,
      missed: this.#missed,
      unlabelled: this.#unlabelled,
      approvals: this.#approvals,
      later: this.#later.finish(steps.createCreatorPost?.perSecond ?? null),
    };
  }

  #addProduct(row: Row, creator: string): void {
    const { link, id } = row.product;
    if (!this.#anchors.add(creator, link ?? id)) return;
    this.#products += 1;
    // Each link needs its own call; ids share calls.
    if (link !== undefined) this.#links += 1;
    else this.#productsByCreator.set(creator, (this.#productsByCreator.get(creator) ?? 0) + 1);
  }

  #addFile(source: string, bytesOf: (source: string) => number): void {
    if (this.#files.add(source)) this.#bytes += bytesOf(source);
  }

  #addGeneration(model: string, outputs: number): void {
    this.#generations += 1;
    this.#outputs += outputs;
    this.#byModel.set(model, (this.#byModel.get(model) ?? 0) + outputs);
  }

  #calls(): Plan['calls'] {
    let additions = this.#links;
    for (const products of this.#productsByCreator.values()) {
      additions += Math.ceil(products / maxProductsPerCall);
    }
    return callsFor(this.#counts(additions));
  }

  #counts(addition: number): Readonly<Record<CallUnit, number>> {
    return {
      addition,
      generation: this.#generations,
      poll: this.#generations,
      file: this.#files.size + this.#outputs,
      cover: this.#coverFiles.size,
      post: this.#videos + this.#photos,
    };
  }

  #steps(calls: Plan['calls']): Plan['steps'] {
    const items = callsFor({ ...this.#counts(this.#products), generation: this.#outputs });
    const made = (Object.entries(calls) as [LimitedOperation, number][]).filter(([, count]) => count > 0);
    return Object.fromEntries(
      made.map(([operation, count]) => {
        const rateLimit = this.#rateLimitOf(operation);
        const perSecond = rateLimit === undefined ? null : (rateLimit.rate * 1000) / rateLimit.per;
        const leastMs = rateLimit === undefined ? 0 : leastTime(count, rateLimit);
        return [operation, { items: items[operation] ?? count, leastMs, perSecond }];
      }),
    );
  }

  #rateLimitOf(operation: LimitedOperation): RateLimit | undefined {
    return this.#settings.rateLimits[operation] ?? this.#settings.rateLimits.default;
  }
}

/** Milliseconds until the last of `count` calls may start, with a full burst at the beginning. */
function leastTime(count: number, rateLimit: RateLimit): number {
  return Math.ceil((Math.max(0, count - rateLimit.burst) * rateLimit.per) / rateLimit.rate);
}
