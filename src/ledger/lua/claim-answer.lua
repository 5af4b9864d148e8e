-- Rule (API): a request with a key is carried out once.
-- ARGV: digest of the user, of user, route and key, JSON of the claim, ms that it holds, now, ms that answers are kept, most of a user
-- Returns the stored JSON; or nil, and then the claim is stored. Beyond the most, the oldest answer is removed.
local index, answer = KEYS[1] .. ':answers:' .. ARGV[1], KEYS[1] .. ':answer:' .. ARGV[2]
local found = redis.call('GET', answer)
if found then return found end
local now, kept = tonumber(ARGV[5]), tonumber(ARGV[6])
redis.call('SET', answer, ARGV[3], 'PX', ARGV[4])
redis.call('ZREMRANGEBYSCORE', index, '-inf', now - kept)
redis.call('ZADD', index, now, ARGV[2])
redis.call('PEXPIRE', index, kept)
for _, old in ipairs(redis.call('ZRANGE', index, 0, -tonumber(ARGV[7]) - 1)) do
  redis.call('DEL', KEYS[1] .. ':answer:' .. old)
  redis.call('ZREM', index, old)
end
return nil
