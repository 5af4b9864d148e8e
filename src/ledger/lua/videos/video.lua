-- Included. A video: hash `v:ID` with f (facts), r (number of the last scrape), m (the service's answer), s (summary of the history),
-- c (former captions), e (failure), g (gone); list `v:ID:h` with its samples as JSON, which begin with their time (Unix epoch, seconds).
local function video_key(prefix, id)
  return prefix .. ':v:' .. id
end

local function history_key(prefix, id)
  return prefix .. ':v:' .. id .. ':h'
end

local function time_of(row)
  return tonumber(string.match(row, '^%[(%d+)')) or 0
end

-- The fields of a video, the length of its history and its first row; none for a key of another type.
local function read_video(prefix, id)
  local fields = redis.pcall('HMGET', video_key(prefix, id), 'f', 'r', 'm', 's', 'c', 'e', 'g')
  if fields.err then return {} end
  for place = 1, 7 do fields[place] = fields[place] or '' end
  local history = history_key(prefix, id)
  fields[8] = redis.call('LLEN', history)
  fields[9] = redis.call('LINDEX', history, 0) or ''
  return fields
end
