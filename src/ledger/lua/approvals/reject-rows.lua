-- Rule (approval): only a row that waits for an approval is rejected. It has failed: an edit or a retry sends it on, and it asks for another.
-- ARGV: campaign, now, who, why, JSON of the error without its time, then row, revision, ...
-- Returns the rows that are rejected now.
--- include at-gate.lua
local campaign, now, by, reason, failure = campaign_key(ARGV[1]), time_of(ARGV[2]), ARGV[3], ARGV[4], ARGV[5]
failure = cjson.decode(failure)
failure.at = tonumber(now)
failure = cjson.encode(failure)

return decide_at_gate(campaign, 'unapproved', now, 6, 2, function(row, revision)
  local record = { is = 'rejected', by = by, at = tonumber(now), reason = reason }
  redis.call('HSET', campaign .. ':approvals', row, cjson.encode(record))
  end_with(campaign, row, 'y', 'f', revision, now, failure, 'rejected')
  gather(campaign, row, 'approval.rejected', now)
  return true
end)
