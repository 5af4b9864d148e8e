-- Included by rows.lua. The packed result of a posted row, as `results.ts` describes it. Several are one a line (`earlier`, `late`).
-- Rule (posts by planned time): the results of a campaign are counted by planned time and status (`set_result`, `drop_result`).
-- Redis stores a hash compactly only while no value is longer than this.
local compact_bytes = 64

local function base36(number)
  local digits = ''
  repeat
    local digit = number % 36
    digits = string.sub('0123456789abcdefghijklmnopqrstuvwxyz', digit + 1, digit + 1) .. digits
    number = math.floor(number / 36)
  until number == 0
  return digits
end

local function with_time(payload, took)
  local digits = base36(took)
  return #payload + 1 + #digits <= compact_bytes and payload .. '\t' .. digits or payload
end

-- Splits a packed result into the caller's part and the part that `record_post` added. Results are compared by the first part.
local function split_result(packed)
  return string.match(packed or '', '^([^\t]*\t[^\t]*\t[^\t]*\t[^\t]*)(.*)$')
end

local function chunk_of(campaign, kind, row) return campaign .. ':' .. kind .. ':' .. math.floor(row / 500) end

local function result_of(campaign, row) return redis.call('HGET', chunk_of(campaign, 'results', row), row % 500) end

-- A campaign has few planned times. With very many, further ones count at the full hour after them, so that reading them stays cheap.
local most_planned = 10000

-- The field that counts a planned time with a status. The contract names no statuses: long ones are one.
local function planned_field(key, planned, status, by)
  local suffix = ' ' .. (#status > 120 and '=' or status)
  local known = planned == '' or redis.call('HEXISTS', key, planned .. suffix) == 1
  if known or (by > 0 and redis.call('HLEN', key) < most_planned) then return planned .. suffix end
  return base36(math.ceil((tonumber(planned, 36) or 0) / 60) * 60) .. suffix
end

-- Planned times are minutes in base 36; empty for none. `planned-until` is the last one.
local function count_planned(campaign, packed, by)
  local status, planned = string.match(packed, '^[^\t]*\t([^\t]*)\t%w*%+?(%w*)')
  if not status then return end
  local key = campaign .. ':planned-times'
  local field = planned_field(key, planned, status, by)
  local left = redis.call('HINCRBY', key, field, by)
  local at, last = tonumber(string.match(field, '^%w*'), 36) or 0, tonumber(redis.call('HGET', campaign, 'planned-until') or '') or 0
  if left > 0 then
    if at > last then redis.call('HSET', campaign, 'planned-until', at) end
    return
  end
  redis.call('HDEL', key, field)
  if at == 0 or at < last then return end
  last = 0
  for _, field in ipairs(redis.call('HKEYS', key)) do last = math.max(last, tonumber(string.match(field, '^%w+') or '', 36) or 0) end
  redis.call('HSET', campaign, 'planned-until', last)
end

-- The counts only tell of it, so they never stop it.
local function set_result(campaign, row, packed)
  local before = result_of(campaign, row)
  redis.call('HSET', chunk_of(campaign, 'results', row), row % 500, packed)
  if before then attempt(count_planned, campaign, before, -1) end
  attempt(count_planned, campaign, packed, 1)
end

local function drop_result(campaign, row)
  local before = result_of(campaign, row)
  if before then attempt(count_planned, campaign, before, -1) end
  redis.call('HDEL', chunk_of(campaign, 'results', row), row % 500)
  redis.call('HDEL', chunk_of(campaign, 'kept', row), row % 500)
  redis.call('HDEL', campaign .. ':assets', row)
  redis.call('HINCRBY', campaign, 'done:post', -1)
end

local function post_of(packed) return packed and string.match(packed, '^[^\t]*') end

local function posts_in(text)
  local posts = {}
  for packed in string.gmatch(text or '', '[^\n]+') do posts[#posts + 1] = packed end
  return posts
end

local function is_among(posts, post)
  for _, packed in ipairs(posts) do
    if post_of(packed) == post then return true end
  end
  return false
end

-- Calls `work` with the place of each `size` arguments from `first`. Returns '1' for each row that it is true for, else '0'. A row whose data
-- is damaged stays as it is.
local function each_result(first, size, work)
  local replies = {}
  for at = first, #ARGV, size do
    local ok, is_done = attempt(work, at)
    replies[#replies + 1] = ok and is_done and '1' or '0'
  end
  return replies
end

local function earlier_posts(campaign, row) return posts_in(redis.call('HGET', campaign .. ':earlier', row)) end
