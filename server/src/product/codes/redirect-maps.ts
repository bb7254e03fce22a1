import { stateOf } from '@everscan/contract/access/access.ts'
import { redirectOf } from '@everscan/contract/code-types/code-types.ts'
import { destinationHref, destinationProblem } from '@everscan/contract/code-types/destinations.ts'
import type { ActiveCode } from '../../catalogue/codes/each-qr-code.ts'
import { shortUrlOf } from '../records/qr-code-records.ts'

/** A redirect for another web server, from a path of the public URL. */
export type Redirect = { path: string; destination: string }

/**
 * The redirects of codes. Types that show a page have none; an app redirects to its URL for unknown
 * devices. Codes on a domain are left out: a map is for one host. A code that is closed now, or
 * that a map could not keep closed (with a password or a limit), leads to the address for closed
 * codes, if it has one.
 */
export function redirectsOf(codes: readonly ActiveCode[], publicUrl: string, nowMs: number): Redirect[] {
  return codes.flatMap(({ shortCode, domain, type, data, access, hasPassword }) => {
    if (domain !== '') return []
    const state = stateOf({ status: 'ACTIVE', access, scanCount: 0 }, nowMs)
    const isOpen = state === 'LIVE' && !hasPassword && access?.scanLimit === undefined
    const url = isOpen ? redirectOf(type, data, 'other') : access?.closed?.url
    if (url === undefined || destinationProblem(url) !== undefined) return []
    return [
      {
        path: new URL(shortUrlOf({ shortCode }, publicUrl)).pathname,
        destination: escapeDestination(destinationHref(url)),
      },
    ]
  })
}

export const nginxHead = `# In http { }:
#   map_hash_max_size 2097152;
#   map_hash_bucket_size 128;
#   map $uri $everscan_destination { include /etc/nginx/everscan.map; }
# In server { }:
#   if ($everscan_destination) { return 302 $everscan_destination; }
# A map ignores letter case: https://nginx.org/en/docs/http/ngx_http_map_module.html
`

export function nginxLine({ path, destination }: Redirect): string {
  return `"${path}" "${destination}";\n`
}

export const caddyHead = `# In the site's block: import everscan.caddy
# Paths match in any letter case: https://caddyserver.com/docs/caddyfile/matchers#path
`

export function caddyLine({ path, destination }: Redirect): string {
  return `redir ${path} "${destination}" 302\n`
}

/**
 * Percent-encodes the characters that are special to nginx or Caddy within quotes; to the
 * destination they mean the same.
 */
function escapeDestination(href: string): string {
  return href.replaceAll(
    /["'\\${}`;]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
