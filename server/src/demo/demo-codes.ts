import type { Style } from '@everscan/contract/resources/styles.ts'
import { cafeCodes } from './demo-cafe-codes.ts'
import { marketingCodes } from './demo-marketing-codes.ts'
import type { DemoCode, DemoLook } from './demo-code.ts'

/** A chain of cafés that does not exist. */
export const demoName = 'Demo: Brindlewick Coffee'
export const demoPublicName = 'Brindlewick Coffee'

/** Folders, each after the one that contains it. */
export const demoFolders: readonly { name: string; inside?: string }[] = [
  { name: 'Cafés' },
  { name: 'Berlin Mitte', inside: 'Cafés' },
  { name: 'Hamburg Ottensen', inside: 'Cafés' },
  { name: 'Vienna Neubau', inside: 'Cafés' },
  { name: 'Packaging' },
  { name: 'Campaigns' },
  { name: 'One more cup', inside: 'Campaigns' },
  { name: 'Team' },
]

/** Saved styles; the first is the default. */
export const demoLooks: Readonly<Record<DemoLook, Style>> = {
  'Paper cup': {
    foregroundColor: '#4A2C1D',
    backgroundColor: '#FFF8F0',
    dotStyle: 'rounded',
    cornerSquareStyle: 'extra-rounded',
  },
  Window: {
    foregroundColor: '#12353B',
    dotStyle: 'classy-rounded',
    cornerSquareStyle: 'extra-rounded',
    cornerDotColor: '#B4441F',
    frame: { style: 'label-below', text: 'Come in', color: '#12353B', textColor: '#FFFFFF' },
  },
  Night: {
    foregroundColor: '#1E1B4B',
    backgroundColor: '#EEF2FF',
    dotStyle: 'dots',
    cornerSquareStyle: 'dot',
    cornerDotStyle: 'dot',
  },
  Poster: {
    gradient: { type: 'linear', angle: 45, colors: ['#7A1F3D', '#B4441F'] },
    dotStyle: 'extra-rounded',
    cornerSquareStyle: 'extra-rounded',
    frame: { style: 'label-above', text: 'One more cup', color: '#7A1F3D', textColor: '#FFFFFF' },
  },
  Chalk: {
    foregroundColor: '#1F2933',
    backgroundColor: '#F4F5F0',
    dotStyle: 'classy',
    frame: { style: 'border', color: '#1F2933' },
  },
  Stamp: { foregroundColor: '#0B5D3B', errorCorrection: 'Q', cornerRadius: 30 },
}

/** Every code. Each type has one. */
export const demoCodes: readonly DemoCode[] = [...cafeCodes, ...marketingCodes]
