-- Included. Rule (lost journal): the journal has a position, which each entry advances, and the tokens of its latest entries. They
-- reveal lost entries, even after the journal has grown past them again.
local journal = KEYS[1] .. ':journal'
local recent = 1024

-- Whether the entry that was seen at position `seen`, with the token `witness`, is missing now.
local function has_lost(position, seen, witness)
  if seen == 0 then return false end
  if position < seen then return true end
  if position - seen >= recent then return false end
  return redis.call('HGET', journal .. ':recent', seen % recent) ~= witness
end
