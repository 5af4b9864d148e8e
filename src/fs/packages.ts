/** Large packages, loaded when something of them is first used: most commands send nothing, open no queue, and log nothing. */
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

export function bullmq(): typeof import('bullmq') {
  return load('bullmq');
}

export function pino(): typeof import('pino') {
  return load('pino');
}

export function undici(): typeof import('undici') {
  return load('undici');
}
