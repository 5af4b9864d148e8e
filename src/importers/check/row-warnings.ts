/** Warnings about rows. A warning does not stop a row from being posted. */
import type { Settings } from '../../../config/schema.ts';
import { numberInLink } from '../../manifest/cells/id.ts';
import { lacksAiLabel, noLabelForPhotos } from '../../manifest/cells/post-options.ts';
import { hint } from '../../manifest/problems/hint.ts';
import {
  type CellProblem,
  describePlace,
  type RowPlace,
  showValue,
} from '../../manifest/problems/problem.ts';
import type { Row } from '../../manifest/row.ts';
import { sheetTime } from '../../manifest/wording.ts';
import { videoPermission } from '../../service/contract/creators.ts';
import { charactersOf, maxAnchorTitleLength, maxCaptionLength } from '../../service/contract/posts.ts';
import { PlaceIndex } from './text-hashes.ts';

/** Warns of times that are closer than this: they are easily missed, because files must be uploaded first. */
const soonMs = 15 * 60_000;
/** Times further ahead are rarely meant: the year may be a slip. */
export const farMs = 366 * 86_400_000;
/** Each row is compared with at least this many earlier ones, and at most twice as many, to bound memory. */
const rowsKept = 50_000;

const none: readonly CellProblem[] = [];

export class RowWarnings {
  readonly #now: number;
  readonly #captions = new PlaceIndex(rowsKept);
  readonly #times = new PlaceIndex(rowsKept);

  /** @param now milliseconds since the epoch. */
  constructor(now: number) {
    this.#now = now;
  }

  /** Returns the warnings of an accepted row. @param line of the row. */
  check(row: Row, place: RowPlace): readonly CellProblem[] {
    const earlier = this.#captions.addOrFind(place, row.creator, row.caption);
    const at = row.schedule?.at;
    const beside = at === undefined ? undefined : this.#times.addOrFind(place, row.creator, String(at));
    const long = longInUnits(row);
    const soon = row.schedule !== undefined && row.schedule.at < this.#now + soonMs;
    const isUnlabelled = lacksAiLabel(row);
    const far = this.#farTimes(row);
    const isOption = row.key.startsWith('-');
    const linked = linksElsewhere(row);
    const isVain = row.schedule === undefined && typeof row.lead === 'number';
    const isFine =
      earlier === undefined && beside === undefined && !soon && !isUnlabelled && !isOption && !isVain;
    if (isFine && long === none && far === none && linked === none) return none;
    return [
      ...(earlier === undefined ? [] : [repeats(row, earlier)]),
      ...(beside === undefined ? [] : [isBeside(row, beside)]),
      ...(soon ? [isSoon(row)] : []),
      ...far,
      ...long,
      ...linked,
      ...(isUnlabelled ? [unlabelled] : []),
      ...(isOption ? [looksLikeOption(row)] : []),
      ...(isVain ? [leadWithoutTime] : []),
    ];
  }

  #farTimes({ schedule, generation }: Row): readonly CellProblem[] {
    const isFar = (at: number | undefined): at is number => at !== undefined && at > this.#now + farMs;
    if (!isFar(schedule?.at) && !isFar(generation?.execAt)) return none;
    return [
      ...(isFar(schedule?.at) ? [farAhead('scheduled_at', schedule.at, schedule.tz)] : []),
      ...(isFar(generation?.execAt) ? [farAhead('ai_exec_at', generation.execAt, schedule?.tz)] : []),
    ];
  }
}

function farAhead(column: 'scheduled_at' | 'ai_exec_at', at: number, zone: string | undefined): CellProblem {
  return {
    column,
    code: 'time_far',
    value: sheetTime(at, zone ?? null),
    problem: 'this time is more than a year away',
    fix: 'Check the year.',
  };
}

/**
 * Warns of texts within the limit in characters, but not in UTF-16 units. The contract does not say which of them the service
 * counts.
 */
function longInUnits({ caption, product }: Row): readonly CellProblem[] {
  if (caption.length <= maxCaptionLength && product.title.length <= maxAnchorTitleLength) return none;
  const long = (column: 'caption' | 'product_title', text: string, most: number): CellProblem[] => {
    if (text.length <= most) return [];
    const problem = `${column} is within its limit of ${most} only if an emoji counts as one: it has ${charactersOf(text)} characters, or ${text.length} if an emoji counts as two`;
    const fix = 'If the service refuses the post, shorten it.';
    return [{ column, code: 'long_in_units', value: showValue(text), problem, fix }];
  };
  return [
    ...long('caption', caption, maxCaptionLength),
    ...long('product_title', product.title, maxAnchorTitleLength),
  ];
}

/** The product link has another number than the id: the row names two products. */
function linksElsewhere({ product: { id, link } }: Row): readonly CellProblem[] {
  const linked = link === undefined || !/^\d+$/.test(id) ? undefined : numberInLink(link);
  if (linked === undefined || linked === id) return none;
  const problem = `product_link leads to product ${linked}, but product_id is ${showValue(id)}`;
  const fix = 'Check which product you mean. The post shows the product in product_id.';
  return [
    { column: 'product_link', code: 'product_link_differs', value: showValue(link ?? ''), problem, fix },
  ];
}

