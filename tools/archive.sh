#!/usr/bin/env bash
# Packs a built program with its manual pages, shell completions, licences and schema into the archive of a release:
#   tools/archive.sh TARGET FOLDER-OF-THE-PROGRAM FOLDER-FOR-THE-ARCHIVE
# The name and what lies where are those that Cargo.toml tells cargo-binstall.
set -euo pipefail
target=$1 built=$2 out=$3
cd "$(dirname "$0")/.."
program=tribunal
case $target in *windows*) program=tribunal.exe ;; esac
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
name=tribunal-$version-$target
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
folder=$work/$name
mkdir -p "$folder/completions"
cp "$built/$program" LICENSE-MIT LICENSE-APACHE README.md CHANGELOG.md tribunal.schema.json "$folder/"
cp src/language/text/data/NOTICE.md "$folder/NOTICE-word-lists.md"
cp src/output/chart/font/OFL.txt "$folder/OFL-font.txt"
"$folder/$program" man --into "$folder/man/man1" >/dev/null
for shell in bash zsh fish elvish powershell; do
    "$folder/$program" completions "$shell" >"$folder/completions/tribunal.$shell"
done
case $target in
    *windows*) archive=$out/$name.zip && (cd "$work" && 7z a -bd -tzip archive.zip "$name" >/dev/null) && mv "$work/archive.zip" "$archive" ;;
    *) archive=$out/$name.tar.gz && tar -C "$work" -czf "$archive" "$name" ;;
esac
echo "$archive"
