-- Rule (approval): a rejected row has failed. An edit or a retry sends it on, and it asks for another approval.
-- ARGV: campaign, now, who, why, JSON of the error without its time, then row, revision, ...
-- Returns the rows that are rejected now.
--- include ../rows.lua
--- include ../damage.lua
local campaign, now, by, reason, failure = campaign_key(ARGV[1]), time_of(ARGV[2]), ARGV[3], ARGV[4], ARGV[5]
local rejected = {}
failure = cjson.decode(failure)
failure.at = tonumber(now)
failure = cjson.encode(failure)
if redis.call('EXISTS', campaign) == 0 or is_cancelled(campaign) then return rejected end
each_row(campaign, 6, 2, function(row, state, revision)
  if state ~= 'y' then return end
  local function reject()
    local record = { is = 'rejected', by = by, at = tonumber(now), reason = reason }
    redis.call('HSET', campaign .. ':approvals', row, cjson.encode(record))
    end_with(campaign, row, state, 'f', revision, now, failure, 'rejected')
    gather(campaign, row, 'approval.rejected', now)
    return true
  end
  if unless_damaged(campaign, row, now, reject) then push(rejected, row) end
end)
return rejected
