-- Included by rows.lua. Rule (story): what happened to a row is kept with its progress, one JSON entry a line, the latest fifty. A row
-- that came through at the first try loses it with its post; any other one keeps it.
-- An entry: t time (ms), s step (absent for what a person did), o outcome, m message, n how many polls in a row.
local most_entries, most_bytes = 50, 240

-- Cuts a text, but no character of it.
local function cut(text)
  if #text <= most_bytes then return text end
  return (string.gsub(string.sub(text, 1, most_bytes), '[\192-\255]?[\128-\191]*$', '')) .. '...'
end

local function latest(story)
  local _, breaks = string.gsub(story, '\n', '')
  for _ = most_entries, breaks do story = string.gsub(story, '^[^\n]*\n', '') end
  return story
end

-- Adds an entry. Unsuccessful polls in a row become one.
local function tell(campaign, row, now, step, outcome, message)
  local work = campaign .. ':work:' .. row
  local story = redis.call('HGET', work, 'story') or ''
  local entry = { t = tonumber(now), o = outcome }
  if step ~= '' then entry.s = step end
  if message and message ~= '' then entry.m = cut(message) end
  if step == 'poll' and outcome == 'again' then
    local before, last = string.match(story, '^(.-)([^\n]*)$')
    local poll = last ~= '' and cjson.decode(last)
    if poll and poll.s == 'poll' and poll.o == 'again' then
      entry.n = (poll.n or 1) + 1
      story = string.gsub(before, '\n$', '')
    end
  end
  redis.call('HSET', work, 'story', latest((story == '' and '' or story .. '\n') .. cjson.encode(entry)))
end

-- As `tell`, for the JSON of an error.
local function tell_error(campaign, row, now, outcome, json)
  local error = cjson.decode(json)
  tell(campaign, row, now, error.step or '', outcome, (error.code or '') .. ': ' .. (error.message or ''))
end

-- Ends the story of a posted row: keeps it if anything went wrong.
-- Returns how many seconds the row took since its first entry, or nil.
local function end_story(campaign, row, now)
  local story = redis.call('HGET', campaign .. ':work:' .. row, 'story')
  if not story then return nil end
  local stories = campaign .. ':stories'
  local earlier = redis.call('HGET', stories, row)
  if earlier or string.find(story, '"o":"[^op]') then
    redis.call('HSET', stories, row, earlier and latest(earlier .. '\n' .. story) or story)
  end
  local first = cjson.decode(string.match(story, '^[^\n]*'))
  return math.max(0, math.floor((tonumber(now) - first.t) / 1000))
end
