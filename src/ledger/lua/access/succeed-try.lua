-- Rule (access): a right password ends the wait of its account. For its address, it takes back only its own attempt, so that a person
-- with an account cannot guess the passwords of others without limit.
-- ARGV: bucket of the account, bucket of the address, now, ms to remember that this address has signed in to this account, most addresses of an
--   account that are remembered
--- include tries.lua
local account, address, now, remember = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
redis.call('DEL', (account_place(account, address, now)))
local address_key = place_of('from', address)
if redis.call('EXISTS', address_key) == 1 then
  redis.call('HINCRBY', address_key, 'n', -1)
  redis.call('HDEL', address_key, 'until')
end
local known = tries .. 'known:' .. account
redis.call('ZADD', known, now + remember, address)
redis.call('ZREMRANGEBYRANK', known, 0, -tonumber(ARGV[5]) - 1)
redis.call('PEXPIRE', known, remember)
return 1
