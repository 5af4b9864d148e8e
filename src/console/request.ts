/** What a page gets and what it answers. */
import type { Readable, Writable } from 'node:stream';
import type { Html } from './html.ts';
import type { LiveView } from './live/hub.ts';
import type { ConsoleTools } from './tools.ts';
import type { SentSheet } from './uploads/sent-sheet.ts';

/** `viewer` reads, `operator` changes. */
export type Role = 'viewer' | 'operator';

export interface Person {
  readonly name: string;
  readonly role: Role;
  /** Whether the console is open, on loopback and without users: then there is nobody to sign out. */
  readonly isAnybody: boolean;
}

export interface PageRequest extends ConsoleTools {
  /** Aborted when the browser has left. */
  readonly left: AbortSignal;
  readonly person: Person;
  /** Parts of the path, by name, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Fields of a form that was sent; empty for GET. */
  readonly form: URLSearchParams;
  /** The sheet of a form that was sent; only for routes with `takesSheet`. */
  readonly sheet: SentSheet | undefined;
  /** Proof that a form is ours: each form carries it. */
  readonly csrf: string;
  /** The address of a page of the console, below the path that it is served on. @param path begins with `/`. */
  readonly link: (path: string) => string;
  /** Path and query that were asked for, within the console. */
  readonly path: string;
  /** IANA time zone that times are shown in: that of the address, else the usual one. */
  readonly zone: string;
  /** That of the settings, else of the browser. */
  readonly usualZone: string;
  /** Unix epoch, milliseconds. */
  readonly now: number;
  /** Outcome of the change that led here, told once. */
  readonly notice: Notice | undefined;
  /** Whether htmx asks for a part of a page, such as the inside of a dialog. */
  readonly isPart: boolean;
}

/** One sentence that tells the outcome of a change, and one that tells what to do. */
export interface Notice {
  readonly state: 'done' | 'failed' | 'warning' | 'paused' | 'running';
  readonly text: string;
  readonly more?: string | undefined;
}

export interface Page {
  readonly kind: 'page';
  readonly title: string;
  /** Path of the entry in the main menu that this page belongs to. */
  readonly section: string;
  readonly main: Html;
  /** IANA zone of its times; default: that of the request. */
  readonly zone?: string | undefined;
  /** What its times are in, in words, where they are not all in one zone. */
  readonly timesIn?: string | undefined;
  /** Address of the stream of the page's live parts. */
  readonly stream?: string | undefined;
  /** Whether files can be dropped on the page: it loads the scripts for that. */
  readonly isUpload?: boolean | undefined;
  /** Default 200. */
  readonly status?: number | undefined;
}

/** A question on a page of its own, which a script shows in a dialog. */
export interface Question {
  readonly kind: 'question';
  readonly title: string;
  readonly section: string;
  readonly body: Html;
  readonly status?: number | undefined;
}

export interface Redirect {
  readonly kind: 'redirect';
  /** Path within the console. */
  readonly to: string;
  readonly notice?: Notice | undefined;
}

/** A file that is written while it is sent. */
export interface Download {
  readonly kind: 'download';
  readonly fileName: string;
  readonly contentType: string;
  readonly write: (to: Writable) => Promise<void>;
}

/** The live parts of a page, as a stream of events. */
export interface Stream {
  readonly kind: 'stream';
  readonly view: LiveView;
}

/** A file that is shown, whole or in part. It is opened: either `read` or `close` must be called. */
export interface ShownFile {
  readonly kind: 'file';
  readonly contentType: string;
  readonly bytes: number;
  /** @param start, end positions in bytes, both inclusive. */
  readonly read: (start: number, end: number) => Readable;
  readonly close: () => Promise<void>;
}

export type Answer = Page | Question | Redirect | Download | Stream | ShownFile;

export interface Route {
  readonly method: 'get' | 'post';
  /** Pattern of Express, such as `/campaigns/:id`. */
  readonly path: string;
  readonly role: Role;
  /** The form may carry a sheet, as large as the setting `manifest.maxBytes`. */
  readonly takesSheet?: true;
  readonly handle: (request: PageRequest) => Answer | Promise<Answer>;
  /** What a change did, for the audit; default: the notice of the redirect that it answers. */
  readonly audit?: (request: PageRequest) => string;
}
