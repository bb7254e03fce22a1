import { UAParser } from 'my-ua-parser'
import { scanHints } from '../../journal/raw-scan.ts'
import { cached } from '../string-cache.ts'
import {
  browsers,
  commonBrowsers,
  featurePhone,
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

/** The headers beside the user agent, as a raw scan has them. */
export type Told = { app: string; hints: number }

const nothingTold: Told = { app: '', hints: 0 }

/**
 * Returns the device of a user agent, corrected by what other headers say. Results are cached, so a
 * repeated string costs one lookup in a map.
 */
export function deviceOf(userAgent: string, { app, hints }: Told = nothingTold): Device {
  const text = userAgent.slice(0, charsMax)
  const deviceHints = hints & (scanHints.android | scanHints.phone | scanHints.tablet)
  if (app === '' && deviceHints === 0) return parse(text)
  return parseTold(`${deviceHints}\n${app}\n${text}`)
}

const parse = cached((text): Device => {
  const os = nameOf(systems, text) ?? parserName(new UAParser(text).getOS().name)
  const browser = nameOf(browsers, text) ?? parserName(new UAParser(text).getBrowser().name)
  return { deviceType: deviceTypeOf(text, os), os, browser }
})

/**
 * A user agent that names an app or a browser of its own is right. One that names only what all
 * have in common, such as Chrome, may hide another. A tablet in desktop mode claims to be Linux,
 * but some of its browsers still send its system. The key is hints, app and user agent, by line.
 */
const parseTold = cached((key): Device => {
  const [first = '', app = '', ...rest] = key.split('\n')
  const text = rest.join('\n')
  const hints = Number(first)
  const { deviceType, os, browser } = parse(text)
  const isKnownAndroid = os === 'Android' || os === 'HarmonyOS'
  const isHidden = !isKnownAndroid && (hints & scanHints.android) !== 0
  return {
    deviceType:
      isKnownAndroid || isHidden ? toldType(isHidden ? 'tablet' : deviceType, hints, text) : deviceType,
    os: isHidden ? 'Android' : os,
    browser: app !== '' && commonBrowsers.has(browser) ? app : browser,
  }
})

function toldType(parsed: DeviceType, hints: number, text: string): DeviceType {
  if ((hints & scanHints.tablet) !== 0) return 'tablet'
  return (hints & scanHints.phone) !== 0 && !tabletModel.test(text) ? 'mobile' : parsed
}

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
  if (os === 'Windows Phone' || os === 'KaiOS' || os === 'BlackBerry' || os === 'Symbian')
    return /PlayBook|\bTablet\b/.test(text) ? 'tablet' : 'mobile'
  if (os === 'Windows' || os === 'macOS' || os === 'ChromeOS') return 'desktop'
  const type = new UAParser(text).getDevice().type
  if (type === 'tablet') return 'tablet'
  if (type === 'mobile' || type === 'wearable') return 'mobile'
  return /\bMobile\b/.test(text) || featurePhone.test(text) ? 'mobile' : 'desktop'
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
