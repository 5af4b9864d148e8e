-- Rule (failed post): a posted row whose post was not published becomes failed, if its result is still the one that was compared. Its
-- post becomes an earlier one, and its progress is restored, so that a retry repeats only the post. The campaign stays ended, and the
-- row does not count for stop-after.
-- KEYS[1]: prefix of all keys.
-- ARGV: campaign, now (ms), then for each row: row, packed result as it was read, packed result to keep, JSON of the error
-- Returns '1' or '0' for each.
--- include ../rows.lua
local campaign, now = campaign_key(ARGV[1]), ARGV[2]

local function restore_progress(row, packed)
  local work, chunk = campaign .. ':work:' .. row, math.floor(row / 500)
  -- A row found in the publishing records still has its progress, for a while.
  redis.call('PERSIST', work)
  redis.call('HDEL', work, 'journal:post')
  local file = 0
  for id in string.gmatch(string.match(packed, '^[^\t]*\t[^\t]*\t[^\t]*\t(.*)$') or '', '[^,]+') do
    redis.call('HSET', work, 'file:' .. file, id)
    file = file + 1
  end

  local latest = 0
  local function restore_generation(number, schedule)
    redis.call('HSET', work, 'gen' .. number,
      '{"scheduleId":' .. cjson.encode(schedule) .. ',"taskIds":[],"outputs":0,"since":0}')
    latest = math.max(latest, tonumber(number))
  end
  local kept = redis.call('HGET', campaign .. ':kept:' .. chunk, row % 500) or ''
  for field, value in string.gmatch(kept, '([^\t]+)\t([^\t]*)') do
    local number = string.match(field, '^gen(%d+)$')
    if number then restore_generation(number, value) else redis.call('HSET', work, field, value) end
  end
  local assets = redis.call('HGET', campaign .. ':assets', row)
  if assets then
    redis.call('HSET', work, 'assets', assets)
    -- Earlier versions kept no schedule.
    if latest == 0 then restore_generation(1, '') end
  end
  -- All outputs are there: only a change of the row makes another generation, with the next number.
  if latest > 0 then redis.call('HSET', work, 'gen-ended', latest) end
  redis.call('HDEL', campaign .. ':kept:' .. chunk, row % 500)
  redis.call('HDEL', campaign .. ':assets', row)
end

local replies = {}
for at = 3, #ARGV, 4 do
  local row, packed, failed = tonumber(ARGV[at]), ARGV[at + 1], '0'
  local state, revision = read_state(campaign, row)
  local results = campaign .. ':results:' .. math.floor(row / 500)
  local stored = redis.call('HGET', results, row % 500)
  if state == 'p' and split_result(stored) == packed then
    local earlier = redis.call('HGET', campaign .. ':earlier', row)
    redis.call('HSET', campaign .. ':earlier', row, (earlier and earlier .. '\n' or '') .. ARGV[at + 2])
    redis.call('HDEL', results, row % 500)
    restore_progress(row, packed)
    redis.call('HSET', campaign .. ':errors', row, ARGV[at + 3])
    tell_times(campaign, row, stored)
    tell_error(campaign, row, now, 'failed', ARGV[at + 3])
    redis.call('HINCRBY', campaign, 'done:post', -1)
    move(campaign, row, 'p', 'f', revision, now)
    gather(campaign, row, 'post.failed', now)
    failed = '1'
  end
  replies[#replies + 1] = failed
end
return replies
