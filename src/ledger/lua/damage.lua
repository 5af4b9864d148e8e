-- Included. Rule (damaged data): a row whose data cannot be used ends in review, and its campaign goes on. Keys of a wrong type are moved
-- aside, never deleted: the hash `aside` of a campaign maps their new names to the time (ms).
-- Needs rows.lua.
local TYPES = {
  errors = 'hash', failed = 'zset', review = 'zset', redo = 'zset', held = 'zset', changed = 'zset', histories = 'hash', adding = 'hash',
  groups = 'hash', creators = 'hash', assets = 'hash', earlier = 'hash', pace = 'hash', pauses = 'list', follow = 'hash',
}

-- Numbers that a campaign counts on from nothing.
local COUNTS = { judged = true, missed = true, worked = true, asleep = true }

-- Moves a key aside if it has another type. Returns whether it had.
local function set_aside(campaign, key, wanted, now)
  local found = redis.call('TYPE', key).ok
  if found == 'none' or found == wanted then return false end
  local name, number = key .. ':damaged', 1
  while redis.call('EXISTS', name) == 1 do
    number = number + 1
    name = key .. ':damaged' .. number
  end
  redis.call('RENAME', key, name)
  redis.pcall('HSET', campaign .. ':aside', name, now)
  return true
end

-- Counts the rows by state, and finds them for their indexes, from their states.
local function count_again(campaign)
  local counts, row = {}, 0
  for letter in pairs(COUNTER) do counts[letter] = 0 end
  for letter, revision in string.gmatch(redis.call('GET', campaign .. ':states'), '(.)(.)') do
    if counts[letter] then counts[letter] = counts[letter] + 1 end
    if letter == 'f' or letter == 'v' then redis.call('ZADD', campaign .. ':' .. COUNTER[letter], row, row) end
    if letter == 'w' and string.byte(revision) > 0 and not redis.call('ZSCORE', campaign .. ':held', row) then
      redis.call('ZADD', campaign .. ':redo', row, row)
    end
    row = row + 1
  end
  for letter, name in pairs(COUNTER) do redis.call('HSET', campaign, name, counts[letter]) end
  redis.call('HSET', campaign, 'held', redis.call('ZCARD', campaign .. ':held'))
end

-- Mends the keys that a campaign has exactly one of.
local function mend_campaign(campaign, now)
  if redis.call('EXISTS', campaign) == 0 then return end
  local is_wrong = false
  for _, name in pairs(COUNTER) do
    is_wrong = is_wrong or not string.match(redis.call('HGET', campaign, name) or '', '^%-?%d+$')
  end
  for _, name in ipairs(redis.call('HKEYS', campaign)) do
    local counts = COUNTS[name] or string.sub(name, 1, 5) == 'done:'
    if counts and not string.match(redis.call('HGET', campaign, name), '^%-?%d+$') then redis.call('HDEL', campaign, name) end
  end
  for name, wanted in pairs(TYPES) do
    local moved = set_aside(campaign, campaign .. ':' .. name, wanted, now)
    is_wrong = is_wrong or (moved and wanted == 'zset')
  end
  if is_wrong then count_again(campaign) end
  follow_counters(campaign, now)
end

-- Mends the keys of one row. Returns whether its progress was lost. Without its journal, it may have been sent: an unknown outcome stays in its
-- place. `token`: of the attempt that has an entry for `effect` (or '').
local function mend_row(campaign, row, effect, token, now)
  set_aside(campaign, chunk_of(campaign, 'results', row), 'hash', now)
  set_aside(campaign, chunk_of(campaign, 'kept', row), 'hash', now)
  set_aside(campaign, campaign .. ':undo:' .. row, 'hash', now)
  local work = campaign .. ':work:' .. row
  if not set_aside(campaign, work, 'hash', now) then return false end
  redis.call('HSET', work, 'journal:' .. (effect == '' and 'post' or effect), 'unknown ' .. (effect == '' and 'lost' or token) .. ' ' .. now)
  return true
end

-- Sends a mended row that is neither posted nor cancelled to review.
local function end_damaged(campaign, row, now, text)
  local state, revision = read_state(campaign, row)
  if state ~= 'w' and state ~= 'r' and state ~= 'f' then return end
  local effect = unknown_effect(campaign .. ':work:' .. row) or 'post'
  local error = cjson.encode({
    step = effect == 'post' and 'post' or 'generate', code = 'data_damaged', at = tonumber(now),
    message = 'The data of this row in Redis is damaged: ' .. cut(text),
    cure = 'Ask an operator to find out what changed the data in Redis. ' .. whether_exists(effect),
  })
  end_with(campaign, row, state, 'v', revision, now, error)
end

-- Does the part of a script that concerns one row. If its data is damaged, mends it and tries again; if that fails, or if progress was
-- lost, the row goes to review. Returns the reply of `work`, or nil if the row went to review or its reply was lost.
local function mending(campaign, row, now, work)
  local before = read_state(campaign, row)
  local ok, reply = attempt(work)
  if ok then return reply end
  mend_campaign(campaign, now)
  -- The row has moved: only what follows from that was lost, and it is counted again.
  if read_state(campaign, row) ~= before then return nil end
  if not mend_row(campaign, row, '', '', now) then
    local done, again = attempt(work)
    if done then return again end
  end
  end_damaged(campaign, row, now, reply)
end
