import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLog } from '../../db/testing/databases.ts'
import { ownTurns } from '../../turns/own-turns.ts'
import { startMailReceiver } from '../../api/testing/mail-receiver.ts'
import { createMailer } from './mailer.ts'

test('sixty mails at once are all sent, and one of another organization goes before the most of them', async () => {
  const receiver = await startMailReceiver()
  const send = createMailer({ smtpUrl: receiver.url, from: 'everscan@example.com', log: silentLog })
  const mailTo = (to: string, holder?: string) =>
    send({ to, subject: 'A', text: 'B', ...(holder !== undefined && { holder }) })
  const crowd = Array.from({ length: 60 }, (_, at) => mailTo(`crowd${at}@example.com`, 'org_crowd'))
  const calm = [mailTo('calm@example.com', 'org_calm'), mailTo('account@example.com')]
  assert.deepEqual(new Set(await Promise.all([...crowd, ...calm])), new Set([true]))
  const order = receiver.mails.map(({ to }) => to)
  for (const to of ['calm@example.com', 'account@example.com'])
    assert.ok(order.indexOf(to) < 45, `${to} was the ${order.indexOf(to)}th of ${order.length}`)
  assert.deepEqual([ownTurns.mails.stats().running, ownTurns.mails.stats().waiting], [0, 0])
})
