import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { findAffected, type Tree } from './changed.ts'

const LOAVES = 'src/areas/loaves'
const TREE: Tree = new Map([
  [
    'src/areas.ts',
    `import { loaves } from '#src/areas/loaves/index.ts'\nimport { ovens } from '#src/areas/ovens/index.ts'`,
  ],
  [`${LOAVES}/index.ts`, `import { loafOperations } from './operations.ts'\nexport { weigh } from './weights.ts'`],
  [`${LOAVES}/operations.ts`, `export const loafOperations = [{ id: 'listCrumbs', path: '/loaves/:loaf_id/crumbs' }]`],
  [`${LOAVES}/weights.ts`, `export const weigh = () => 1`],
  [`${LOAVES}/loaves.test.ts`, `import { testApp } from '#testing/app.ts'`],
  ['src/areas/ovens/index.ts', `import { weigh } from '#src/areas/loaves/index.ts'`],
  ['src/areas/ovens/heat.ts', `import '#src/areas/loaves/weights.ts'`],
  ['src/areas/ovens/ovens.test.ts', `import './heat.ts'`],
  ['src/areas/mills/mills.test.ts', `import { testApp } from '#testing/app.ts'\nimport '#testing/loaves.ts'`],
  ['testing/app.ts', `import { areas } from '#src/areas.ts'`],
  ['testing/loaves.ts', `export const loaf = 1`],
  ['tests/crumbs.test.ts', '/loaves/lof_1/crumbs'],
  ['tests/other.test.ts', '/loaves/lof_1/crumbs/crm_1/more'],
])

suite('what a change can affect', () => {
  test('of an area: its own tests, those that reach it by imports, those that call its routes; and its operations', () => {
    assert.deepEqual(findAffected([`${LOAVES}/weights.ts`], TREE), {
      tests: ['src/areas/loaves/loaves.test.ts', 'src/areas/ovens/ovens.test.ts', 'tests/crumbs.test.ts'],
      operations: ['listCrumbs'],
    })
  })

  test('of a file of testing: the tests that import it', () => {
    assert.deepEqual(findAffected(['testing/loaves.ts'], TREE), {
      tests: ['src/areas/mills/mills.test.ts'],
      operations: [],
    })
  })

  test('of what loads the whole product: every test that starts an application', () => {
    assert.equal(findAffected(['src/areas.ts'], TREE).tests.length, 2)
  })

  test('of a test: itself; of a document: nothing', () => {
    assert.deepEqual(findAffected(['tests/other.test.ts', 'docs/api.md'], TREE).tests, ['tests/other.test.ts'])
  })
})
