-- Keys of attempts to sign in: hashes with `n` (wrong attempts) and `until` (no attempt before this time).
local address_key = KEYS[1] .. ':tries:from:' .. ARGV[2]
local known_key = KEYS[1] .. ':tries:known:' .. ARGV[1] .. ':' .. ARGV[2]
local account_key = KEYS[1] .. ':tries:to:' .. ARGV[1]
if redis.call('EXISTS', known_key) == 1 then account_key = account_key .. ':' .. ARGV[2] end
