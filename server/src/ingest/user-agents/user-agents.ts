import { UAParser } from 'my-ua-parser'
import { cached } from '../string-cache.ts'
import {
  browsers,
  foldingPhone,
  parserNames,
  systems,
  tabletModel,
  television,
  type NamedPattern,
} from './user-agent-names.ts'

export type DeviceType = 'mobile' | 'desktop' | 'tablet'

/**
 * The device of a user agent, in plain names such as `Samsung Internet` or `iOS`; `Unknown` without
 * a sign of one.
 */
export type Device = { deviceType: DeviceType; os: string; browser: string }

/**
 * Strings are cut before parsing: nothing beyond this distinguishes devices, and the bound keeps
 * regular expressions cheap.
 */
const charsMax = 512

/** Parses a user agent. Results are cached, so a repeated string costs one lookup in a map. */
export function deviceOf(userAgent: string): Device {
  return parse(userAgent.slice(0, charsMax))
}

const parse = cached((text): Device => {
  const os = nameOf(systems, text) ?? parserName(new UAParser(text).getOS().name)
  const browser = nameOf(browsers, text) ?? parserName(new UAParser(text).getBrowser().name)
  return { deviceType: deviceTypeOf(text, os), os, browser }
})

function nameOf(patterns: readonly NamedPattern[], text: string): string | undefined {
  return patterns.find(([pattern]) => pattern.test(text))?.[1]
}

/**
 * The parser partly copies names from the text. Only known names are displayed, so that a client
 * cannot create thousands of names.
 */
function parserName(name: string | undefined): string {
  return name === undefined ? 'Unknown' : (parserNames.get(name.toLowerCase()) ?? 'Other')
}

/**
 * Phones and tablets always identify themselves, because pages must fit their screens. No sign at
 * all therefore means a desktop. The one known exception is an iPad that requests desktop pages,
 * which is indistinguishable from a Mac.
 */
function deviceTypeOf(text: string, os: string): DeviceType {
  if (television.test(text)) return 'desktop'
  if (os === 'iOS') return /\b(?:iPad|Macintosh)\b/.test(text) ? 'tablet' : 'mobile'
  if (os === 'Android' || os === 'HarmonyOS') return handheldType(text)
  if (os === 'Windows' || os === 'macOS' || os === 'ChromeOS') return 'desktop'
  const type = new UAParser(text).getDevice().type
  if (type === 'tablet') return 'tablet'
  return type === 'mobile' || type === 'wearable' || /\bMobile\b/.test(text) ? 'mobile' : 'desktop'
}

/**
 * Chrome and Firefox include "Mobile" in a phone's user agent and omit it from a tablet's; apps at
 * least name the model.
 */
function handheldType(text: string): DeviceType {
  if (tabletModel.test(text)) return 'tablet'
  if (/\bMobile\b|\(Phone;/.test(text) || foldingPhone.test(text)) return 'mobile'
  if (/AppleWebKit\/|Gecko\//.test(text)) return 'tablet'
  return new UAParser(text).getDevice().type === 'tablet' ? 'tablet' : 'mobile'
}
