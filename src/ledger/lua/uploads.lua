-- Included. Rule (claim of an upload): one upload per content at a time. An expired lease goes to the next job that asks.

-- Arguments from `at`: key and field of the file's record, lease key, token, lease time (ms).
-- Returns 'known' and the record, 'yours' (again, for the same token), or 'taken'.
local function claim_upload(at)
  local known = redis.call('HGET', ARGV[at], ARGV[at + 1])
  if known then return 'known', known end
  if redis.call('SET', ARGV[at + 2], ARGV[at + 3], 'NX', 'PX', ARGV[at + 4]) then return 'yours', '' end
  return redis.call('GET', ARGV[at + 2]) == ARGV[at + 3] and 'yours' or 'taken', ''
end
