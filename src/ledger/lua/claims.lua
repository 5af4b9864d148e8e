-- Included. Rule (claim of a record): two rows never share a publishing record. The hash `claims` of an account maps a post id to the
-- `campaign row` that took the record while its outcome was unknown. An answer proves which row the post belongs to: that row takes the
-- record, and the row that had it goes back to review. A reconciled row therefore keeps its progress, with its journal entry, for a while.
-- Needs rows.lua.

local function claims_key(campaign)
  return prefix .. ':a:' .. (redis.call('HGET', campaign, 'account') or 'default') .. ':claims'
end

local function post_of(packed)
  return packed and string.match(packed, '^[^\t]*')
end

-- Sends a row back to review because its record turned out to be another row's post.
local function give_up_record(id, row, post, now)
  local campaign = campaign_key(id)
  local state, revision = read_state(campaign, row)
  local results = campaign .. ':results:' .. math.floor(row / 500)
  if state ~= 'p' or post_of(redis.call('HGET', results, row % 500)) ~= post then return end
  redis.call('HDEL', results, row % 500)
  redis.call('HDEL', campaign .. ':assets', row)
  redis.call('PERSIST', campaign .. ':work:' .. row)
  local unknown = doubt('post', now)
  redis.call('HSET', campaign .. ':errors', row, unknown)
  tell_error(campaign, row, now, 'review', unknown)
  redis.call('HINCRBY', campaign, 'done:post', -1)
  move(campaign, row, 'p', 'v', revision, now)
end

-- Sends a row back to review because its own call had no effect, if it had taken a record as its post.
local function drop_claim(campaign, id, row, now)
  local post = post_of(redis.call('HGET', campaign .. ':results:' .. math.floor(row / 500), row % 500))
  local claims = claims_key(campaign)
  if not post or redis.call('HGET', claims, post) ~= id .. ' ' .. row then return end
  redis.call('HDEL', claims, post)
  give_up_record(id, row, post, now)
end

-- The answer of a call proves which row the post belongs to, whichever row took the record before.
local function take_record(campaign, id, row, packed, now)
  local claims, mine = claims_key(campaign), id .. ' ' .. row
  local post = post_of(packed)
  local earlier = post_of(redis.call('HGET', campaign .. ':results:' .. math.floor(row / 500), row % 500))
  if earlier and earlier ~= post and redis.call('HGET', claims, earlier) == mine then redis.call('HDEL', claims, earlier) end
  local holder = redis.call('HGET', claims, post)
  if not holder or holder == mine then return end
  redis.call('HDEL', claims, post)
  local other, other_row = string.match(holder, '^(%S+) (%d+)$')
  give_up_record(other, tonumber(other_row), post, now)
end
