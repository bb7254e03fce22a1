import { timestamp } from '../records/timestamps.ts'

/** Explains the files of a static site to whoever finds them. */
export function readme({
  hostnames,
  folder,
  nowMs,
}: {
  hostnames: readonly string[]
  folder: string
  nowMs: number
}): string {
  return `Short codes that work without Everscan, as of ${timestamp(nowMs)}, for ${hostnames.join(', ')}.

nginx.conf    In http { }: include ${folder}/nginx.conf;
Caddyfile     caddy run --config ${folder}/Caddyfile
sites/HOST/   For an object store, or any server of files: upload this folder as the site of HOST, with
              index.html as index document and 404.html as error document.

The settings expect this folder at ${folder}. Elsewhere, replace that path in nginx.conf and Caddyfile.
They listen on port 80, for a proxy that has the certificates; both programs can have them themselves.

nginx and Caddy answer codes with the same redirect and the same page as Everscan, in any letter case.
In an object store a page leads on, and letter case counts. Everscan also reads O as 0, and I and L as 1,
in a typed code; these files do so only for the whole code.

Pages are in one language. Rules of codes do not apply: everybody gets the content for everybody else.
A code that was not open yet, had a password or a limit, shows its page for closed codes. A code that
ends later stays open. No scan is counted.
`
}
