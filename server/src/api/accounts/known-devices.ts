import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { deviceCookie } from '@everscan/contract/resources/sessions.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { SecretBox } from '../../secret-box.ts'
import { readCookie, setCookie } from '../http/cookies.ts'

/**
 * A device is a browser that signed in before. Its cookie lists sealed texts, one an account, each
 * of which only opens with the id and the password hash of its account: another account, or the
 * same one after a change of its password, does not know the device. Nothing is stored here, so
 * nobody can fill a table.
 */
export type DeviceOwner = { id: string; passwordHash: string | null }

const dayMs = 86_400_000
const idBytes = 12
const separator = '~'
const sealedForm = /^v1\.[\w-]{40,160}$/
/** No account has this id, so nothing opens, after the same work as for a known account. */
const nobody: DeviceOwner = { id: '', passwordHash: '' }

/**
 * Returns the id of the device that a request comes from, if it has signed in to this account since
 * the password was set, within `limits.deviceDays`.
 */
export function findDevice(
  box: SecretBox,
  owner: DeviceOwner = nobody,
  { sealed, nowMs }: { sealed: readonly string[]; nowMs: number },
): string | undefined {
  const opened = sealed.map((one) => box.open(one, sealName(owner)))
  const found = opened.find((text) => text !== undefined)
  if (found === undefined) return undefined
  const [id, sinceMs] = found.split(' ')
  return nowMs - Number(sinceMs) < limits.deviceDays * dayMs ? id : undefined
}

/** The sealed texts in the device cookie of a request: at most `limits.deviceAccountsMax`. */
export function sealedDevices(headers: IncomingHttpHeaders, publicUrl: string): string[] {
  const value = readCookie(headers, deviceCookie, { publicUrl }) ?? ''
  return value.split(separator, limits.deviceAccountsMax).filter((one) => sealedForm.test(one))
}

/**
 * Returns the `Set-Cookie` header that makes a browser a device of an account. Keeps the other
 * accounts of the browser, except the oldest beyond `limits.deviceAccountsMax`.
 */
export function setDeviceCookie(
  box: SecretBox,
  owner: DeviceOwner,
  { headers, publicUrl, nowMs }: { headers: IncomingHttpHeaders; publicUrl: string; nowMs: number },
): string {
  const id = randomBytes(idBytes).toString('base64url')
  const others = sealedDevices(headers, publicUrl).filter(
    (one) => box.open(one, sealName(owner)) === undefined,
  )
  const sealed = [box.seal(`${id} ${nowMs}`, sealName(owner)), ...others].slice(0, limits.deviceAccountsMax)
  const lastsMs = limits.deviceDays * dayMs
  return setCookie({ name: deviceCookie, value: sealed.join(separator), lastsMs }, { publicUrl })
}

function sealName({ id, passwordHash }: DeviceOwner): string {
  return `${id} ${passwordHash ?? ''}`
}
