-- Included by rows.lua. The packed result of a posted row, as `results.ts` describes it: its first field is the post. Results are kept in
-- hashes of 500 rows. Several are one a line: the posts of a row that were not published (`earlier`), or came late (`late`).
-- Redis stores a hash compactly only while no value is longer than this.
local compact_bytes = 64

-- Adds the seconds that its row took to a packed result, in base 36, unless the result would become too long.
local function with_time(payload, took)
  local digits = ''
  repeat
    local digit = took % 36
    digits = string.sub('0123456789abcdefghijklmnopqrstuvwxyz', digit + 1, digit + 1) .. digits
    took = math.floor(took / 36)
  until took == 0
  return #payload + 1 + #digits <= compact_bytes and payload .. '\t' .. digits or payload
end

-- Splits a packed result into the caller's part and the part that `record_post` added. Results are compared by the first part.
local function split_result(packed)
  return string.match(packed or '', '^([^\t]*\t[^\t]*\t[^\t]*\t[^\t]*)(.*)$')
end

-- Key of the chunk that has something of a row: `results` or `kept`.
local function chunk_of(campaign, kind, row)
  return campaign .. ':' .. kind .. ':' .. math.floor(row / 500)
end

local function result_of(campaign, row)
  return redis.call('HGET', chunk_of(campaign, 'results', row), row % 500)
end

-- Removes the result of a row that loses its post, and what was kept for another one.
local function drop_result(campaign, row)
  redis.call('HDEL', chunk_of(campaign, 'results', row), row % 500)
  redis.call('HDEL', chunk_of(campaign, 'kept', row), row % 500)
  redis.call('HDEL', campaign .. ':assets', row)
  redis.call('HINCRBY', campaign, 'done:post', -1)
end

local function post_of(packed)
  return packed and string.match(packed, '^[^\t]*')
end

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

local function earlier_posts(campaign, row)
  return posts_in(redis.call('HGET', campaign .. ':earlier', row))
end