function repeats({ caption }: Row, place: RowPlace): CellProblem {
  return {
    column: 'caption',
    code: 'caption_repeats',
    value: showValue(caption),
    problem: `${describePlace(place)} has the same caption for this creator`,
    fix: 'Check that this is intended: platforms treat equal posts as spam.',
  };
}

function isBeside({ schedule }: Row, place: RowPlace): CellProblem {
  return {
    column: 'scheduled_at',
    code: 'time_repeats',
    value: sheetTime(schedule?.at ?? 0, schedule?.tz ?? null),
    problem: `${describePlace(place)} has the same time for this creator`,
    fix: 'Check that both posts should appear at once, or choose another time for one.',
  };
}

function isSoon({ schedule }: Row): CellProblem {
  return {
    column: 'scheduled_at',
    code: 'time_soon',
    value: sheetTime(schedule?.at ?? 0, schedule?.tz ?? null),
    problem: 'this time is less than 15 minutes away',
    fix: 'Check that the upload can finish by then, or choose a later time.',
  };
}

/** The commands that the runner suggests are safe. People and scripts write others. */
function looksLikeOption({ key }: Row): CellProblem {
  return {
    column: 'key',
    code: 'key_like_option',
    value: showValue(key),
    problem: 'the key begins with -, so a command may take it for an option',
    fix: 'Begin it with a letter or a digit, or write -- before the campaign id in commands.',
  };
}

const leadWithoutTime: CellProblem = {
  column: 'lead',
  code: 'lead_without_time',
  value: '',
  problem: 'lead has no effect: the row has no time, so it is posted as soon as it is ready',
  fix: 'Fill in scheduled_at if the post should wait.',
};

const unlabelled: CellProblem = {
  column: 'is_ai_generated',
  code: 'ai_photo_unlabelled',
  value: '',
  problem: `generated photos get no AI label: ${noLabelForPhotos.problem}`,
  fix: `${noLabelForPhotos.fix}. If the post needs no label, write no.`,
};

/** The row has a zone, but no time to read in it. @param zone as in the sheet. */
export function hasZoneOnly(zone: string): CellProblem {
  return {
    column: 'scheduled_tz',
    code: 'zone_without_time',
    value: showValue(zone),
    problem: 'scheduled_tz has no effect: the row has no time, so it is posted as soon as it is ready',
    fix: 'Fill in scheduled_at if the post should wait.',
  };
}

/** A new row of an update. @param other key of a row of the campaign that the sheet has not named so far. */
export function hasSimilarKey(key: string, other: string): CellProblem {
  const was = showValue(other);
  return {
    column: 'key',
    code: 'similar_key',
    value: showValue(key),
    problem: `this row is new, but the campaign has row ${was}, whose key differs only in zeros, case or signs`,
    fix: `If it is that row, write ${was} as its key. Otherwise both are posted.`,
    meant: other,
  };
}

/** The account does not list the permission for videos. The contract does not require it, but the service may. */
export function mayLackPermission({ creator }: Row): CellProblem {
  return {
    column: 'creator',
    code: 'creator_video_permission',
    value: showValue(creator),
    problem: `the account does not list the permission for video posts (${videoPermission})`,
    fix: 'If the service refuses the post, ask the creator to grant it.',
  };
}

/** The row's time passes before its turn. @param at earliest turn, in milliseconds since the epoch. @param zone of the sheet. */
export function missesItsTime(row: Row, at: number, zone: string | null): CellProblem {
  return {
    column: 'scheduled_at',
    code: 'time_missed',
    value: sheetTime(row.schedule?.at ?? 0, row.schedule?.tz ?? null),
    problem: `with the current rate limits, the row's turn comes at ${sheetTime(at, zone)} at the earliest`,
    fix: 'Choose a later time, move the row up, or ask an operator to raise the rate limits.',
  };
}

export function checkRowNeeds(row: Pick<Row, 'cover'>, api: Settings['api']): CellProblem | null {
  if (row.cover?.kind !== 'file' || api.uploadCover !== null) return null;
  return {
    column: 'cover',
    code: 'upload_cover_not_set',
    value: showValue(row.cover.source),
    problem: 'this cover must be uploaded, but cover upload is not set up',
    fix: [
      'Use cover_timestamp_ms, or cover_file_id with cover_uri, or ask an operator to set up cover upload.',
      hint('setting', { name: 'api.uploadCover' }),
    ],
  };
}

/** Checks the settings that every manifest needs: each post uploads media, and each upload must be confirmed. */
export function checkManifestNeeds(api: Settings['api']): CellProblem | null {
  if (api.confirmUpload !== null) return null;
  return {
    column: null,
    code: 'confirm_upload_not_set',
    value: '',
    problem: 'media cannot be uploaded, because upload confirmation is not set up',
    fix: ['Ask an operator to set it up.', hint('setting', { name: 'api.confirmUpload' })],
  };
}
