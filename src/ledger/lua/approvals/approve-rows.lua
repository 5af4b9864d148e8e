-- Rule (approval): a row that waits for an approval is approved as it was shown: in its revision, with the digest of its post. The job of the
-- post compares that digest with what it is about to send.
-- ARGV: campaign, now, who, then for each: row, revision, digest, from when on the row goes on (ms; passed: at once; 0: now)
-- Returns the rows that are approved now.
--- include at-gate.lua
local campaign, now, by = campaign_key(ARGV[1]), time_of(ARGV[2]), ARGV[3]

return decide_at_gate(campaign, 'unapproved', now, 4, 4, function(row, _, at)
  local record = { is = 'approved', digest = ARGV[at + 2], by = by, at = tonumber(now) }
  redis.call('HSET', campaign .. ':approvals', row, cjson.encode(record))
  leave_gates(campaign, row)
  -- Of those that go at once, the one whose time is nearest goes first.
  redis.call('ZADD', campaign .. ':ready', ARGV[at + 3] == '0' and now or ARGV[at + 3], row)
  record_entry(campaign, row, now, '', 'approved', by)
  announce_all_decided(campaign, now)
  return true
end)
