#!/usr/bin/env bash
# What the actions of this folder and the GitLab template run:
#
#   proxmox-ci.sh install   puts the provider where `terraform init` finds it, and its command into ~/.local/bin
#   proxmox-ci.sh test      tests the module in $MODULE on a simulated cluster
#
# Needs bash, curl, unzip and sha256sum; for `test`, terraform or tofu.
set -euo pipefail

version=${PROXMOX_PROVIDER_VERSION:-0.1.0}
releases=${PROXMOX_PROVIDER_RELEASES:-https://github.com/proxmox-ts/terraform-provider-proxmox/releases/download}
programs=$HOME/.local/bin
export PATH="$programs:$PATH"

install_provider() {
  local system machine archive sums folder
  system=$(uname -s | tr '[:upper:]' '[:lower:]')
  case $(uname -m) in
    x86_64) machine=amd64 ;;
    aarch64 | arm64) machine=arm64 ;;
    *) echo "There is no provider for $(uname -m)." >&2 && exit 1 ;;
  esac
  archive=terraform-provider-proxmox_${version}_${system}_${machine}.zip
  sums=terraform-provider-proxmox_${version}_SHA256SUMS
  folder=$HOME/.terraform.d/plugins/registry.terraform.io/proxmox-ts/proxmox/$version/${system}_$machine
  if [ ! -x "$folder/terraform-provider-proxmox_v$version" ]; then
    local fetched
    fetched=$(mktemp -d)
    curl --fail --silent --show-error --location --output "$fetched/$archive" "$releases/v$version/$archive"
    curl --fail --silent --show-error --location --output "$fetched/$sums" "$releases/v$version/$sums"
    (cd "$fetched" && sha256sum --check --ignore-missing --quiet "$sums")
    mkdir -p "$folder"
    unzip -q -o "$fetched/$archive" -d "$folder"
    rm -r "$fetched"
  fi
  mkdir -p "$programs"
  ln -sf "$folder/terraform-provider-proxmox_v$version" "$programs/terraform-provider-proxmox"
  if [ -n "${GITHUB_PATH:-}" ]; then echo "$programs" >>"$GITHUB_PATH"; fi
}

start_cluster() {
  local ready
  ready=$(mktemp)
  terraform-provider-proxmox simulate --port 0 --speed "${SIMULATOR_SPEED:-50}" --json ${SIMULATOR_SEED:+--seed "$SIMULATOR_SEED"} >"$ready" &
  simulator=$!
  trap 'kill "$simulator"' EXIT
  for _ in $(seq 100); do
    if [ -s "$ready" ]; then break; fi
    kill -0 "$simulator" || { echo "The simulator did not start." >&2 && exit 1; }
    sleep 0.1
  done
  local said
  said=$(cat "$ready")
  rm "$ready"
  member() { sed -n "s/.*\"$1\": *\"\([^\"]*\)\".*/\1/p" <<<"$said"; }
  PROXMOX_VE_ENDPOINT=$(member url)
  PROXMOX_VE_CA_CERTIFICATE=$(member ca_file)
  PROXMOX_VE_API_TOKEN=${SIMULATOR_TOKEN:-$(member 'terraform@pve!tf')}
  export PROXMOX_VE_ENDPOINT PROXMOX_VE_CA_CERTIFICATE PROXMOX_VE_API_TOKEN
}

# Every command of a reader, then: a second plan without changes, and a cluster without leftovers.
test_module() {
  local terraform=${TERRAFORM:-terraform}
  cd "${MODULE:-.}"
  "$terraform" init -input=false
  "$terraform" validate
  if compgen -G '*.tftest.hcl' >/dev/null || compgen -G 'tests/*.tftest.hcl' >/dev/null; then "$terraform" test; fi
  if [ "${LIFE_CYCLE:-true}" = true ]; then
    "$terraform" apply -auto-approve -input=false
    "$terraform" plan -detailed-exitcode -input=false || { echo "The second plan has changes." >&2 && exit 1; }
    "$terraform" destroy -auto-approve -input=false
  fi
}

case ${1:-} in
  install) install_provider ;;
  test)
    install_provider
    start_cluster
    test_module
    ;;
  *) echo "Usage: proxmox-ci.sh install|test" >&2 && exit 2 ;;
esac
