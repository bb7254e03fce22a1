import assert from 'node:assert/strict'
import { test } from 'node:test'
import { patterns } from './patterns.ts'

const forms = [new RegExp(patterns.mailAddress), new RegExp(patterns.mailAddress, 'u')]

test('addresses that mail can reach are accepted, those of the own network too', () => {
  for (const address of [
    'ada@example.com',
    'Ada.Lovelace+qr@sub.example.co.uk',
    "o'brien@example.ie",
    'admin@localhost',
    'ops@intranet',
    'jörg@müller.example',
    '用户@例子.广告',
    'a@xn--bcher-kva.example',
    '1@2x.example',
  ])
    for (const form of forms) assert.match(address, form)
})

test('what is no deliverable address is refused', () => {
  for (const address of [
    '<a@b>',
    'Ada <ada@example.com>',
    'root@[127.0.0.1]',
    'root@[IPv6:::1]',
    'root@127.0.0.1',
    'root@1',
    '"ada lovelace"@example.com',
    'ada,bob@example.com',
    'ada;bob@example.com',
    'ada@example.com,bob@example.com',
    'ada@@example.com',
    'ada@example@com',
    '.ada@example.com',
    'ada.@example.com',
    'a..da@example.com',
    'ada@.example.com',
    'ada@example.com.',
    'ada@example..com',
    'ada@-example.com',
    'ada@example-.com',
    'ada@exa_mple.com',
    'ada@example.com/path',
    'ada@example.com:25',
    'ada(me)@example.com',
    'a\u200bda@example.com',
    'ada@exam\u202eple.com',
    'ada@ex\u00a0ample.com',
    'ada\r\nbcc:@example.com',
    `${'a'.repeat(65)}@example.com`,
    `ada@${'a'.repeat(64)}.com`,
    '@example.com',
    'ada@',
    'ada',
  ])
    for (const form of forms) assert.doesNotMatch(address, form)
})
