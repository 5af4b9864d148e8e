-- Rule (scrape): a part is done once, with the videos that it left out.
-- KEYS[1]: prefix of all keys.
-- ARGV: scrape, first number of the part, videos left out, time (Unix epoch, ms)
-- Returns '1' if the scrape ended now, else '0'.
--- include scrapes.lua
local prefix, run = KEYS[1], ARGV[1]
local key = scrape_key(prefix, run)
if redis.call('HDEL', key .. ':open', ARGV[2]) == 1 then redis.call('HINCRBY', key, 'skipped', ARGV[3]) end
return end_if_done(prefix, run, ARGV[4])
