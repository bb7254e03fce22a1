// Left to the soak: `api/organizations/public-address` has the address.
// Whether phones reach the address that codes contain, as a person finds out in a browser.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Client } from '@everscan/client/create-client.ts'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { openDashboard, type Dashboard } from '../support/dashboard.ts'
import { decodePicture } from '../support/decode-picture.ts'

describe('the address of printed codes', { concurrency: 1 }, () => {
  let dashboard: Dashboard
  let page: Page
  let client: Client
  let orgId: string
  let look: Dashboard['look']

  before(async () => {
    dashboard = await openDashboard({ TRUST_PROXY: '127.0.0.1' })
    ;({ page, client, orgId, look } = dashboard)
  })
  after(async () => dashboard.close())

  const dialog = () => page.getByRole('dialog')
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  /** The address in the code on the page, as a phone reads it. */
  const scanned = async (): Promise<string> => {
    const image = page.getByAltText('QR code to check the address')
    const source = (await image.getAttribute('src')) ?? ''
    const svg = decodeURIComponent(source.slice(source.indexOf(',') + 1))
    const png = await sharp(Buffer.from(svg)).resize(600).png().toBuffer()
    const [read] = await decodePicture(new Uint8Array(png))
    return read?.text ?? ''
  }

  test('somebody who has just begun is asked, and sees the phone arrive', async () => {
    await dashboard.open('/codes')
    await page.getByRole('heading', { name: 'Which address do phones reach?' }).waitFor()
    await page.getByText('it works only on this computer or in this network').waitFor()
    await page.getByText('Waiting for the phone').waitFor()
    const url = await scanned()
    assert.match(url, /^http:\/\/localhost:\d+\/app\/reached\/[0-9a-z]{12}$/i)
    await look('address-asked')

    assert.equal((await visit(url, '192.168.7.7')).status, 200)
    await page.getByText('A phone in this network has opened it.').waitFor()
    assert.match(await (await visit(url, '93.184.216.34')).text(), /This phone reaches your codes/)
    await page.getByText('A phone from outside has opened it.').waitFor()
    await look('address-reached')
  })

  test('downloads and labels warn in red, until an admin says that it is meant so', async () => {
    const code = await client.qrCodes.create(orgId, { type: 'TEXT', name: 'Poster', data: { text: 'A' } })
    await dashboard.open(`/codes/${code.id}`)
    await button('Download').click()
    await dialog().getByRole('alert').getByText('Don’t print yet').waitFor()
    await look('address-download')
    await page.keyboard.press('Escape')
    await dashboard.open('/codes')
    for (const action of ['Download', 'Print labels']) {
      await button('Actions for Poster').click()
      await page.getByRole('menuitem', { name: action }).click()
      await dialog().getByRole('alert').getByText('Don’t print yet').waitFor()
      if (action === 'Download') await page.keyboard.press('Escape')
    }
    await dialog().getByRole('button', { name: 'Check it with a phone' }).click()
    const upper = page.getByRole('dialog', { name: 'Which address do phones reach?' })
    await upper.getByText('Waiting for the phone').or(upper.getByText('A phone from outside')).waitFor()
    await look('address-check')
    await upper.getByRole('button', { name: 'Only for this network' }).click()
    await upper.getByText('You said that your codes are only for phones in this network.').waitFor()
    await page.keyboard.press('Escape')
    await dialog().getByRole('alert').waitFor({ state: 'detached' })
    assert.equal((await client.organizations.publicAddress(orgId)).ready, true)
    await dashboard.open('/codes')
    await page.getByRole('button', { name: 'Actions for Poster' }).waitFor()
    assert.equal(await page.getByText('Which address do phones reach?').count(), 0)
    assert.deepEqual(dashboard.problems, [])
  })
})

const visit = async (url: string, from: string) =>
  fetch(url, { headers: { 'x-forwarded-for': from, 'user-agent': 'Mozilla/5.0 (iPhone) Mobile' } })
