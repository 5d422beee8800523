import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { findPasswordError } from './password-rules.ts'

const zoe = { email: 'zoe.baker@crumb.example', name: 'Zoë Müller-Baker', school: { name: 'Crumb & Crust' } }

const table: readonly [password: string, error: Awaited<ReturnType<typeof findPasswordError>>][] = [
  ['', 'short'],
  ['nine char', 'short'],
  ['🥖🥖🥖🥖🥖', 'short'],
  ['x'.repeat(257), 'long'],
  ['1234567890', 'common'],
  ['qwertyuiop', 'common'],
  ['QWERTYUIOP', 'common'],
  ['ｑｗｅｒｔｙｕｉｏｐ', 'common'],
  ['password12345!', 'common'],
  ['p\u0301assword1234', 'common'],
  ['zoe.baker@crumb.example', 'personal'],
  ['Zoe-Baker 2026', 'personal'],
  ['muller muller', 'personal'],
  ['MÜLLER forever', 'personal'],
  ['c r u m b & c r u s t', 'personal'],
  ['best crust in town', 'personal'],
  ['four loaves on a rack', undefined],
  ['correct horse battery', undefined],
  ['🥖 bread is patience', undefined],
]

suite('E-09 which passwords are refused, and why', () => {
  for (const [password, error] of table)
    test(`${password.slice(0, 30)} → ${error}`, async () => {
      assert.equal(await findPasswordError(password, zoe), error)
    })

  test('a short name is in too many honest words to count', async () => {
    assert.equal(
      await findPasswordError('a dandelion in the dough', { ...zoe, name: 'Dan', email: 'dan@x.example' }),
      undefined,
    )
  })
})
