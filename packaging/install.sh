#!/bin/sh
# Installs cardiograph from the files of a release: the program, its manual and completions, for this processor.
#
#   sh install.sh --from ADDRESS [--to DIRECTORY] [--version VERSION] [--dry-run]
#
# ADDRESS is where the files of the release are: a web address, or a directory. DIRECTORY is ~/.local by default, /usr/local for root.
# The archive must have the sum that SHA256SUMS states; with --key FILE (allowed signers, as OpenSSH has them), SHA256SUMS must be signed.
set -eu

version=1.0.0-rc.1
from='' to='' key='' dry=''

fail() {
    echo "install.sh: $1" >&2
    exit 1
}

while [ $# -gt 0 ]; do
    case "$1" in
    --dry-run) dry=yes ;;
    --from | --to | --version | --key)
        [ $# -gt 1 ] || fail "$1 needs a value"
        case "$1" in
        --from) from=$2 ;;
        --to) to=$2 ;;
        --version) version=$2 ;;
        --key) key=$2 ;;
        esac
        shift
        ;;
    *) fail "unknown option '$1': sh install.sh --from ADDRESS [--to DIRECTORY] [--version VERSION] [--key FILE] [--dry-run]" ;;
    esac
    shift
done
[ -n "$from" ] || fail 'where are the files of the release? --from ADDRESS, a web address or a directory'
if [ -z "$to" ]; then
    if [ "$(id -u)" -eq 0 ]; then to=/usr/local; else to=${HOME:?}/.local; fi
fi

[ "$(uname -s)" = Linux ] || fail "cardiograph needs Linux, and this is $(uname -s)"
case "$(uname -m)" in
x86_64 | amd64) target=x86_64-unknown-linux-musl ;;
aarch64 | arm64)
    target=aarch64-unknown-linux-musl
    # A 64-bit kernel below a 32-bit system, as Raspberry Pi OS has it.
    [ "$(getconf LONG_BIT 2>/dev/null || echo 64)" = 64 ] || target=armv7-unknown-linux-musleabihf
    ;;
armv7* | armv8l) target=armv7-unknown-linux-musleabihf ;;
*) fail "there is no program for $(uname -m); with Rust: cargo install cardiograph" ;;
esac
name=cardiograph-$version-$target
echo "cardiograph $version for $(uname -m), from $from, into $to"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# Puts a file of the release into the directory.
get() {
    case "$from" in
    http://* | https://*)
        if command -v curl >/dev/null; then
            curl --fail --silent --show-error --location --output "$work/$1" "$from/$1"
        elif command -v wget >/dev/null; then
            wget --quiet --output-document="$work/$1" "$from/$1"
        else
            fail 'neither curl nor wget is installed'
        fi
        ;;
    *) cp "$from/$1" "$work/$1" ;;
    esac || fail "$from/$1 cannot be read"
}

get SHA256SUMS
if [ -n "$key" ]; then
    get SHA256SUMS.sig
    signer=$(ssh-keygen -Y find-principals -f "$key" -s "$work/SHA256SUMS.sig") || fail "SHA256SUMS is not signed by anyone in $key"
    ssh-keygen -Y verify -q -f "$key" -I "$signer" -n cardiograph -s "$work/SHA256SUMS.sig" <"$work/SHA256SUMS" ||
        fail "the signature of SHA256SUMS is wrong: nothing was installed"
    echo "SHA256SUMS is signed by $signer"
fi
grep "  $name.tar.gz\$" "$work/SHA256SUMS" >"$work/sum" || fail "SHA256SUMS does not have $name.tar.gz"
get "$name.tar.gz"
(cd "$work" && sha256sum -c sum >/dev/null 2>&1) || fail "$name.tar.gz is not what SHA256SUMS states: nothing was installed"
echo "the archive's SHA-256 sum is right"
tar -x -z -f "$work/$name.tar.gz" -C "$work"

files=$(cd "$work/$name" && find bin share -type f)
if [ -n "$dry" ]; then
    echo "$files" | sed "s,^,would write $to/,"
    exit 0
fi
mkdir -p "$to" || fail "$to cannot be written to: --to DIRECTORY chooses another place"
[ -w "$to" ] || fail "$to cannot be written to: --to DIRECTORY chooses another place"
# A program that is running keeps its old file.
rm -f "$to/bin/cardiograph"
(cd "$work/$name" && tar -c -f - bin share) | tar -x -f - -C "$to" --no-same-owner
printf '%s\nshare/cardiograph/files\n' "$files" >"$to/share/cardiograph/files"
"$to/bin/cardiograph" --version >/dev/null || fail "$to/bin/cardiograph does not run here"
echo "installed $(echo "$files" | wc -l) files: $to/bin/cardiograph, with its manual and completions below $to/share"
echo "to remove it: (cd $to && xargs rm <share/cardiograph/files); checkups stay in ~/.local/share/cardiograph"
case ":$PATH:" in
*":$to/bin:"*) ;;
*) echo "$to/bin is not in PATH: add it, or call $to/bin/cardiograph" ;;
esac
