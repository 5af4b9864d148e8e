-- Rule: the last run of each periodic job is known by the clock of Redis, so that every process can tell whether it is missing.
-- KEYS[1]: prefix of all keys.
-- ARGV: name of the job, its period (ms)
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
redis.call('HSET', KEYS[1] .. ':periodic', ARGV[1], string.format('%.0f %s', now, ARGV[2]))
return 'ok'
