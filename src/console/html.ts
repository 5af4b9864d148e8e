/** What the `html` tag makes. */
import type { html } from 'hono/html';

/** Escaped HTML: every text in it went through the tag. */
export type Html = ReturnType<typeof html>;
