-- Rule (scrape): a scrape that cannot go on ends with its reason. Videos that were not looked up stay as they are.
-- ARGV: scrape, reason (JSON), now
-- Returns 1, or 0 if it does not run.
--- include scrapes.lua
local run, now = ARGV[1], time_of(ARGV[3])
local key = scrape_key(run)
if redis.call('HGET', key, 'state') ~= 'running' then return 0 end
redis.call('HSET', key, 'state', 'stopped', 'reason', ARGV[2], 'ended', now)
redis.call('DEL', key .. ':open')
record_scrape_event(run, 'ended', now, ARGV[2])
make_way(run)
return 1
