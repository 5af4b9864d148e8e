-- Rule: a process that works jobs off is alive as long as it says so. The clock is that of Redis: those of the machines may differ.
-- KEYS[1]: prefix of all keys.
-- ARGV: id of the worker, JSON of its facts, ms for which it is remembered after it has gone silent
-- Returns 'OK'.
local workers, id, remembered = KEYS[1] .. ':workers', ARGV[1], tonumber(ARGV[3])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
redis.call('SET', KEYS[1] .. ':worker:' .. id, ARGV[2], 'PX', remembered)
redis.call('ZADD', workers, now, id)
redis.call('ZREMRANGEBYSCORE', workers, '-inf', now - remembered)
return 'OK'
