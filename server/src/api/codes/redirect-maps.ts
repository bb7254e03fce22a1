import { redirectOf } from '@everscan/contract/code-types/code-types.ts'
import { destinationHref, destinationProblem } from '@everscan/contract/code-types/destinations.ts'
import type { ActiveCode } from '../../catalogue/codes/each-qr-code.ts'
import { shortUrlOf } from '../../records/qr-code-records.ts'

/** A redirect as other servers can make it: from a path of the public address. */
export type Redirect = { path: string; destination: string }

/** The redirects among some codes. Types that show a page have none; an app's is the one for unknown devices. */
export function redirectsOf(codes: readonly ActiveCode[], publicUrl: string): Redirect[] {
  return codes.flatMap(({ shortCode, type, data }) => {
    const url = redirectOf(type, data, 'other')
    if (url === undefined || destinationProblem(url) !== undefined) return []
    return [
      { path: new URL(shortUrlOf(shortCode, publicUrl)).pathname, destination: inert(destinationHref(url)) },
    ]
  })
}

export const nginxHead = `# In http { }:
#   map_hash_max_size 2097152;
#   map_hash_bucket_size 128;
#   map $uri $everscan_destination { include /etc/nginx/everscan.map; }
# In server { }:
#   if ($everscan_destination) { return 302 $everscan_destination; }
# A map takes every letter case: https://nginx.org/en/docs/http/ngx_http_map_module.html
`

export function nginxLine({ path, destination }: Redirect): string {
  return `"${path}" "${destination}";\n`
}

export const caddyHead = `# In the site's block: import everscan.caddy
# Paths are taken in every letter case: https://caddyserver.com/docs/caddyfile/matchers#path
`

export function caddyLine({ path, destination }: Redirect): string {
  return `redir ${path} "${destination}" 302\n`
}

/** The characters that mean something to nginx or Caddy within quotes, percent-encoded: to the destination they are the same. */
function inert(href: string): string {
  return href.replaceAll(
    /["'\\${}`;]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
