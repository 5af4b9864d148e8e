/** Loads a part of the console when it is first asked for. */
import type { RequestHandler } from 'express';

/** @param load is called again by the next request if it fails: too many files may have been open for a moment. */
export function onFirstUse(load: () => Promise<RequestHandler>): RequestHandler {
  let part: Promise<RequestHandler> | undefined;
  return async (request, response, next) => {
    part ??= load().catch((error: unknown) => {
      part = undefined;
      throw error;
    });
    (await part)(request, response, next);
  };
}
