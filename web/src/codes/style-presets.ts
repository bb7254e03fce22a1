import type { Style } from '@everscan/contract/resources/styles.ts'
import { editorWords } from '../words/editor-words.ts'

/** Presets to start from. The service accepts each (server/test/dashboard/editor.test.ts). */
export const stylePresets = [
  ['classic', {}],
  [
    'ink',
    { foregroundColor: '#1B2A41', dotStyle: 'rounded', cornerRadius: 60, cornerSquareStyle: 'extra-rounded' },
  ],
  [
    'forest',
    {
      foregroundColor: '#0F5F4E',
      backgroundColor: '#F4FBF8',
      dotStyle: 'rounded',
      cornerSquareStyle: 'dot',
      cornerDotStyle: 'dot',
    },
  ],
  [
    'sunset',
    {
      gradient: { type: 'linear', angle: 45, colors: ['#8F1F18', '#7A1FA2'] },
      dotStyle: 'extra-rounded',
      cornerSquareStyle: 'extra-rounded',
    },
  ],
  [
    'ocean',
    {
      gradient: { type: 'radial', colors: ['#0B6E99', '#0B2F6B'] },
      dotStyle: 'classy-rounded',
      cornerSquareColor: '#0B2F6B',
      cornerDotColor: '#0B6E99',
      cornerSquareStyle: 'extra-rounded',
      cornerDotStyle: 'dot',
    },
  ],
  [
    'coffee',
    {
      foregroundColor: '#4A2C17',
      backgroundColor: '#FBF3E7',
      dotStyle: 'classy',
      cornerSquareColor: '#6B3A12',
    },
  ],
  [
    'berry',
    {
      foregroundColor: '#8E1450',
      dotStyle: 'rounded',
      cornerRadius: 100,
      cornerSquareColor: '#3D0A2A',
      cornerDotColor: '#8E1450',
      cornerSquareStyle: 'extra-rounded',
      cornerDotStyle: 'dot',
    },
  ],
  [
    'sign',
    {
      foregroundColor: '#111111',
      dotStyle: 'rounded',
      cornerRadius: 40,
      frame: { style: 'label-below', text: editorWords.style.frameTextDefault },
    },
  ],
  [
    'ticket',
    {
      foregroundColor: '#123C7C',
      dotStyle: 'extra-rounded',
      cornerSquareStyle: 'extra-rounded',
      cornerDotColor: '#92310A',
      frame: { style: 'label-above', text: editorWords.style.frameTextOpen, color: '#123C7C' },
    },
  ],
  [
    'line',
    { foregroundColor: '#222222', dotStyle: 'classy-rounded', frame: { style: 'border', color: '#222222' } },
  ],
] as const satisfies readonly (readonly [name: string, style: Style])[]

export type StylePreset = (typeof stylePresets)[number][0]
