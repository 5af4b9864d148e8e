import { expect, test } from 'vitest';
import { unguardFormula } from '../../src/manifest/cells/formula-guard.ts';
import { createColumnMap } from '../../src/manifest/headers/column-map.ts';
import { check, right } from '../importers/manifest-source.ts';

/** A valid row as JSON text, with more members at the end. */
function row(more = ''): string {
  return JSON.stringify(right).replace(/\}$/, more === '' ? '}' : `,${more}}`);
}

function array(...rows: readonly string[]): string {
  return `[\n${rows.join(',\n')}\n]\n`;
}

function lines(...rows: readonly string[]): string {
  return `${rows.join('\n')}\n`;
}

const longRow = `{"caption": "${'x'.repeat(1_100_000)}"}`;

test('a row has its first line, whatever the line breaks within it', async () => {
  const { handedOn } = await check(`\n[ ${row()},\n\n${row('\n"key": "b"\n')}, ${row('"key": "c"')}]`);
  expect(handedOn.map(({ line, number, key }) => [line, number, key])).toEqual([
    [2, 1, '1'],
    [4, 2, 'b'],
    [6, 3, 'c'],
  ]);
});

test('the header is the keys of all rows, in order of first appearance', async () => {
  const { header, handedOn } = await check(array(row(), row('"key": "b"')));
  expect(header).toEqual([...Object.keys(right), 'key']);
  expect(handedOn.map(({ cells }) => cells.at(-1))).toEqual(['', 'b']);
});

test('numbers, booleans and null are read as cells', async () => {
  const rest = '"product_id": 1729432342342341999, "showcase": false, "key": null, "product_title": 1.50';
  const { product_id: _id, product_title: _title, ...others } = right;
  const { header, handedOn } = await check(`[${JSON.stringify(others).replace(/\}$/, `,${rest}}`)}]`);
  const [first] = handedOn;
  expect(header.map((name, index) => [name, first?.cells[index]]).slice(3)).toEqual([
    ['product_id', '1729432342342341999'],
    ['showcase', 'false'],
    ['key', ''],
    ['product_title', '1.50'],
  ]);
});

test('a text keeps the mark that a CSV file would have before a formula', async () => {
  const texts = ["'=1+1", "''-x", "a,''=b"];
  const rows = [...texts.map((caption) => ({ ...right, caption })), { ...right, caption: undefined }];
  const { handedOn, header } = await check(JSON.stringify({ defaults: { caption: "'@home" }, rows }));
  const captions = handedOn.map(({ cells }) => unguardFormula(cells[header.indexOf('caption')] ?? ''));
  expect(captions).toEqual([...texts, "'@home"]);
});

test('an array of texts is a list', async () => {
  const text = array(row().replace('"a.mp4"', '["a.png", "b.png"]'));
  expect((await check(text)).handedOn[0]?.cells[1]).toBe('a.png|b.png');
});

test('defaults fill in missing keys, not empty values', async () => {
  const { caption: _caption, ...uncaptioned } = right;
  const text = JSON.stringify({
    defaults: { caption: 'Default', product_source: 'SHOP', ai_references: [] },
    rows: [uncaptioned, { ...right, product_source: null }],
  });
  const { header, handedOn } = await check(text);
  const of = (name: string) => handedOn.map(({ cells }) => cells[header.indexOf(name)]);
  expect([of('caption'), of('product_source'), of('ai_references')]).toEqual([
    ['Default', 'Hi'],
    ['SHOP', ''],
    ['', ''],
  ]);
});

test('defaults and name may come after the rows', async () => {
  const text = JSON.stringify({ rows: [{ ...right }], name: 'Spring', defaults: { product_source: 'SHOP' } });
  const { name, handedOn } = await check(text);
  expect([name, handedOn[0]?.cells.at(-1)]).toEqual(['Spring', 'SHOP']);
});

test('members that begin with _, # or $ are notes', async () => {
  const { found } = await check(`{"$schema": "x", "_note": [1, {}], "#": null, "rows": [${row()}]}`);
  expect(found).toEqual([]);
});

test('a map decides which keys take a list', async () => {
  const text = array(row().replace('"media":"a.mp4"', '"Clips": ["a.png", "b.png"]'));
  const { found } = await check(text, { sheet: { map: createColumnMap([['clips', 'media']]) } });
  expect(found).toEqual([]);
});

