/** The requests and answers of pages. */
import type { Writable } from 'node:stream';
import type { Right } from '../app/access/roles.ts';
import type { Actor, FullContext } from '../app/operations/operation.ts';
import type { Tools } from '../app/operations/tools.ts';
import type { UploadedSheet } from '../importers/open/uploaded-sheet.ts';
import type { Role } from '../ledger/access/users.ts';
import type { OpenMedium } from '../service/media/source.ts';
import type { AssetName } from './assets/assets.ts';
import type { Html } from './html.ts';
import type { LiveView } from './live.ts';

export interface Person {
  readonly name: string;
  readonly role: Role;
  /** Whether the console is open (on loopback, without users). Then nobody can sign out. */
  readonly isAnybody: boolean;
}

/** It acts in the name of the person. */
export interface PageRequest extends Tools, Actor<FullContext> {
  /** Aborted when the browser has left. */
  readonly left: AbortSignal;
  readonly person: Person;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Fields of the form; empty for GET. */
  readonly form: URLSearchParams;
  /** The sheet in the form; only for routes with `takesSheet`. */
  readonly sheet: UploadedSheet | undefined;
  /** CSRF token, which each form carries; another text in each answer. */
  readonly csrf: string;
  /** The same for the streams of a session, which are not compressed and share what they show. */
  readonly streamCsrf: string;
  /** The address of a page, with the base path of the console. @param path begins with `/`. */
  readonly link: (path: string) => string;
  /** Requested path and query, within the console. */
  readonly path: string;
  /** IANA time zone of the times on the page: from the address, else `usualZone`. */
  readonly zone: string;
  /** IANA time zone of the settings, else of the browser. */
  readonly usualZone: string;
  /** Whether the zone of the browser is not known yet: the script tells it, and loads the page again. */
  readonly isZoneOpen: boolean;
  /** Unix epoch, milliseconds. */
  readonly now: number;
  /** Whether htmx requests a part of a page, such as the content of a dialog. */
  readonly isPart: boolean;
}

export const noticeStates = ['done', 'failed', 'warning', 'paused', 'running', 'ready'] as const;

export interface Notice {
  readonly state: (typeof noticeStates)[number];
  readonly text: string;
  readonly more?: string | undefined;
  readonly undo?: Undo | undefined;
}

/** A button that takes a change back. */
export interface Undo {
  readonly label: string;
  /** Path of its form within the console. */
  readonly path: string;
  /** Id of the form on the page that it sends; without it, one of its own with these fields. */
  readonly form?: 'draft' | undefined;
  readonly fields?: Readonly<Record<string, string>> | undefined;
}

export interface Page {
  readonly kind: 'page';
  readonly title: string;
  readonly main: Html;
  /** IANA zone of the times on the page; default: `zone` of the request. */
  readonly zone?: string | undefined;
  readonly timesIn?: string | undefined;
  readonly stream?: string | undefined;
  /** Besides `page.js`, and `live.js` of a page with a stream. */
  readonly scripts?: readonly AssetName[] | undefined;
  /** Default 200. */
  readonly status?: number | undefined;
}

/** A dialog, or a page if it is shown as one. */
export interface Question extends Pick<Page, 'title' | 'scripts' | 'status'> {
  readonly kind: 'question';
  readonly body: Html;
}

export interface Redirect {
  readonly kind: 'redirect';
  /** Path within the console. */
  readonly to: string;
  readonly notice?: Notice | undefined;
}

export interface Download {
  readonly kind: 'download';
  readonly fileName: string;
  readonly contentType: string;
  readonly write: (to: Writable) => Promise<void>;
}

export interface Stream {
  readonly kind: 'stream';
  readonly view: LiveView;
}

/** An open file to show, whole or in part. Call either `read` or `close`. */
export interface ShownFile extends Omit<OpenMedium, 'identity'> {
  readonly kind: 'file';
  /** Changes with the file: browsers ask whether it has changed, instead of for the file. Without it, they keep nothing. */
  readonly etag?: string | undefined;
  /** Whether the address changes with the file, so that browsers need not ask. */
  readonly isLasting?: boolean | undefined;
}

export type Answer = Page | Question | Redirect | Download | Stream | ShownFile;

export interface Route {
  readonly method: 'get' | 'post';
  /** Pattern of Express, such as `/campaigns/:id`. */
  readonly path: string;
  readonly right: Right;
  /** The form may have a sheet of up to `manifest.maxBytes` of the settings. */
  readonly takesSheet?: true;
  /** Longest field of a form with a sheet, in bytes; default: 4 KB. */
  readonly longestField?: number;
  /** It reads a whole sheet before it answers: then it waits for its turn. */
  readonly readsSheet?: true;
  /** Most fields of its form; default: `mostNames`. */
  readonly mostNames?: number | undefined;
  /** Longest form without a sheet, in bytes as sent; default: 256 KB. */
  readonly mostBytes?: number | undefined;
  readonly handle: (request: PageRequest) => Answer | Promise<Answer>;
}
