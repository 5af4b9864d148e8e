/**
 * What a person can do about a problem, as data. A rule of a sheet or a use case names the action. Each surface (the terminal, pages,
 * the API) has one table with its own words for every action, so a surface that lacks an action does not compile.
 */
import { z } from 'zod';

const text = z.string();

/** All actions, each with its parameters. */
const actions = {
  // Reading a sheet.
  timezone: { zone: text },
  mediaRoot: {},
  mapColumn: { header: text, column: text },
  /** `part` of the sheet that has the name: header or field. */
  keepAsNote: { part: text },
  encoding: { encoding: text.nullable() },
  chooseSheet: { sheet: text.nullable() },
  /** Leave out an option, so that what the campaign has is kept. */
  keep: { option: z.enum(['mediaRoot', 'timezone', 'account']) },
  findProducts: {},
  findMusic: {},
  skipInvalid: {},
  postAgain: {},
  /** Start rows that may be posts that exist already. */
  mayPostTwice: {},
  // Importing it.
  /** `campaign`: null if it stands in the sheet. */
  updateCampaign: { campaign: text.nullable() },
  postAllAgain: {},
  otherAccount: { accounts: z.array(text).readonly() },
  sandbox: {},
  // A campaign and its rows.
  list: { what: z.enum(['campaigns', 'creators', 'videos', 'users']) },
  show: { campaign: text },
  writeSheet: { campaign: text, only: z.enum(['all', 'review']) },
  /** All failed rows; else the one of this key, or those with this code. */
  retry: { campaign: text, key: text.optional(), error: text.optional() },
  rowsAnew: {
    campaign: text,
    states: z.array(text).readonly(),
    account: text.nullable(),
    mediaRoot: text,
    timezone: text.nullable(),
    map: z.record(text, text),
  },
  cancelFirst: { campaign: text },
  deleteAnyway: {},
  // Decisions about rows in review.
  decideRow: { campaign: text, key: text, decision: text, unchecked: z.boolean() },
  chooseDecision: { campaign: text, key: text, about: z.enum(['post', 'generation']) },
  decideBySheet: { campaign: text },
  decideUnchecked: {},
  lookAtRows: {
    campaign: text,
    decision: text,
    error: text.nullable(),
    creator: text.nullable(),
    rows: z.int(),
  },
  // Videos.
  importVideos: {},
  scrapeVideos: {},
  // Operating.
  /** The setting by its name. Planners are told to ask an operator, who can change it. */
  setting: { name: text },
  startWorker: {},
  rate: { operation: text },
  acceptJournal: {},
  addUser: {},
  setPassword: { user: text },
  removeToken: { user: text },
} as const;

/** All actions, each with the schemas of its parameters. */
export type Actions = typeof actions;

/** Name of an action. */
export type Action = keyof Actions;
/** The parameters of an action. */
export type HintParams<A extends Action> = Readonly<z.infer<z.ZodObject<Actions[A]>>>;

/** What to do, and with what. The actions are a closed union. */
export type Hint = { [A in Action]: { readonly action: A; readonly params: HintParams<A> } }[Action];

/** As answers of the API have it. */
export const hintSchema = z
  .strictObject({
    action: z.enum(Object.keys(actions) as Action[]),
    params: z.record(text, z.unknown()),
  })
  .meta({ id: 'Hint' });

/** A hint that the ledger has stored. */
export const storedHint = z.union(
  Object.entries(actions).map(([action, params]) =>
    z.strictObject({ action: z.literal(action), params: z.strictObject(params) }),
  ),
) as unknown as z.ZodType<Hint>;

export function hint<A extends Action>(
  action: A,
  ...params: keyof Actions[A] extends never ? [] : [HintParams<A>]
): Hint {
  return { action, params: params[0] ?? {} } as Hint;
}

/**
 * What to do about a problem, in the order in which people read it: sentences that are true on every surface, and hints. A surface
 * shows it in its `Words`.
 */
export type Cure = string | readonly CurePart[];
/** A sentence, or a hint. */
export type CurePart = string | Hint;

/** A sentence for each action, or a function that makes it; empty where the surface has no words for it. */
export type Words = { readonly [A in Action]: string | ((params: HintParams<A>) => string) };

/** A cure as text. Commands that stand on lines of their own stay there. */
export function cureText(cure: Cure, words: Words): string {
  return partsOf(cure)
    .map((part) => (typeof part === 'string' ? part : sentenceFor(part, words)))
    .filter((part) => part !== '')
    .reduce((before, part) => {
      if (before === '') return part.trim();
      return `${before}${before.includes('\n') || part.includes('\n') ? '\n' : ' '}${part.trim()}`;
    }, '');
}

function sentenceFor({ action, params }: Hint, words: Words): string {
  const said = words[action] as string | ((params: Hint['params']) => string);
  return typeof said === 'string' ? said : said(params);
}

/** A cure without its hints, for texts that belong to no surface: sheets and logs. */
export function plainCure(cure: Cure): string {
  return partsOf(cure)
    .filter((part) => typeof part === 'string')
    .join(' ');
}

/** The hints of a cure alone. */
export function hintsOf(cure: Cure): readonly Hint[] {
  return partsOf(cure).filter((part) => typeof part !== 'string');
}

function partsOf(cure: Cure): readonly CurePart[] {
  return typeof cure === 'string' ? [cure] : cure;
}

/** Fields of a document that have a cure: inside the process as it is, in the document as the text of its surface. */
export const cureField = z
  .union([z.string(), z.array(z.union([z.string(), z.custom<Hint>()])).readonly()])
  .transform((cure: Cure) => plainCure(cure))
  .pipe(z.string());
export const hintsField = z.array(hintSchema).optional().describe('What `cure` says, for programs.');

/**
 * A copy of a JSON document in which cures are text.
 * @param withHints adds the hints of each cure as `hints`.
 */
export function withCureTexts(words: Words, value: unknown, withHints = false): unknown {
  if (Array.isArray(value)) return value.map((each) => withCureTexts(words, each, withHints));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]): (readonly [string, unknown])[] => {
      if (name !== 'cure' || !Array.isArray(each)) return [[name, withCureTexts(words, each, withHints)]];
      const hints = hintsOf(each);
      const text = cureText(each, words);
      return [[name, text], ...(withHints && hints.length > 0 ? [['hints', hints] as const] : [])];
    }),
  );
}
