import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Style } from '@everscan/contract/styles.ts'
import { ApiError } from '../errors.ts'
import { checkScannable, contrastOf, scannabilityOf } from './scannability.ts'

test('contrast is the ratio of WCAG', () => {
  assert.equal(contrastOf('#000000', '#FFFFFF'), 21)
  assert.equal(contrastOf('#FFFFFF', '#000000'), 21)
  assert.equal(contrastOf('#777777', '#ffffff'), 4.4)
  assert.equal(contrastOf('#123456', '#123456'), 1)
})

test('dark on light passes, and what is suggested in place of the rest passes too', () => {
  checkScannable({})
  checkScannable({ foregroundColor: '#1A2B3C' })
  const unreadable: Style[] = [
    { foregroundColor: '#FFFFFF', backgroundColor: '#000000' },
    { foregroundColor: '#FFFF00' },
    { foregroundColor: '#FFFFFF' },
    { foregroundColor: '#000000', backgroundColor: '#101010' },
    { foregroundColor: '#808080', backgroundColor: '#909090' },
  ]
  for (const style of unreadable) {
    assert.throws(
      () => checkScannable(style),
      (error) => {
        assert.ok(error instanceof ApiError)
        assert.equal(error.status, 422)
        const [detail] = error.details as unknown as [{ suggestion: Style }]
        checkScannable({ ...style, ...detail.suggestion })
        return true
      },
    )
  }
})

test('nothing is claimed that was not done', () => {
  assert.deepEqual(scannabilityOf({}, 25), { verified: false, contrast: 21, minPrintMm: 13.2, warnings: [] })
  assert.deepEqual(scannabilityOf({ dotStyle: 'dots', margin: 2 }, 25).warnings, [
    'The margin is narrower than the 4 modules that readers are promised.',
    'Not drawn yet: dotStyle.',
  ])
})
