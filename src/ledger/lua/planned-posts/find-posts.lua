-- Looks up posts in the index. The rows that it names are to be compared: a hash may be that of another post.
-- ARGV: only rows added after this version ('0' for all), number of segments, segments,
--   then for each post 9 bytes: bucket (2), hash without the time (4), hash with it (3).
-- Returns for each row found, flat: index of the post (from 0), '1' for the same time or '0', campaign, chunk, place in the chunk.
--- include planned-posts.lua
-- Rows named for one post: at the same time, and at others. More are beyond what a person could want to know.
local MOST_SAME, MOST_OTHERS, MOST_LOOKED_AT = 20, 5, 2000
-- Once all posts of a call have looked at so many entries, each further one looks at few: others wait for this script.
local MOST_OF_CALL, FEW = 200000, 50
local since, segments = tonumber(ARGV[1]), tonumber(ARGV[2])
local found, looked_at_in_all, owners = {}, 0, {}

-- The owner of a block, as it is stored; false for none.
local function read_owner(segment, block)
  local name = segment .. ' ' .. block
  if owners[name] == nil then
    owners[name] = redis.call('ZREVRANGEBYSCORE', posts_key(segment, 'owners'), block, '-inf', 'LIMIT', 0, 1)[1] or false
  end
  return owners[name]
end

local function owner_of(segment, entry)
  local a, b, c, d = string.byte(entry, 8, 11)
  local ref = ((a * 256 + b) * 256 + c) * 256 + d
  local block = math.floor(ref / 512)
  local member = read_owner(segment, block)
  if not member then return nil end
  local first, campaign, chunk, count, version = string.match(member, '^(%d+) (%S+) (%d+) (%d+) (%d+)$')
  if not first or block - first >= tonumber(count) or tonumber(version) <= since then return nil end
  return campaign, chunk + block - first, ref % 512
end

-- Calls `take` with each entry that begins with these bytes, until it returns true.
local function each_entry(bucket, bytes, take)
  local at, looked_at = 1, 0
  local most = looked_at_in_all < MOST_OF_CALL and MOST_LOOKED_AT or FEW
  while looked_at < most do
    local first = string.find(bucket, bytes, at, true)
    if not first then return end
    if (first - 1) % POST_BYTES ~= 0 then
      at = first + 1
    else
      if take(string.sub(bucket, first, first + POST_BYTES - 1)) then return end
      at = first + POST_BYTES
      looked_at, looked_at_in_all = looked_at + 1, looked_at_in_all + 1
    end
  end
end

local function look_up(segment, bucket, index, post)
  local tail, timed = string.sub(post, 3, 6), string.sub(post, 3, 9)
  if not string.find(bucket, tail, 1, true) then return end
  local function taker(same, most)
    local taken = 0
    return function(entry)
      if (string.sub(entry, 1, 7) == timed) ~= same then return false end
      local campaign, chunk, place = owner_of(segment, entry)
      if not campaign then return false end
      for _, each in ipairs({ index, same and '1' or '0', campaign, chunk, place }) do found[#found + 1] = each end
      taken = taken + 1
      return taken == most
    end
  end
  each_entry(bucket, timed, taker(true, MOST_SAME))
  each_entry(bucket, tail, taker(false, MOST_OTHERS))
end

for number = 1, segments do
  local segment = ARGV[2 + number]
  if redis.call('EXISTS', posts_key(segment, 'owners')) == 1 then
    local buckets = {}
    for at = 3 + segments, #ARGV do
      local post = ARGV[at]
      local high, low = string.byte(post, 1, 2)
      local name = high * 256 + low
      if buckets[name] == nil then buckets[name] = redis.call('GET', posts_key(segment, name)) end
      if buckets[name] then look_up(segment, buckets[name], at - 3 - segments, post) end
    end
  end
end
return found
