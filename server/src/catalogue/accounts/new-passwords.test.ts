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
  ] as const)
    assert.match((await weakness(password, ada)) ?? '', why, password)
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
    details: [{ path: 'newPassword', message: 'must not be one of the most common passwords' }],
  })
})
