-- Included. A video: hash `v:ID` with f (facts), r (number of the last scrape), m (the service's answer), s (summary of the history),
-- c (former captions), e (failure), g (gone); list `v:ID:h` with its samples as JSON, which begin with their time (Unix epoch, seconds).
local prefix = KEYS[1]

local function video_key(id) return prefix .. ':v:' .. id end

local function history_key(id) return video_key(id) .. ':h' end

-- The watch list, or its videos of one campaign: ids by number.
local function list_key(campaign) return prefix .. ':videos' .. (campaign == '' and '' or ':c:' .. campaign) end

-- When a sample was taken (Unix epoch, seconds).
local function taken_at(row) return tonumber(string.match(row, '^%[(%d+)')) or 0 end

-- Takes a video off the list of a campaign ('' for none), and off its row ('' for none).
local function leave_campaign(id, campaign, key)
  if campaign == '' then return end
  redis.call('ZREM', list_key(campaign), id)
  local rows = prefix .. ':videos:k:' .. campaign
  if key ~= '' and redis.call('HGET', rows, key) == id then redis.call('HDEL', rows, key) end
end

-- The fields of a video, the length of its history and its first row; none for a key of another type.
local function read_video(id)
  local fields = redis.pcall('HMGET', video_key(id), 'f', 'r', 'm', 's', 'c', 'e', 'g')
  if fields.err then return {} end
  for place = 1, 7 do fields[place] = fields[place] or '' end
  local history = history_key(id)
  fields[8] = redis.call('LLEN', history)
  fields[9] = redis.call('LINDEX', history, 0) or ''
  return fields
end
