-- Reads what pages show of rows: of a posted row its result, of a failed one its latest post that was not published, of a running one
-- its progress, and of each its error and when its state last changed.
-- KEYS[1]: prefix of all keys.
-- ARGV: campaign, row, row, ...
-- Returns { letter, revision, error, time, packed result, { field, value, ... } } for each, { '' } for a row that does not exist;
-- then the groups that running rows may wait in, as JSON, if one of the rows runs.
local campaign = KEYS[1] .. ':c:' .. ARGV[1]
local rows = { unpack(ARGV, 2) }
local errors = redis.call('HMGET', campaign .. ':errors', unpack(rows))
local times = redis.call('ZMSCORE', campaign .. ':changed', unpack(rows))
local facts, groups = {}, {}
local runs = false
for index, row in ipairs(rows) do
  local bytes = redis.call('GETRANGE', campaign .. ':states', row * 2, row * 2 + 1)
  local letter = string.sub(bytes, 1, 1)
  local result, progress = false, {}
  if letter == 'p' then
    result = redis.call('HGET', campaign .. ':results:' .. math.floor(row / 500), row % 500)
  elseif letter == 'f' then
    result = redis.call('HGET', campaign .. ':earlier', row)
  elseif letter == 'r' then
    progress = redis.call('HGETALL', campaign .. ':work:' .. row)
    runs = true
  end
  facts[index] = { letter, string.byte(bytes, 2), errors[index], times[index], result, progress }
end
if runs then groups = redis.call('HVALS', campaign .. ':groups') end
return { facts, groups }
