-- Attempts to sign in, by account and by address: hashes with `n` (wrong attempts) and `until` (no attempt before this time). So many of
-- each kind have a place of their own, in an index by time of expiry; while they are taken, all others share 65,536 places.
local tries = KEYS[1] .. ':tries:'
local own_places = 65536

-- kind: 'to' (accounts) or 'from' (addresses). bucket: 8 hex digits.
-- Returns the key of the attempts, and whether the place is the bucket's own.
local function place_of(kind, bucket)
  local index = tries .. kind
  local is_own = redis.call('ZSCORE', index, bucket) or redis.call('ZCARD', index) < own_places
  return index .. ':' .. (is_own and bucket or string.sub(bucket, 1, 4)), is_own
end

-- Returns as `place_of`. Whoever signed in to the account from this address before has a place apart.
local function account_place(account, address, now)
  local known = tonumber(redis.call('ZSCORE', tries .. 'known:' .. account, address) or '0')
  if known > now then return tries .. 'to:' .. account .. ':' .. address, false end
  return place_of('to', account)
end

-- Gives back places that have expired, some at a time: more than one attempt takes.
local function free_places(kind, now)
  local over = redis.call('ZRANGEBYSCORE', tries .. kind, '-inf', now, 'LIMIT', 0, 100)
  if #over > 0 then redis.call('ZREM', tries .. kind, unpack(over)) end
end

-- Keeps a place of one's own for `ms`.
local function keep_place(kind, bucket, now, ms)
  local index = tries .. kind
  redis.call('ZADD', index, now + ms, bucket)
  redis.call('PEXPIRE', index, math.max(redis.call('PTTL', index), ms))
end
