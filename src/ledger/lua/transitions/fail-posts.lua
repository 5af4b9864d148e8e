-- Rule (failed post): a posted row whose post was not published fails, if its result is still the one that was compared. Its post becomes
-- an earlier one, and its progress is restored. The campaign stays ended, and the row does not count for stop-after.
-- ARGV: campaign, now (ms; '' for the clock of Redis), then for each row: row, packed result as it was read, packed result to keep, JSON of the error
-- Returns '1' or '0' for each.
--- include ../rows.lua
--- include ../restore-progress.lua
local campaign, now = campaign_key(ARGV[1]), time_of(ARGV[2])

local function fail(row, packed, kept, error)
  local state, revision = read_state(campaign, row)
  local stored = result_of(campaign, row)
  if state ~= 'p' or split_result(stored) ~= packed then return '0' end
  local earlier = redis.call('HGET', campaign .. ':earlier', row)
  restore_progress(campaign, row, packed)
  redis.call('HSET', campaign .. ':earlier', row, (earlier and earlier .. '\n' or '') .. kept)
  drop_result(campaign, row)
  tell_times(campaign, row, stored)
  end_with(campaign, row, 'p', 'f', revision, now, error)
  gather(campaign, row, 'post.failed', now)
  return '1'
end

local replies = {}
for at = 3, #ARGV, 4 do
  -- A row whose data is damaged stays as it is.
  local _, failed = attempt(fail, tonumber(ARGV[at]), ARGV[at + 1], ARGV[at + 2], ARGV[at + 3])
  replies[#replies + 1] = failed == '1' and '1' or '0'
end
return replies
