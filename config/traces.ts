/** Checks the environment variables of traces. */

/** @returns the address of the endpoint for traces; undefined for anything but an http or https URL without a password. */
export function readTracesUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined;
  if (url.search || url.hash) return undefined;
  const base = url.href.endsWith('/') ? url.href.slice(0, -1) : url.href;
  return `${base}/v1/traces`;
}

/** Which traces are sent. */
export interface TraceSampling {
  /** Share of the traces that begin here, from 0 to 1. */
  readonly share: number;
  /** Whether a caller decides about the traces that it has begun. */
  readonly followsCaller: boolean;
}

export const usualSampling: TraceSampling = { share: 1, followsCaller: true };

/** The values of `OTEL_TRACES_SAMPLER` that are understood. */
export const samplers = ['always_on', 'always_off', 'traceidratio'].flatMap((each) => [
  `parentbased_${each}`,
  each,
]);

/**
 * @param sampler value of `OTEL_TRACES_SAMPLER`.
 * @param share value of `OTEL_TRACES_SAMPLER_ARG`, for `traceidratio`; 1 if it is none.
 * @returns undefined for a sampler or a share that is not understood.
 */
export function readSampling(sampler: string, share: string | undefined): TraceSampling | undefined {
  if (!samplers.includes(sampler)) return undefined;
  const followsCaller = sampler.startsWith('parentbased_');
  if (sampler.endsWith('always_on')) return { share: 1, followsCaller };
  if (sampler.endsWith('always_off')) return { share: 0, followsCaller };
  const part = Number(share || 1);
  return part >= 0 && part <= 1 ? { share: part, followsCaller } : undefined;
}
