-- Rule (reconcile): a row in review becomes posted by the record claimed for it, while the claim exists and its journal entry is the same.
-- The entry is kept for a while: the late answer of the row's own attempt has the last word.
-- ARGV: campaign, row, revision, journal entry as it was read, post id, now, how long the entry is kept (ms), packed result
-- Returns 'posted', 'taken' (another row has the post now), 'twice' (the row has another post, too), or, with the claim released, 'early' (the call
--   may still be under way) or 'stale' (the post is no longer of unknown outcome).
--- include ../rows.lua
--- include ../posts.lua
--- include ../earlier-posts.lua
local id, row, revision, entry = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
local post, now, kept_for, packed = ARGV[5], time_of(ARGV[6]), ARGV[7], ARGV[8]
local campaign = campaign_key(id)
local work = campaign .. ':work:' .. row
local state, current = read_state(campaign, row)

-- The connection sent the command twice.
if state == 'p' and post_of(result_of(campaign, row)) == post then return 'posted' end
local unsettled = state == 'v' and current == revision and redis.call('HGET', work, 'journal:post') == entry
if not unsettled then
  -- Unless the row had it meanwhile: then it is its own for ever.
  if not had_post(campaign, row, post) then free_post(post, id .. ' ' .. row) end
  return 'stale'
end
if holder_of(post) ~= id .. ' ' .. row then return 'taken' end
-- The record may be that of an earlier call: it tells nothing of one that is under way.
if over_of(entry) > tonumber(now) then
  free_post(post, id .. ' ' .. row)
  return 'early'
end

local late = late_posts(campaign, row)
if #late > 0 then
  late[#late + 1] = packed
  review_duplicates(campaign, row, 'v', revision, now, late)
  return 'twice'
end

record_entry(campaign, row, now, '', 'found in the records', post)
local assets = redis.call('HGET', work, 'assets')
if assets then redis.call('HSET', campaign .. ':assets', row, assets) end
set_result(campaign, row, packed)
redis.call('HDEL', campaign .. ':errors', row)
redis.call('HINCRBY', campaign, 'done:post', 1)
keep_progress(campaign, row, work)
redis.call('PEXPIRE', work, kept_for)
move(campaign, row, 'v', 'p', revision, now)
return 'posted'
