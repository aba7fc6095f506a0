# SPDX-License-Identifier: MIT
# Shared functions of the scripts that train on real tables and print Markdown. The scripts set `usage`
# and then source this file, in bash.

cd "$(dirname "${BASH_SOURCE[0]}")/.."
script=scripts/$(basename "$0")
program=build/release/knotwork
data=${KNOTWORK_DATA_DIR-}
words=()  # the arguments that are not options

refuse() {
  echo "$script: $1" >&2
  exit 2
}

read_command_line() {
  while (($# > 0)); do
    case "$1" in
      -h | --help) echo "$usage"; exit 0 ;;
      --data-dir)
        (($# > 1)) || refuse "--data-dir needs a folder."
        data=$2
        shift ;;
      -*) refuse "there is no option $1; --help shows the use." ;;
      *) words+=("$1") ;;
    esac
    shift
  done
}

# Checks that the program and the named data files exist, and creates a temporary folder.
prepare() {
  local file
  for file in "$@"; do
    [[ -f $data/$file ]] && continue
    refuse "$data/$file is not there; --data-dir or KNOTWORK_DATA_DIR names the folder of the tables."
  done
  if [[ ! -x $program ]]; then
    echo "$script: $program is not there; scripts/test or scripts/demo builds it." >&2
    exit 1
  fi
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
}

# Trains with the arguments and writes the result to $scratch/result.json.
train() {
  "$program" train "$@" --baselines none --quiet --json --out "$scratch/model.safetensors" \
    >"$scratch/result.json"
}

# `score nrmse` prints the NRMSE of the test part in the result.
score() {
  awk -v key="\"$1\":" '/^  "test": /{inside=1} inside && $1 == key {print $2 + 0; exit}' \
    "$scratch/result.json"
}

seconds() {
  awk '/^  "seconds":/{print $2 + 0}' "$scratch/result.json"
}

# Appends a line of numbers to $scratch/scores, and shows it: `note "name" 0.3 12`.
note() {
  echo "${*:2}" >>"$scratch/scores"
  echo "$script: $1: ${*:2}" >&2
}

rows_of() {
  echo $(($(wc -l <"$data/$1.csv") - 1))
}
