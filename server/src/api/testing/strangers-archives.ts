// Archives as a stranger may write them.
import assert from 'node:assert/strict'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { createId } from '../../ids.ts'
import { publicUrl, type TestApi } from './api.ts'
import { exportArchive } from './archives.ts'
import { filesOfZip, zipOf } from './zip.ts'

/** An archive of an organization with these files. */
export function archiveOf({
  id = createId('org'),
  createdAt = '2026-01-01T00:00:00.000Z',
  files = {},
}: {
  id?: string
  createdAt?: string
  files?: Record<string, string>
}): Promise<Buffer> {
  const organization = { id, name: 'Theirs', slug: 'theirs', publicName: null, logo: null, createdAt }
  const about = {
    format: 'everscan-organization',
    formatVersion: 2,
    exportedAt: createdAt,
    publicUrl,
    organization,
  }
  return zipOf({ 'organization.json': JSON.stringify(about), ...files })
}

/** The line of a code in an archive, under an id that was never used. */
export async function codeLine(api: TestApi): Promise<{ id: string } & Record<string, unknown>> {
  await makeCode(api)
  const files = await filesOfZip(await exportArchive(api))
  const [line = ''] = (files.get('qr-codes.jsonl')?.toString() ?? '').split('\n')
  return { ...(JSON.parse(line) as object), id: createId('qr') }
}

export async function makeCode({ call, orgId, keys }: TestApi): Promise<QrCode> {
  const payload = { type: 'URL', name: 'Poster', data: { url: 'https://example.com/' } }
  const made = await call('POST', `/organizations/${orgId}/qr-codes`, { key: keys.ADMIN, payload })
  assert.equal(made.statusCode, 201, made.body)
  return made.json<QrCode>()
}

export function hitOf(qrCodeId: string, kind: string, isClosed: boolean): unknown[] {
  const place = ['DE', 'Berlin', '', 52.5, 13.4]
  const device = ['mobile', 'iOS', 'Safari', '', 'de']
  const reason = kind === 'human' ? '' : isClosed ? 'Closed' : 'Crawler'
  const visitor = '0'.repeat(31)
  return [
    qrCodeId,
    '',
    Date.UTC(2026, 1, 3),
    `${visitor}1`,
    kind,
    reason,
    ...place,
    ...device,
    '',
    '',
    false,
    isClosed,
  ]
}

export function jsonl(...lines: unknown[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}
