import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#testing/app.ts'
import '#testing/outside-provider.ts'
import { type SellingState, sellingWarnings } from './rules.ts'

type Provider = SellingState['providers'][number]

const address = {
  line1: 'Rua do Forno 12',
  line2: null,
  postal_code: null,
  city: 'Lisboa',
  region: null,
  country: 'PT',
}
const seller = { name: 'Crumb, Lda.', address, tax_id: null, registration: null, email: null }
const https = { baseUrl: 'https://learn.example', isTest: false, signupMode: 'open' } as const
const loopback = { ...https, baseUrl: 'http://127.0.0.1:3000' }
const secrets = [
  { name: 'secret_key', last4: 'abcd' },
  { name: 'webhook_secret', last4: 'efgh' },
]
const untold = { instructions: null, offered_until: null }
const instructions = { account_holder: 'Crumb, Lda.', iban: 'PT50000201231234567890154', text: null }
const manual: Provider = { name: 'manual', mode: null, secrets: [], instructions, offered_until: null }
const live: Provider = { name: 'outside', mode: 'live', secrets, ...untold }
const trial: Provider = { name: 'test', mode: 'test', secrets: [], ...untold }

const cases: readonly (readonly [what: string, change: Partial<SellingState>, warnings: readonly RegExp[]])[] = [
  ['all is there', {}, []],
  ['bank transfer alone', { providers: [manual] }, []],
  ['bank transfer on http', { school: loopback, providers: [manual] }, []],
  [
    'a text alone',
    { providers: [{ ...manual, instructions: { account_holder: null, iban: null, text: 'Here' } }] },
    [],
  ],
  [
    'an IBAN without its holder',
    { providers: [{ ...manual, instructions: { ...instructions, account_holder: null, text: ' ' } }] },
    [/neither an account with its holder nor a text for buyers, so it is not offered$/],
  ],
  [
    'transfers from before',
    { providers: [{ ...manual, instructions: null, offered_until: new Date('2026-12-29T10:00:00Z') }] },
    [/nor a text for buyers; it is offered until 2026-12-29T10:00:00\.000Z$/],
  ],
  [
    'nothing to be paid by',
    { missing: ['no_provider', 'seller_unknown'] },
    [/cannot be paid: no_provider, seller_unknown$/],
  ],
  ['no provider', { providers: [] }, [/no payment provider/]],
  ['invitations only', { school: { ...https, signupMode: 'invite' } }, [/sign-up is invite/]],
  ['closed', { school: { ...https, signupMode: 'closed' } }, [/sign-up is closed/]],
  ['no name', { legal: { ...seller, name: null } }, [/legal name or the address/]],
  ['no address', { legal: { ...seller, address: null } }, [/legal name or the address/]],
  [
    'test keys on https',
    { providers: [{ ...live, mode: 'test' }] },
    [/outside has test keys, and real payments are exp/],
  ],
  ['test keys in a test school', { school: { ...https, isTest: true }, providers: [{ ...live, mode: 'test' }] }, []],
  ['test keys on http', { school: loopback, providers: [{ ...live, mode: 'test' }] }, []],
  ['live keys on http', { school: loopback }, [/outside has live keys, and no real payments/]],
  [
    'live keys in a test school',
    { school: { ...https, isTest: true } },
    [/outside has live keys, and no real payments/],
  ],
  ['test payments on https', { providers: [trial] }, [/the provider test is set, and real payments/]],
  ['test payments on http', { school: loopback, providers: [trial] }, []],
  ['a lost key', { providers: [{ ...live, secrets: secrets.slice(1) }] }, [/outside has no secret_key; set it again$/]],
  ['no webhook', { providers: [{ ...live, secrets: secrets.slice(0, 1) }] }, [/outside has no webhook_secret$/]],
  ['nothing of it', { providers: [{ ...live, secrets: [] }] }, [/outside has no secret_key; set it again$/]],
  [
    'a provider of no area',
    { providers: [{ ...live, name: 'gone' }] },
    [/the provider gone is not known here; remove it/],
  ],
  [
    'nothing but settings',
    { school: { ...https, signupMode: 'invite' }, legal: { ...seller, name: null }, providers: [] },
    [/no payment provider/, /sign-up/, /legal name/],
  ],
]

test('a school that begins to sell is warned of what it lacks', () => {
  for (const [what, change, warnings] of cases) {
    const found = sellingWarnings({ school: https, legal: seller, providers: [live], missing: [], ...change })
    assert.equal(found.length, warnings.length, `${what}: ${found}`)
    for (const [index, warning] of warnings.entries()) assert.match(found[index] ?? '', warning, what)
  }
})
