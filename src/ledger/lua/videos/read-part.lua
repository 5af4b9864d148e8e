-- Reads the record of a scrape and the videos of a part in one command.
-- ARGV: scrape, first and last number of the part
-- Returns { record (names and values in turn), ids, `read_video` of each }, without videos if the scrape does not run.
--- include scrapes.lua
local record = redis.call('HGETALL', scrape_key(ARGV[1]))
local state, campaign
for at = 1, #record, 2 do
  if record[at] == 'state' then state = record[at + 1] elseif record[at] == 'campaign' then campaign = record[at + 1] end
end
if state ~= 'running' then return { record, {}, {} } end
local ids = redis.call('ZRANGEBYSCORE', list_key(campaign), ARGV[2], ARGV[3])
local replies = {}
for index, id in ipairs(ids) do replies[index] = read_video(id) end
return { record, ids, replies }
