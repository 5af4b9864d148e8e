-- Included by rows.lua. Rule (history): the hash `histories` has the latest fifty entries of a row, as JSON, one a line. A row that succeeds
-- at the first attempt loses its history with its post.
-- An entry: t time (ms), s step (absent outside of a step), o outcome, m message, n how many like it in a row.
-- Outcomes that begin with `o` (ok), `p` (posted) or `t` (throttled) are those of a first attempt.
local most_entries, most_characters = 50, 240
-- Fifty entries are never shorter.
local few_bytes = 50 * 20

-- One line, of bounded length.
local function cut(text)
  text = string.gsub(text, '%c', ' ')
  if #text <= most_characters then return text end
  local characters = 0
  for at in string.gmatch(text, '()[^\128-\191]') do
    characters = characters + 1
    if characters > most_characters then return string.sub(text, 1, at - 1) .. '...' end
  end
  return text
end

local function latest(history)
  if #history < few_bytes then return history end
  local _, breaks = string.gsub(history, '\n', '')
  for _ = most_entries, breaks do history = string.gsub(history, '^[^\n]*\n', '') end
  return history
end

local function add_entry(campaign, row, now, step, outcome, message)
  local histories = campaign .. ':histories'
  local history = redis.call('HGET', histories, row) or ''
  local entry = { t = tonumber(now), o = outcome }
  if step ~= '' then entry.s = step end
  if message and message ~= '' then entry.m = cut(message) end
  if outcome == 'again' or outcome == 'throttled' then
    local before, last = string.match(history, '^(.*)\n([^\n]*)$')
    if not before then before, last = '', history end
    -- Quotes within a message are escaped.
    if string.find(last, '"s":"' .. step .. '"', 1, true) and string.find(last, '"o":"' .. outcome .. '"', 1, true) then
      entry.n = (tonumber(string.match(last, '"n":(%d+)')) or 1) + 1
      history = before
    end
  end
  redis.call('HSET', histories, row, latest((history == '' and '' or history .. '\n') .. cjson.encode(entry)))
end

-- Consecutive polls without news become one entry, and so do throttled attempts.
local function record_entry(...) attempt(add_entry, ...) end

local function record_error(campaign, row, now, outcome, json)
  local error = cjson.decode(json)
  record_entry(campaign, row, now, error.step or '', outcome, (error.code or '') .. ': ' .. (error.message or ''))
end

-- As `record_entry`, but only if the row has a history already.
local function record_if_begun(campaign, row, now, outcome)
  local _, has = attempt(redis.call, 'HEXISTS', campaign .. ':histories', row)
  if has == 1 then record_entry(campaign, row, now, '', outcome) end
end

-- Restores the history of a row that was posted at the first attempt, from the times in its packed result.
local function restore_history(campaign, row, packed)
  if select(2, attempt(redis.call, 'HEXISTS', campaign .. ':histories', row)) ~= 0 then return end
  local post, seconds, took = string.match(packed, '^([^\t]*)\t[^\t]*\t(%w+)\t[^\t]*\t?(%w*)$')
  if not post then return end
  local at = tonumber(seconds, 36) * 1000
  if took ~= '' then record_entry(campaign, row, at - tonumber(took, 36) * 1000, '', 'begun') end
  record_entry(campaign, row, at, 'post', 'posted', post)
end

-- Records that a row is posted. At the first attempt, removes its history, and returns the seconds since its first entry; else nil.
local function end_history(campaign, row, now, step, outcome, post)
  local ok, history = attempt(redis.call, 'HGET', campaign .. ':histories', row)
  if not ok then return nil end
  if outcome ~= 'posted' or (history and string.find(history, '"o":"[^opt]')) then
    record_entry(campaign, row, now, step, outcome, post)
    return nil
  end
  if not history then return nil end
  redis.call('HDEL', campaign .. ':histories', row)
  local since = tonumber(string.match(history, '"t":(%d+)') or now)
  return math.max(0, math.floor((tonumber(now) - since) / 1000))
end
