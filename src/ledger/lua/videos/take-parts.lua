-- Rule (window): the number of parts of a scrape in the queue is limited.
-- ARGV: scrape, most parts at once, videos in a part, now
-- Returns { '1' if the scrape ended now, first and last number of each new part, ... }
--- include scrapes.lua
return take_parts(ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), time_of(ARGV[4]))
