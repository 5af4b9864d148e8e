/** The percentage of ended rows that may fail before a campaign is paused. With 100, it would never be. */
import { z } from 'zod';

const bounds = [z.gte(0), z.lt(100)] as const;
/** The bounds in words, after "a percentage". */
export const stopAfterBounds = 'from 0 to below 100';

export const stopAfterSchema = z.number().check(...bounds);
/** The same, written as a text. */
export const stopAfterText = z.coerce.number().check(...bounds);