test.each([
  ['an object', '"key": {"a": [1, {}]}', 'key nested_value'],
  ['an array in an array', '"ai_references": [["a"]]', 'ai_references nested_value'],
  ['an object in an array', '"ai_references": ["a", {"b": "c"}]', 'ai_references nested_value'],
  ['a list in a column of one value', '"key": ["a", "b"]', 'key list_in_single'],
  ['an item with |', '"ai_references": ["a|b"]', 'ai_references separator_in_item'],
  ['a number that is infinite', '"key": 1e999', 'key number_too_large'],
  ['a number that has lost digits', '"key": 1.72943E+18', 'key scientific_number'],
  ['half of a surrogate pair', '"key": "\\ud83d"', 'key broken_text'],
  ['a key twice', '"key": "a", "key": "b"', 'key duplicate_name'],
  ['a key twice in two spellings of the same text', '"key": "a", "k\\u0065y": "b"', 'key duplicate_name'],
])('%s is reported at its row and column, with the others', async (_name, more, problem) => {
  const bad = row(more).replace('"caption":"Hi"', '"caption":""');
  for (const text of [array(row(), bad, row()), lines('', row(), bad, row()).replace('\n', '\n')]) {
    const { found, accepted } = await check(text);
    // References lack their prompt, too.
    const others = found.filter((each) => !each.endsWith('generation_without_prompt'));
    expect(others).toEqual([`3 ${problem}`, '3 caption missing_value']);
    expect(accepted).toBe(2);
  }
});

test.each([
  ['NaN', '{"caption": NaN}', 'invalid_json'],
  ['a trailing comma', '{"caption": "a",}', 'invalid_json'],
  ['a trailing comma in a list', '{"media": ["a",]}', 'invalid_json'],
  ['a comment', '{"caption": "a" /* b */}', 'invalid_json'],
  ['a missing comma', '{"caption": "a" "media": "b"}', 'invalid_json'],
  ['a missing colon', '{"caption" "a"}', 'invalid_json'],
  ['single quotes', "{'caption': 'a'}", 'invalid_json'],
  ['a name without quotes', '{caption: "a"}', 'invalid_json'],
  ['a bad escape', '{"caption": "C:\\videos"}', 'invalid_json'],
  ['a control character', '{"caption": "a\u0001"}', 'invalid_json'],
  ['a leading zero', '{"caption": 01}', 'invalid_json'],
  ['brackets that do not match', '{"caption": ["a"}]', 'invalid_json'],
  ['a lone number', '42', 'not_an_object'],
  ['a lone text', '"a"', 'not_an_object'],
  ['a lone null', 'null', 'not_an_object'],
  ['a list', '["a", "b"]', 'not_an_object'],
  ['a row nested 1,000 deep', `{"caption": ${'['.repeat(1000)}${']'.repeat(1000)}}`, 'nested_too_deep'],
  ['a row nested 100,000 deep', `{"caption": ${'['.repeat(1e5)}${']'.repeat(1e5)}}`, 'nested_too_deep'],
  ['objects nested 80,000 deep', `${'{"caption":'.repeat(80_000)}1${'}'.repeat(80_000)}`, 'nested_too_deep'],
])('%s spoils only its own row', async (_name, bad, code) => {
  for (const text of [array(row(), bad, row()), lines('', row(), bad, row())]) {
    const { found, accepted, blocking } = await check(text);
    expect([found, accepted, blocking]).toEqual([[`3 - ${code}`], 2, []]);
  }
});

test.each([
  ['is longer than 1 MB', longRow],
  ['is cut off within a row', '{"caption": "a"'],
  ['is cut off within a text', '{"caption": "a'],
  ['is nested 100,000 deep and cut off', '['.repeat(1e5)],
])('in JSON Lines a row that %s spoils only itself', async (_name, bad) => {
  const { found, accepted } = await check(lines(row(), bad, row()));
  expect(found).toEqual([expect.stringMatching(/^2 - (invalid_json|not_an_object|row_too_long)$/)]);
  expect(accepted).toBe(2);
});

test('the first line of JSON Lines may be broken', async () => {
  const { found, format, accepted } = await check(lines('{"caption": "a', row()));
  expect([format?.kind, found, accepted]).toEqual(['jsonl', ['1 - invalid_json'], 1]);
});

test('rows of JSON Lines with lists of objects are no object with a list of rows', async () => {
  const withList = JSON.stringify({ ...right, _notes: '', tags: [{ name: 'a' }] });
  const { found, format } = await check(lines(withList, row()));
  expect([format?.kind, found]).toEqual(['jsonl', ['1 tags unknown_column', '1 tags nested_value']]);
});

test('a syntax error within a row of several lines is reported with its own line', async () => {
  expect((await check(`[\n{\n"caption": "a",\n"media": nothing\n},\n${row()}]`)).found).toEqual([
    '4 - invalid_json',
  ]);
});

