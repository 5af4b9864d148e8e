# Source this with $root set. It puts a Node that can run the sources first on the search path.

# Whether the program $1 is Node 24.5 or later. Node 22 lacks `await using`; the first releases of Node 24 left files open.
is_new_enough() {
  version=$("$1" --version 2>/dev/null) || return 1
  version=${version#v}
  major=${version%%.*}
  minor=${version#*.}
  minor=${minor%%.*}
  [ "$major" -gt 24 ] || { [ "$major" -eq 24 ] && [ "$minor" -ge 5 ]; }
}

# scripts/setup installs a Node in .runtime only if the machine has none that fits.
use_node() {
  private=$root/.runtime/node_modules/node/bin
  if [ -x "$private/node" ]; then
    PATH=$private:$PATH
    export PATH
  else
    is_new_enough node
  fi
}
