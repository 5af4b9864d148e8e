-- Rule (planned posts): the posts of an import are added first. Nobody finds them before its campaign owns their blocks.
-- ARGV: segment, how long it is kept (ms), then for each bucket: its number, entries
--- include planned-posts.lua
for at = 3, #ARGV, 2 do add_posts(ARGV[1], ARGV[2], ARGV[at], ARGV[at + 1]) end
return 1
