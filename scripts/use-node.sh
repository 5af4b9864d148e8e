# To be sourced, with $root set. Puts a Node that can run the sources first on the search path.

# Whether the program $1 is Node 24.5 or later. Node 22 does not know `await using`. The first releases of Node 24 do, but
# left files open that should have been closed.
is_new_enough() {
  version=$("$1" --version 2>/dev/null) || return 1
  version=${version#v}
  major=${version%%.*}
  minor=${version#*.}
  minor=${minor%%.*}
  [ "$major" -gt 24 ] || { [ "$major" -eq 24 ] && [ "$minor" -ge 5 ]; }
}

# The Node that scripts/setup has installed beside the project is there only where the machine has none that fits.
use_node() {
  private=$root/.runtime/node_modules/node/bin
  if [ -x "$private/node" ]; then
    PATH=$private:$PATH
    export PATH
  else
    is_new_enough node
  fi
}
