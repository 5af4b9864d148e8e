-- Rule (history): a video gets at most one sample per scrape. Scrape numbers increase.
-- ARGV: count, then for each: scrape, video id, row, known counters (JSON), times that growth is measured up to (the latest first, separated by
--   commas), meta ('' if it stays), former captions ('' if they stay)
-- Returns for each: 'stored', 'known' (this scrape has looked it up already), 'removed', 'ended' (the scrape); an error for a damaged video.
--- include scrapes.lua

-- The newest row up to each time, as a JSON array; null for none.
local function rows_up_to(history, limits)
  local found, rows, place, last = {}, {}, 0, -1
  for limit in string.gmatch(limits, '[^,]+') do
    repeat
      if place == 0 then
        rows = redis.call('LRANGE', history, last - 31, last)
        last, place = last - #rows, #rows
      end
      local is_found = place == 0 or taken_at(rows[place]) <= tonumber(limit)
      if not is_found then place = place - 1 end
    until is_found
    found[#found + 1] = place == 0 and 'null' or rows[place]
  end
  return '[' .. table.concat(found, ',') .. ']'
end

local function append(at)
  local run, id, row, known, limits, meta, captions = unpack(ARGV, at, at + 6)
  local video, history = video_key(id), history_key(id)
  local verdict = may_write(run, id)
  if verdict ~= 'ok' then return verdict end
  local summary = '[' .. row .. ',' .. known .. ',' .. rows_up_to(history, limits) .. ']'
  redis.call('RPUSH', history, row)
  redis.call('HSET', video, 's', summary, 'r', run)
  if meta ~= '' then redis.call('HSET', video, 'm', meta) end
  if captions ~= '' then redis.call('HSET', video, 'c', captions) end
  redis.call('HDEL', video, 'e', 'g')
  redis.call('HINCRBY', scrape_key(run), 'done', 1)
  return 'stored'
end

return each_item(7, append)
