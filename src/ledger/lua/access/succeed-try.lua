-- Rule (access): a right password ends the wait of its account. For its address, it takes back only its own attempt, so that a person
-- with an account cannot guess the passwords of others without limit.
-- KEYS[1]: prefix of all keys.
-- ARGV: bucket of the account, bucket of the address, ms to remember that this address has signed in to this account
--- include tries.lua
redis.call('DEL', account_key)
if redis.call('EXISTS', address_key) == 1 then
  redis.call('HINCRBY', address_key, 'n', -1)
  redis.call('HDEL', address_key, 'until')
end
redis.call('SET', known_key, '1', 'PX', ARGV[3])
return 1
