/** The type of HTML that pages are made of. */
import type { html } from 'hono/html';

/** Escaped HTML: the result of the `html` tag, which escapes every text. */
export type Html = ReturnType<typeof html>;
