import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Case, compare, type Disagreement, explains } from '#testing/differential/case.ts'
import { differences } from '#testing/differential/differences.ts'
import { generatedAuthorizations } from '#testing/differential/generated/authorization.ts'
import { generatedRegistrations } from '#testing/differential/generated/registration.ts'
import { generatedExchanges } from '#testing/differential/generated/token.ts'
import { openSides } from '#testing/differential/open.ts'
import { authorizationCases } from '#testing/differential/requests/authorization.ts'
import { discoveryCases } from '#testing/differential/requests/discovery.ts'
import { peopleCases } from '#testing/differential/requests/people.ts'
import { refreshCases } from '#testing/differential/requests/refresh.ts'
import { registrationCases } from '#testing/differential/requests/registration.ts'
import { revocationCases } from '#testing/differential/requests/revocation.ts'
import { tokenCases } from '#testing/differential/requests/token.ts'

const SEED = Number(process.env.STOA_TEST_SEED ?? 20_261_121)
const cases: readonly Case[] = [
  ...discoveryCases,
  ...registrationCases,
  ...authorizationCases,
  ...peopleCases,
  ...tokenCases,
  ...refreshCases,
  ...revocationCases,
  ...generatedAuthorizations(SEED, 120),
  ...generatedRegistrations(SEED, 40),
  ...generatedExchanges(SEED, 40),
]

let sides: Awaited<ReturnType<typeof openSides>>
before(async () => {
  sides = await openSides()
})
after(() => sides?.stop())

const findDisagreements = async ({ name, run }: Case): Promise<Disagreement[]> => {
  await sides.forgetLimits()
  const [stoa, reference] = await Promise.all([run(sides.stoa), run(sides.reference)])
  return compare(name, stoa, reference)
}

const line = ({ name, facet, stoa, reference }: Disagreement): string =>
  `${name}: ${facet}: ${stoa}, oidc-provider ${reference}`

test('every difference from oidc-provider is a row of the table, and every row is met', {
  timeout: 120_000,
}, async () => {
  const found: Disagreement[] = []
  // One after the other: a person's browser is at one page at a time.
  for (const one of cases) found.push(...(await findDisagreements(one)))
  console.log(`${cases.length} requests, seed ${SEED}, ${differences.length} rows`)
  const unlisted = found.filter(one => !differences.some(row => explains(row, one)))
  assert.deepEqual(unlisted.map(line), [], 'differences that no row explains')
  const unmet = differences.flatMap(({ of, facets, because }) =>
    Object.entries(facets)
      .filter(([facet, pair]) => !found.some(one => explains({ of, facets: { [facet]: pair }, because }, one)))
      .map(([facet]) => `${of}: ${facet}: ${because}`),
  )
  assert.deepEqual(unmet, [], 'rows that no request met')
})
