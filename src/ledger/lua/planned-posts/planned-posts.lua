-- Included. The index of planned posts: which rows of all campaigns are one post. `planned-posts.ts` describes it.
-- A segment holds the rows of one year. Its bucket is a byte string of entries, the newest first:
--   4 bytes of the hash of the post without its time, 3 bytes of that with its time, 4 bytes: number of the row's block * 512 + place.
-- A block is a chunk of rows of a campaign. `owners` (sorted set by the first block) tells which:
--   "<first block> <campaign> <first chunk> <number of blocks> <version>".
-- Rule (one post, many imports): the version rises with each import that adds posts. One that has seen an older version must look again.
local POST_BYTES, MOST_POST_BYTES = 11, 11 * 1024 * 1024

local version_key = KEYS[1] .. ':planned:version'

local function posts_key(segment, name) return KEYS[1] .. ':planned:' .. segment .. ':' .. name end

local function posts_version() return redis.call('GET', version_key) or '0' end

-- Whether somebody has added posts since the caller looked ('': the caller does not mind).
local function is_overtaken(seen) return seen ~= '' and seen ~= posts_version() end

-- @param kept how long the segment is kept (ms).
local function add_posts(segment, kept, bucket, entries)
  local key = posts_key(segment, bucket)
  local before = redis.call('GET', key) or ''
  -- The connection has sent the command twice.
  if string.sub(before, 1, #entries) == entries then return end
  redis.call('SET', key, string.sub(entries .. before, 1, MOST_POST_BYTES), 'PX', kept)
end

-- Makes a campaign the owner of blocks. Call it once for each range, after `next_posts_version`.
local function own_posts(segment, kept, version, first, campaign, chunk, count)
  local key = posts_key(segment, 'owners')
  redis.call('ZADD', key, first, table.concat({ first, campaign, chunk, count, version }, ' '))
  redis.call('PEXPIRE', key, kept)
end

local function next_posts_version() return redis.call('INCR', version_key) end

-- Adds the posts of rows of one chunk. ARGV from `at`: segment, how long it is kept (ms), block, number of rows,
--   then for each row: bucket, entry.
local function add_posts_of_chunk(campaign, chunk, at)
  local segment, kept, block, count = ARGV[at], ARGV[at + 1], ARGV[at + 2], tonumber(ARGV[at + 3])
  if count == 0 then return posts_version() end
  local version = next_posts_version()
  own_posts(segment, kept, version, block, campaign, chunk, 1)
  for row = 1, count do add_posts(segment, kept, ARGV[at + 2 + row * 2], ARGV[at + 3 + row * 2]) end
  return version
end
