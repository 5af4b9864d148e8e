import { expect, test } from 'vitest';
import { zoneIn, zoneOfHeaders, zoneOfLine } from '../../../src/manifest/headers/zone-words.ts';

test.each([
  ['Posting time (CET)', 'CET', 'Europe/Berlin'],
  ['Time UTC+8', 'UTC+8', 'Asia/Singapore'],
  ['Time (LA, Pacific)', 'Pacific', 'America/Los_Angeles'],
  ['Time (NYC)', 'NYC', 'America/New_York'],
  ['ET time', 'ET', 'America/New_York'],
  ['Post at (London)', 'London', 'Europe/London'],
  ['London time', 'London', 'Europe/London'],
  ['Heure (Paris)', 'Paris', 'Europe/Paris'],
  ['Orario di New York', 'New York', 'America/New_York'],
  ['Uhrzeit Zürich', 'Zürich', 'Europe/Zurich'],
  ['发布时间（北京时间）', '北京时间', 'Asia/Shanghai'],
  ['投稿時間（日本）', '日本', 'Asia/Tokyo'],
  ['Giờ (Hà Nội)', 'Hà Nội', 'Asia/Ho_Chi_Minh'],
])('the header %s names %s', (header, said, zone) => {
  expect(zoneIn(header)).toBe(said);
  expect(zoneOfHeaders([header])).toBe(zone);
});

test.each([
  'DATE ET HEURE',
  'London',
  'Launch day',
  'HORA DE LA PUBLICACION',
  'Time',
  `Time (${'x'.repeat(80)} CET)`,
])('the header %s names no zone', (header) => expect(zoneIn(header)).toBeUndefined());

test.each([
  ['All times Tokyo', 'Asia/Tokyo'],
  ['Holiday plan | planner: Aoife, Cork | all times Irish time', 'Europe/Dublin'],
  ['Studio Roma, Milano • Alle Uhrzeiten in MEZ • 7.-29.12.', 'Europe/Berlin'],
  ['Tutti gli orari sono di New York', 'America/New_York'],
  ['Toutes les heures : Paris', 'Europe/Paris'],
  ['Time zone: Europe/Vienna', 'Europe/Vienna'],
  ['Posting times (EST)', 'America/New_York'],
  ['Todas las horas son de Madrid', 'Europe/Madrid'],
  ['时间均为北京时间', 'Asia/Shanghai'],
])('the line %s says that times are in %s', (line, zone) => expect(zoneOfLine(line)).toBe(zone));

test.each([
  'Studio Navigli, Milan',
  'HEURES ET DATES',
  'Times in London or New York',
  'New York launch, times to be agreed',
  `All times London ${'x'.repeat(300)}`,
])('the line %s says no zone', (line) => expect(zoneOfLine(line)).toBeUndefined());
