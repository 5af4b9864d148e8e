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
  joinCaption: { header: text },
  /** `part` of the sheet that has the name: header or field. */
  keepAsNote: { part: text },
  encoding: { encoding: text.nullable() },
  /** `line` is a guess. */
  headerLine: { line: z.int() },
  chooseSheet: { sheet: text.nullable() },
  /** Import another sheet of the same workbook, too. */
  otherSheet: { sheet: text },
  /** Read `more` sheets of the same workbook, too: `sheets` are all of them together. */
  readSheets: { sheets: z.array(text).readonly(), more: z.array(text).readonly() },
  /** Leave out an option, so that what the campaign has is kept. */
  keep: { option: z.enum(['mediaRoot', 'timezone']) },
  findProducts: {},
  findMusic: {},
  skipInvalid: {},
  postAgain: {},
  /** Take ids as they are that end in zeros, or look like those of other products. */
  trustIds: {},
  /** Skip rows that may not be meant, or post them: their own status says that they are posted, cancelled, ..., or nobody sees them. */
  rowsInDoubt: { option: z.enum(['ownStatus', 'hidden']) },
  /** Start rows that may be posts that exist already. */
  mayPostTwice: {},
  // Importing it.
  /** `campaign`: null if it stands in the sheet. */
  updateCampaign: { campaign: text.nullable() },
  postAllAgain: {},
  sandbox: {},
  // A campaign and its rows.
  list: { what: z.enum(['campaigns', 'creators', 'videos', 'users']) },
  show: { campaign: text },
  writeSheet: { campaign: text, only: z.enum(['all', 'failed', 'review']) },
  /** All failed rows; else the row with this key, or those with this code or of this creator. */
  retry: { campaign: text, key: text.optional(), error: text.optional(), creator: text.optional() },
  /** Fix the rows with this code in a sheet of their own, and update the campaign with it. */
  editSheet: { campaign: text, error: text },
  resumeCreator: { campaign: text, creator: text },
  /** Look for posts in the publishing records. */
  refresh: { campaign: text },
  rowsAnew: {
    campaign: text,
    states: z.array(text).readonly(),
    mediaRoot: text,
    timezone: text.nullable(),
    map: z.record(text, text),
  },
  cancelFirst: { campaign: text },
  deleteAnyway: {},
  // Decisions about rows in review.
  decideRow: { campaign: text, key: text, decision: text, unchecked: z.boolean() },
  chooseDecision: { campaign: text, key: text, about: z.enum(['post', 'generation']) },
  /** All rows in review with this code: their calls had no effect. */
  decideAll: { campaign: text, error: text, about: z.enum(['post', 'generation']) },
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

type Actions = typeof actions;

export type Action = keyof Actions;
export type HintParams<A extends Action> = Readonly<z.infer<z.ZodObject<Actions[A]>>>;

/** What to do, and with what. The actions are a closed union. */
export type Hint = { [A in Action]: { readonly action: A; readonly params: HintParams<A> } }[Action];

/** As answers of the API have it. */
const hintSchema = z
  .strictObject({
    action: z.enum(Object.keys(actions) as Action[]),
    params: z.record(text, z.unknown()),
  })
  .meta({ id: 'Hint' });

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

/** What to do, in reading order: sentences that are true on every surface, and hints, which each surface words by its `HintTexts`. */
export type Fix = string | readonly FixPart[];
export type FixPart = string | Hint;

/** A sentence for each action, or a function that makes it; empty where the surface has no words for it. */
export type HintTexts = { readonly [A in Action]: string | ((params: HintParams<A>) => string) };

/** A fix as text. Commands that stand on lines of their own stay there. */
export function fixText(fix: Fix, words: HintTexts): string {
  return partsOf(fix)
    .map((part) => (typeof part === 'string' ? part : sentenceFor(part, words)))
    .filter((part) => part !== '')
    .reduce((before, part) => {
      if (before === '') return part.trim();
      return `${before}${before.includes('\n') || part.includes('\n') ? '\n' : ' '}${part.trim()}`;
    }, '');
}

function sentenceFor({ action, params }: Hint, words: HintTexts): string {
  const text = words[action] as string | ((params: Hint['params']) => string);
  return typeof text === 'string' ? text : text(params);
}

/** A fix without its hints, for texts that belong to no surface: sheets and logs. */
export function plainFix(fix: Fix): string {
  return partsOf(fix)
    .filter((part) => typeof part === 'string')
    .join(' ');
}

export function hintsOf(fix: Fix): readonly Hint[] {
  return partsOf(fix).filter((part) => typeof part !== 'string');
}

function partsOf(fix: Fix): readonly FixPart[] {
  return typeof fix === 'string' ? [fix] : fix;
}

/** Fields of a document that have a fix: inside the process as it is, in the document as the text of its surface. */
export const fixField = z
  .union([z.string(), z.array(z.union([z.string(), z.custom<Hint>()])).readonly()])
  .transform((fix: Fix) => plainFix(fix))
  .pipe(z.string());
export const hintsField = z.array(hintSchema).optional().describe('What `fix` says, for programs.');
/** Fields of a document that have hints, and in the document the commands that do what these say. */
export const commandsField = z
  .array(z.custom<Hint>())
  .readonly()
  .transform((): string[] => [])
  .pipe(z.array(z.string()));
export const commandField = z
  .custom<Hint>()
  .transform(() => '')
  .pipe(z.string());

interface HintWriter {
  readonly texts: HintTexts;
  readonly commandsOf: (hint: Hint) => readonly string[];
  /** Whether objects get the hints of their fixes and commands as `hints`, too. */
  readonly withHints?: boolean;
}

/** A copy of a JSON document in which fixes and commands are text. */
export function writeHints(writer: HintWriter, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => writeHints(writer, each));
  if (typeof value !== 'object' || value === null) return value;
  const hints: Hint[] = [];
  const fields = Object.entries(value).map(([name, each]) => {
    if (name === 'fix' && Array.isArray(each)) {
      hints.push(...hintsOf(each));
      return [name, fixText(each, writer.texts)];
    }
    if (name !== 'commands' && name !== 'forMany') return [name, writeHints(writer, each)];
    const found = [each].flat().filter((part) => typeof part === 'object') as Hint[];
    if (found.length === 0) return [name, each];
    hints.push(...found);
    const commands = found.flatMap(writer.commandsOf);
    return [name, Array.isArray(each) ? commands : commands[0]];
  });
  if (writer.withHints && hints.length > 0) fields.push(['hints', hints]);
  return Object.fromEntries(fields);
}
