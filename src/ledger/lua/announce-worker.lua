-- Rule: a worker is alive while it sends heartbeats. Uses the clock of Redis, because the machines' clocks may differ.
-- Rule (lost journal): each heartbeat compares the journal with what the worker has seen.
-- KEYS[1]: prefix of all keys.
-- ARGV: id of the worker, JSON of its facts, ms to remember it after its last heartbeat, ms that any worker is remembered at most,
--   then what the worker has seen of the journal: see `look_at_journal`, then the name of a periodic job, ...
-- Returns { the format of the ledger, so that a worker of an older program notices a newer one; the time of Redis (ms), so that it
--   notices that its clock is wrong; the reply of `look_at_journal`; for each periodic job its last run (`begin-run.lua`), or '' }.
--- include journal.lua
local workers, id, remembered, longest = KEYS[1] .. ':workers', ARGV[1], tonumber(ARGV[3]), tonumber(ARGV[4])
local now = tonumber(time_of(''))
redis.call('SET', KEYS[1] .. ':worker:' .. id, ARGV[2], 'PX', remembered)
redis.call('ZADD', workers, now, id)
redis.call('ZREMRANGEBYSCORE', workers, '-inf', now - longest)
local seen = look_at_journal(tonumber(ARGV[5]), ARGV[6], ARGV[7], ARGV[8], tonumber(ARGV[9]))
local reply = { redis.call('HGET', KEYS[1] .. ':format', 'version') or '0', now, seen }
for index = 10, #ARGV do
  local last = redis.pcall('HGET', KEYS[1] .. ':periodic', ARGV[index])
  reply[#reply + 1] = type(last) == 'string' and last or ''
end
return reply
