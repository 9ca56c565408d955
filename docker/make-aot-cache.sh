#!/usr/bin/env bash
# make-aot-cache.sh JAR CACHE: creates a cache that halves a server's start time, with Java 25:
#
#   docker/make-aot-cache.sh target/vestibule.jar vestibule.aot
#   java -XX:AOTCache=vestibule.aot -jar target/vestibule.jar
#
# A server with a database of its own runs for a moment, and Java records which classes it needs. The cache fits only
# this jar, by its path and date, and this Java; with others Java warns and starts without it.
set -o errexit -o nounset -o pipefail

jar=$(realpath "$1")
cache=$(realpath "$2")
folder=$(mktemp --directory)
server=
trap 'kill $server 2> kill.log || true; wait; rm --recursive --force "$folder"' EXIT
cd "$folder"
touch log

# Override the caller's settings: no other database, and ports that nobody else uses.
env --unset=VESTIBULE_DATA_DIR --unset=VESTIBULE_MANAGEMENT_HOST \
  VESTIBULE_DASHBOARD_EMAIL=you@example.com VESTIBULE_DASHBOARD_PASSWORD="a long passphrase" \
  VESTIBULE_HTTP_HOST=127.0.0.1 VESTIBULE_HTTP_PORT=0 VESTIBULE_MANAGEMENT_PORT=0 \
  java -XX:AOTCacheOutput="$cache" -jar "$jar" > log 2>&1 &
server=$!

until grep --quiet '^Console: ' log; do
  { kill -0 "$server" && ((SECONDS < 120)); } || { cat log; exit 1; }
  sleep 0.1
done
port=$(sed --quiet 's/^Vestibule listens on .*:\([0-9]*\)  .*/\1/p' log)

# answers METHOD PATH: whether the server answers with 200 or 201
answers() {
  exec 3<> "/dev/tcp/127.0.0.1/$port"
  printf '%s %s HTTP/1.0\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s' \
    "$1" "$2" "${#body}" "$body" >&3
  cat <&3 > answer
  exec 3>&-
  grep --quiet '^HTTP/1.[01] 20[01] ' answer
}

# A sign in, so that a password is hashed and a token signed.
body='{"email":"you@example.com","password":"a long passphrase"}'
answers POST /v1/dashboard/auth/login || { cat answer log; exit 1; }
body=''
answers GET /v1/openapi.json || { cat answer log; exit 1; }
answers GET /console/ || { cat answer log; exit 1; }

kill "$server"
wait "$server" || true # 143 after SIGTERM
test -s "$cache" || { cat log; exit 1; }
