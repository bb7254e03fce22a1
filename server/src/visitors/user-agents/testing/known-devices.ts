import type { DeviceType } from '../user-agents.ts'

/** A user agent from real traffic, with its expected names. */
export type KnownDevice = readonly [userAgent: string, deviceType: DeviceType, os: string, browser: string]

export const ios = (rest: string, version = '17_5_1') =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS ${version} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ${rest}`
export const ipad = (rest: string, version = '17_5_1') =>
  `Mozilla/5.0 (iPad; CPU OS ${version} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ${rest}`
export const android = (device: string, rest: string) =>
  `Mozilla/5.0 (Linux; Android ${device}) AppleWebKit/537.36 (KHTML, like Gecko) ${rest}`
export const windows = (rest: string) =>
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ${rest}`
export const mac = (rest: string, engine = '537.36', version = '10_15_7') =>
  `Mozilla/5.0 (Macintosh; Intel Mac OS X ${version}) AppleWebKit/${engine} (KHTML, like Gecko) ${rest}`
