-- Included after rows.lua. Makes the data kept with a post (`packed`: its result) the row's progress again. The caller drops the result.
local function restore_progress(campaign, row, packed)
  local work = campaign .. ':work:' .. row
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
  local kept = redis.call('HGET', chunk_of(campaign, 'kept', row), row % 500) or ''
  for field, value in string.gmatch(kept, '([^\t]+)\t([^\t]*)') do
    local number = string.match(field, '^gen(%d+)$')
    if number then restore_generation(number, value) else redis.call('HSET', work, field, value) end
  end
  local assets = redis.call('HGET', campaign .. ':assets', row)
  if assets then
    redis.call('HSET', work, 'assets', assets)
    -- None was kept with a post that a person named.
    if latest == 0 then restore_generation(1, '') end
  end
  -- All outputs exist, so only a change of the row creates another generation, with the next number.
  if latest > 0 then redis.call('HSET', work, 'gen-ended', latest) end
end
