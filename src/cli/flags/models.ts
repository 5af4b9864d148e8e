/** The models that generate media, and the seconds of videos, for the help of the commands that take or make sheets. */
import { imageModels, videoModels, videoSeconds } from '../../api/contract/generation.ts';

const widest = Math.max(...videoModels.map((model) => model.length));

export const modelsHelp = [
  'Models for ai_model:',
  `  images  ${imageModels.slice(0, 3).join(', ')},`,
  `          ${imageModels.slice(3).join(', ')}`,
  '  videos, with their ai_seconds',
  ...videoModels.map((model) => `          ${model.padEnd(widest)}  ${videoSeconds[model].join(', ')}`),
].join('\n');