test.each([
  ['a comma after the last row', `[\n${row()},\n]`, '3 - invalid_json'],
  ['no comma between rows', `[\n${row()}\n${row()}]`, '3 - invalid_json'],
  ['a comment between rows', `[\n${row()},\n// more\n${row()}]`, '3 - invalid_json'],
  ['a file cut off after a row', `[\n${row()},\n`, '3 - invalid_json'],
  ['a file cut off within a row', `[\n${row()},\n{"caption":\n`, '4 - invalid_json'],
  ['a file cut off within a text', `[\n${row()},\n{"caption": "a`, '3 - invalid_json'],
  ['a text that is not closed', `[\n${row()},\n{"caption": "a\n},\n${row()}]`, '3 - invalid_json'],
  ['rows twice', `{"rows": [\n${row()}],\n"rows": []}`, '3 - duplicate_name'],
  ['something after the end', `[\n${row()}\n]\nmore`, '4 - invalid_json'],
  ['a second array', `[\n${row()}\n]\n[]`, '4 - invalid_json'],
  ['brackets nested 100,000 deep, never closed', `[\n${row()},\n${'['.repeat(1e5)}`, '3 - invalid_json'],
  ['an endless row', `[\n${row()},\n{"caption": ["${'x", "'.repeat(400_000)}`, '3 - row_too_long'],
  ['a row of more than 1 MB', `[\n${row()},\n${longRow},\n${row()}]`, '3 - row_too_long'],
  ['more than 1 MB of blanks', `[\n${row()},\n${' '.repeat(1_100_000)}${row()}]`, '3 - invalid_json'],
])('%s ends the reading of an array, after the rows before it', async (_name, text, problem) => {
  const { found, accepted, blocking } = await check(text);
  expect(found).toEqual([problem]);
  expect(accepted).toBe(1);
  expect(blocking).toHaveLength(1);
});

test('an unclosed row is reported at its first fault, and so is the missing end of the file', async () => {
  const { found } = await check(`[\n${row()},\n{"caption": "a",\n${row()}\n]`);
  expect(found).toEqual(['4 - invalid_json', '5 - invalid_json']);
});

test.each([
  ['a lone number', '42', '1 - not_an_object'],
  ['a lone null', 'null\n', '1 - not_an_object'],
  ['an empty array', '[]', '1 - no_rows'],
  ['an object whose rows are empty', '{"rows": []}', '1 - no_rows'],
  ['an array that is never closed', '[', '1 - invalid_json'],
  ['an object over many lines', JSON.stringify(right, null, 2), '1 - json_without_rows'],
  ['rows under another name', `{"records": [${JSON.stringify(right)}]}`, '1 - json_without_rows'],
  ['rows that are an object', '{\n"rows": {}\n}', '1 - json_without_rows'],
  ['a member that is unknown', `{"rows": [${row()}],\n"default": {}}`, '2 - unknown_member'],
  ['defaults that are no object', `{"rows": [${row()}],\n"defaults": []}`, '2 - not_an_object'],
  ['defaults with a nested value', `{"rows": [${row()}],\n"defaults": {"key": {}}}`, '2 key nested_value'],
  ['a name that is no text', `{"rows": [${row()}],\n"name": 1}`, '2 - invalid_name'],
  ['a name that leads out of its folder', `{"rows": [${row()}],\n"name": "../x"}`, '2 - invalid_name'],
  ['rows that are all broken', '[NaN,\nNaN]', '1 - invalid_json'],
  ['rows that are no objects', '[\n1, 2]', '2 - not_an_object'],
])('%s blocks the manifest', async (_name, text, problem) => {
  const { found, blocking, accepted } = await check(text);
  expect([found, blocking.length, accepted]).toEqual([[problem], 1, 0]);
});

test('one value of more than 64 MB is refused, and JSON Lines as large are read', async () => {
  // Long rows: to look at each of as many blanks is dear.
  const notes = Array.from({ length: 30 }, (_, index) => `"_${index}": "${'x'.repeat(32_000)}"`);
  const rows = Array<string>(72).fill(row(notes.join()));
  expect((await check(array(...rows))).found).toEqual(['1 - file_too_large']);
  expect((await check(rows.join('\n'))).accepted).toBe(rows.length);
});

test('problems of keys are reported at the first appearance, and say "key"', async () => {
  const text = array(row(), row('"color": 1'), row('"color": 2, "__proto__": 1, "constructor": 1'));
  const { found, problems } = await check(text);
  expect(found).toEqual([
    '3 color unknown_column',
    '4 __proto__ reserved_name',
    '4 constructor reserved_name',
  ]);
  expect(problems.kept[1]?.problem).toBe('this name is not allowed as a key');
});

test('a column that no row has is reported once', async () => {
  const { found, problems } = await check(
    array(row().replace('caption', '_caption'), row('"_a": 1').replace('caption', '_b')),
  );
  expect(found).toEqual(['2 caption missing_column']);
  expect(problems.kept[0]?.problem).toBe('no row has the key caption');
});

test('too many different keys are refused', async () => {
  const rows = Array.from({ length: 1100 }, (_, index) => row(`"_${index}": 1`));
  expect((await check(array(...rows))).found).toEqual([expect.stringMatching(/^\d+ - too_many_columns$/)]);
});

test('the key __proto__ affects only its own row', async () => {
  const { found } = await check(array('{"__proto__": {"creator": "x"}}', row()));
  expect(found).toEqual(['2 __proto__ reserved_name']);
  expect(({} as { creator?: string }).creator).toBeUndefined();
});
