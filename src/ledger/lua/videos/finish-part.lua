-- Rule (scrape): a part ends once, with the number of skipped videos. Its end makes room for other parts.
-- Rule (window): the number of parts of a scrape in the queue is limited.
-- ARGV: scrape, first number of the part ('' for none, at the start), videos skipped, most parts at once, videos in a part, now
-- Returns { '1' if the scrape ended now, first and last number of each new part, ... }
--- include scrapes.lua
local run = ARGV[1]
local key = scrape_key(run)
if redis.call('HDEL', key .. ':open', ARGV[2]) == 1 and ARGV[3] ~= '0' then redis.call('HINCRBY', key, 'skipped', ARGV[3]) end
return take_parts(run, tonumber(ARGV[4]), tonumber(ARGV[5]), time_of(ARGV[6]))
