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

/** What a user agent says about its device, in plain names: `Samsung Internet`, `iOS`; `Unknown` when it says nothing. */
export type Device = { deviceType: DeviceType; os: string; browser: string }

/** Strings are cut before they are parsed: nothing past this tells devices apart, and regular expressions stay cheap. */
const charsMax = 512

/** Reads a user agent. Answers are remembered, so that a string that was seen costs one look-up in a map. */
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

/** The parser's names are partly cut out of the text; only known ones are shown, so that nobody can make up thousands. */
function parserName(name: string | undefined): string {
  return name === undefined ? 'Unknown' : (parserNames.get(name.toLowerCase()) ?? 'Other')
}

/**
 * Phones and tablets always say what they are, since pages have to fit on them. So no sign at all means a desktop; the
 * one known exception is an iPad that asks for desktop pages, which cannot be told from a Mac.
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

/** Chrome and Firefox put "Mobile" in a phone's user agent and leave it out of a tablet's; apps name the model at least. */
function handheldType(text: string): DeviceType {
  if (tabletModel.test(text)) return 'tablet'
  if (/\bMobile\b|\(Phone;/.test(text) || foldingPhone.test(text)) return 'mobile'
  if (/AppleWebKit\/|Gecko\//.test(text)) return 'tablet'
  return new UAParser(text).getDevice().type === 'tablet' ? 'tablet' : 'mobile'
}
