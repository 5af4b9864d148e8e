-- Included. Rule (claim of a record): two rows never share a publishing record. The hash `claims` maps a post id to a
-- `campaign row`: the one that took the record while its outcome was unknown, that a person gave it to, or whose late answer brought it.
-- An answer proves which row the post belongs to: that row takes the record, and the row that had it goes back to review. A reconciled
-- row therefore keeps its progress, with its journal entry, for a while.
-- Needs rows.lua.
--- include restore-progress.lua

local claims = prefix .. ':claims'

-- Earlier versions kept the claims of each account apart.
local function older_claims(campaign)
  return prefix .. ':a:' .. (redis.call('HGET', campaign, 'account') or 'default') .. ':claims'
end

local function claim_holder(campaign, post)
  return redis.call('HGET', claims, post) or redis.call('HGET', older_claims(campaign), post)
end

local function free_claim(campaign, post)
  redis.call('HDEL', claims, post)
  redis.call('HDEL', older_claims(campaign), post)
end

local function post_of(packed)
  return packed and string.match(packed, '^[^\t]*')
end

-- Parses the holder of a claim: campaign key and row.
local function row_of(holder)
  local id, row = string.match(holder, '^(%S+) (%d+)$')
  return campaign_key(id), tonumber(row)
end

local function has_post(campaign, row, post)
  local packed = redis.call('HGET', campaign .. ':results:' .. math.floor(row / 500), row % 500)
  return read_state(campaign, row) == 'p' and post_of(packed) == post
end

-- A journal entry for a row that no longer has its own: as it was before a decision, while that is known.
local function entry_before(campaign, row, post, now)
  local kept = redis.call('HMGET', campaign .. ':undo:' .. row, 'post', 'was:journal:post')
  return kept[1] == post and kept[2] or 'unknown - ' .. now
end

-- Sends a row back to review because its record turned out to be another row's post.
local function give_up_record(campaign, row, post, now)
  if not has_post(campaign, row, post) then return end
  local _, revision = read_state(campaign, row)
  local results, work = campaign .. ':results:' .. math.floor(row / 500), campaign .. ':work:' .. row
  local entry = redis.call('HGET', work, 'journal:post')
  -- A reconciled row still has its progress, for a while. For a decided row, only the data kept with its post is left.
  if redis.call('PERSIST', work) == 0 then
    restore_progress(campaign, row, split_result(redis.call('HGET', results, row % 500)) or '')
  end
  redis.call('HSET', work, 'journal:post', entry or entry_before(campaign, row, post, now))
  redis.call('HDEL', results, row % 500)
  redis.call('HDEL', campaign .. ':assets', row)
  redis.call('HDEL', campaign .. ':kept:' .. math.floor(row / 500), row % 500)
  local unknown = doubt('post', now)
  redis.call('HSET', campaign .. ':errors', row, unknown)
  tell_error(campaign, row, now, 'review', unknown)
  redis.call('HINCRBY', campaign, 'done:post', -1)
  move(campaign, row, 'p', 'v', revision, now)
end

-- Sends a row back to review because its own call had no effect, if it had taken a record as its post.
local function drop_claim(campaign, id, row, now)
  local post = post_of(redis.call('HGET', campaign .. ':results:' .. math.floor(row / 500), row % 500))
  if not post or claim_holder(campaign, post) ~= id .. ' ' .. row then return end
  free_claim(campaign, post)
  give_up_record(campaign, row, post, now)
end

-- The answer of a call proves which row the post belongs to, whichever row took the record before.
local function take_record(campaign, id, row, packed, now)
  local mine = id .. ' ' .. row
  local post = post_of(packed)
  local earlier = post_of(redis.call('HGET', campaign .. ':results:' .. math.floor(row / 500), row % 500))
  if earlier and earlier ~= post and claim_holder(campaign, earlier) == mine then free_claim(campaign, earlier) end
  local holder = claim_holder(campaign, post)
  if not holder or holder == mine then return end
  free_claim(campaign, post)
  local other, other_row = row_of(holder)
  give_up_record(other, other_row, post, now)
end
