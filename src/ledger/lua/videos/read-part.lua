-- Reads the record of a scrape and the videos of a part in one command.
-- KEYS[1]: prefix of all keys.
-- ARGV: scrape, first and last number of the part, the fields of a video
-- Returns { record (names and values in turn), ids, fields of each video in the order of the ids (none for a key of another type) }.
--   Without videos if the scrape does not run.
--- include scrapes.lua
local prefix, run = KEYS[1], ARGV[1]
local record = redis.call('HGETALL', scrape_key(prefix, run))
local state, campaign
for at = 1, #record, 2 do
  if record[at] == 'state' then state = record[at + 1] elseif record[at] == 'campaign' then campaign = record[at + 1] end
end
if state ~= 'running' then return { record, {}, {} } end
local list = campaign == '' and prefix .. ':videos' or prefix .. ':videos:c:' .. campaign
local ids = redis.call('ZRANGEBYSCORE', list, ARGV[2], ARGV[3])
local fields, replies = {}, {}
for at = 4, #ARGV do fields[#fields + 1] = ARGV[at] end
for index, id in ipairs(ids) do
  local reply = redis.pcall('HMGET', prefix .. ':v:' .. id, unpack(fields))
  if reply.err and not string.find(reply.err, 'WRONGTYPE', 1, true) then return reply end
  replies[index] = reply.err and {} or reply
end
return { record, ids, replies }
