import { problem } from '@everscan/contract/problems/problem.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashNewPassword, weakness } from './new-passwords.ts'

const ada = { email: 'ada.lovelace@engines.example', name: 'Ada Lovelace' }

test('passwords that people guess first are refused', async () => {
  for (const [password, why] of [
    ['password12', /most common/],
    ['qwertyuiop', /most common/],
    ['QwertyUiop', /most common/],
    ['1234567890', /most common/],
    ['!iloveyou26', /most common/],
    ['aaaaaaaaaaaa', /5 different characters/],
    ['abababababab', /5 different characters/],
    ['ada.lovelace@engines.example', /"lovelace"|"ada.lovelace@engines.example"/],
    ['Lovelace1815', /"lovelace"/],
    ['lovelaceada!', /"lovelace"/],
    ['engines2026', /"engines"/],
    ['Everscan!23', /"everscan"/],
    ['everscaneverscan1', /"everscan"/],
    // With any number of digits and signs, and of all parts of the address together.
    ['lovelace12345', /"lovelace"/],
    ['1815-12-10-Lovelace-1852', /"lovelace"/],
    ['ada.lovelace12345', /"ada.lovelace"/],
    ['AdaLovelace1815', /"lovelace"/],
    ['ada19901231', /"ada"/],
  ] as const)
    assert.match((await weakness(password, ada))?.message ?? '', why, password)
})

test('an address of two letters is no password either, however many digits follow it', async () => {
  const jo = { email: 'jo@example.com', name: 'Jo' }
  for (const password of ['jo12345678', 'j.o.19901231', '2026!jo!2026'])
    assert.match((await weakness(password, jo))?.message ?? '', /must not be made of "jo"/, password)
  assert.equal(await weakness('jolly good bread', jo), undefined)
})

test('other passwords are accepted, whatever characters they have', async () => {
  for (const password of [
    'correct horse battery',
    'lovelace wrote of engines',
    'Tr4mway-Lantern',
    'пароль из пяти слов',
    '七つの海を渡る船は帰らない',
    'gD8 kP2 xW5',
    'ada-9f3k-x81q',
    'password of our old bakery',
  ])
    assert.equal(await weakness(password, ada), undefined, password)
})

test('400 names the field of the password', async () => {
  await assert.rejects(hashNewPassword('password12', { ...ada, path: 'newPassword' }), {
    status: 400,
    code: 'VALIDATION_ERROR',
    details: [{ path: 'newPassword', ...problem('passwordCommon') }],
  })
})
