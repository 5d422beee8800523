import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildLimits } from './limits.ts'

const fetching = { schoolId: 'school', network: '203.0.113.1', clientId: 'https://app.example/c', host: 'app.example' }

const limitsFor = (wasFetched: boolean) => {
  const counts = buildLimits({ ...fetching, wasFetched })
  const name = ({
    limit,
    schoolId,
    who,
  }: {
    limit: { name: string; uses: number; seconds: number }
    schoolId: string
    who: string
  }) => `${limit.name} ${limit.uses}/${limit.seconds} ${schoolId}|${who}`
  return counts.map(({ uses, beyond = [] }) => [...uses, ...beyond].map(name))
}

test('a fetch of a document counts for its network, its address and, over all schools, its host, with a reserve', () => {
  assert.deepEqual(limitsFor(false), [
    ['documents:network 30/600 school|203.0.113.1'],
    ['documents:url 12/600 school|https://app.example/c'],
    ['documents:host-network 30/600 |app.example\n203.0.113.1'],
    [
      'documents:host 120/600 |app.example',
      'documents:host:reserve 2/600 |app.example\n203.0.113.1',
      'documents:host:most 480/600 |app.example',
    ],
  ])
})

test('a document that was fetched before has a budget of its own at its host', () => {
  assert.deepEqual(limitsFor(true), [
    ['documents:network 30/600 school|203.0.113.1'],
    ['documents:url 12/600 school|https://app.example/c'],
    ['documents:known-host 120/600 |app.example'],
  ])
})
