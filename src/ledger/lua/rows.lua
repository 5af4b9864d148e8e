-- The states of rows, shared by all scripts. A row's state is one letter in the campaign's byte string, its revision the
-- byte behind it. Every change goes through `move`, which keeps counters and indexes in step.
local COUNTER = { w = 'waiting', r = 'running', p = 'posted', f = 'failed', v = 'review', c = 'cancelled' }
local prefix = KEYS[1]

local function campaign_key(id)
  return prefix .. ':c:' .. id
end

-- Returns the letter and the revision; nil for a row that does not exist.
local function read_state(campaign, row)
  local bytes = redis.call('GETRANGE', campaign .. ':states', row * 2, row * 2 + 1)
  if #bytes < 2 then return nil end
  return string.sub(bytes, 1, 1), string.byte(bytes, 2)
end

-- Changes a row's state. Ends the campaign when nothing waits or runs any more, and opens it again when something does.
local function move(campaign, row, from, to, revision, now)
  redis.call('SETRANGE', campaign .. ':states', row * 2, to .. string.char(revision))
  if from == to then return end
  redis.call('HINCRBY', campaign, COUNTER[from], -1)
  redis.call('HINCRBY', campaign, COUNTER[to], 1)
  if from == 'f' or from == 'v' then redis.call('ZREM', campaign .. ':' .. COUNTER[from], row) end
  if to == 'f' or to == 'v' then redis.call('ZADD', campaign .. ':' .. COUNTER[to], row, row) end
  if from == 'w' then redis.call('ZREM', campaign .. ':redo', row) end
  if from == 'r' then
    if redis.call('HDEL', campaign .. ':work:' .. row, 'z') == 1 then redis.call('HINCRBY', campaign, 'asleep', -1) end
  end
  local facts = redis.call('HMGET', campaign, 'waiting', 'running', 'state')
  if facts[1] == '0' and facts[2] == '0' then
    if facts[3] == 'running' then redis.call('HSET', campaign, 'state', 'ended', 'ended', now) end
  elseif facts[3] == 'ended' then
    redis.call('HSET', campaign, 'state', 'running', 'ended', '')
  end
end

-- Sends a row back to be admitted anew, in the next revision: jobs of the old one find that they are superseded.
local function admit_again(campaign, row, from, revision, now)
  redis.call('HDEL', campaign .. ':errors', row)
  move(campaign, row, from, 'w', (revision + 1) % 256, now)
  redis.call('ZADD', campaign .. ':redo', row, row)
end

-- Whether the sleeping admission should be woken: no more rows are in flight than it asked to be woken at.
local function should_wake(campaign)
  local facts = redis.call('HMGET', campaign, 'sleeping', 'running', 'asleep')
  if not facts[1] or tonumber(facts[2]) - tonumber(facts[3]) > tonumber(facts[1]) then return false end
  redis.call('HDEL', campaign, 'sleeping')
  return true
end

-- The call of a row that the send journal still holds an entry of: nobody has told what became of it. Nil for none.
local function in_doubt(work)
  for _, field in ipairs(redis.call('HKEYS', work)) do
    local effect = string.match(field, '^journal:(.+)')
    if effect then return effect end
  end
  return nil
end

-- An entry of the send journal (`sending`, attempt token, time in ms) once nobody waits for its answer any more.
local function given_up(entry)
  return (string.gsub(entry, '^sending', 'unknown'))
end

-- The error of a row whose call was cut off, as JSON.
local function doubt(effect, now)
  return cjson.encode({
    step = effect == 'post' and 'post' or 'generate', code = 'outcome_unknown', at = tonumber(now),
    message = 'An earlier attempt was cut off after it may have sent the call; no answer tells what became of it.',
    cure = 'Look in the service whether it took effect.',
  })
end
