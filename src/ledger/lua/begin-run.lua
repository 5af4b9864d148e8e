-- Rule: the last run of each periodic job is known by the clock of Redis, so that every process can tell whether it is missing.
-- KEYS[1]: prefix of all keys.
-- ARGV: name of the job, its period (ms)
--- include clock.lua
redis.call('HSET', KEYS[1] .. ':periodic', ARGV[1], time_of('') .. ' ' .. ARGV[2])
