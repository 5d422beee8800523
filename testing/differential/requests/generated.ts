import fc, { type Arbitrary } from 'fast-check'
import type { Case } from '../case.ts'
import { CALLBACKS, proof } from '../side.ts'
import { authorization, type Fields } from './ask.ts'

type Spoiled = { readonly kind: string; readonly fields: Fields }

const characters = (alphabet: string, minLength: number, maxLength: number): Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength, maxLength })

const URL_SAFE = 'ABCXYZabcxyz0189-_'
const text = (maxLength: number): Arbitrary<string> =>
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength })
    .filter(value => !value.includes('\u0000') && value.isWellFormed())
const scopeNames = fc.subarray(['profile', 'email', 'account:read', 'account:write', 'school:read'])

// Whatever else varies, both servers take these.
const honest: Arbitrary<Fields> = fc.record({
  state: text(60),
  nonce: fc.option(text(40), { nil: undefined }),
  scope: scopeNames
    .chain(names => fc.shuffledSubarray(['openid', ...names], { minLength: names.length + 1 }))
    .map(names => names.join(' ')),
  redirect_uri: fc
    .tuple(fc.constantFrom(...CALLBACKS), fc.option(fc.integer({ min: 1, max: 65_535 })))
    .map(([uri, port]) => (port === null ? uri : uri.replace(/^(http:\/\/[^/]+)/, `$1:${port}`))),
  ui_locales: fc.option(fc.constantFrom('pt', 'en', 'fr en', 'xx'), { nil: undefined }),
  login_hint: fc.option(text(30), { nil: undefined }),
  max_age: fc.option(fc.integer({ min: 3600, max: 2 ** 31 }).map(String), { nil: undefined }),
  x_unknown: fc.option(text(20), { nil: undefined }),
})

const oauthOnly = { nonce: undefined, max_age: undefined }

const word = characters('abcdefgxyz_', 1, 12)

// One fault at a time, so that it does not matter what a server checks first.
const faults: Readonly<Record<string, Arbitrary<Fields>>> = {
  'no openid': fc
    .subarray(['account:read', 'school:read'], { minLength: 1 })
    .map(names => ({ ...oauthOnly, scope: names.join(' ') })),
  'no openid, with a nonce': fc.constant({ ...oauthOnly, scope: 'account:read', nonce: 'n' }),
  'no openid, with a max_age': fc.constant({ ...oauthOnly, scope: 'account:read', max_age: '3600' }),
  'a challenge too long': characters(URL_SAFE, 44, 128).map(code_challenge => ({ code_challenge })),
  'a challenge too short': characters(URL_SAFE, 1, 42).map(code_challenge => ({ code_challenge })),
  'a challenge of another alphabet': characters('+/= ~.', 43, 43).map(code_challenge => ({ code_challenge })),
  'a challenge method': word.map(code_challenge_method => ({ code_challenge_method })),
  'a response type': word.filter(name => name !== 'code').map(response_type => ({ response_type })),
  'a response mode': word.map(response_mode => ({ response_mode })),
  'a prompt': word.map(prompt => ({ prompt })),
  'a max_age': fc.oneof(word, fc.integer({ max: -1 }).map(String)).map(max_age => ({ max_age })),
  'a scope': word.map(name => ({ scope: `openid ${name}` })),
  'a resource': fc.webUrl({ validSchemes: ['https'] }).map(resource => ({ resource })),
  'a redirect path': characters('abc/._', 1, 12).map(end => ({ redirect_uri: `${CALLBACKS[0]}${end}` })),
  'a redirect host': word.map(name => ({ redirect_uri: `http://${name.replaceAll('_', '-')}.example/callback` })),
  'a redirect that is none': text(20).map(redirect_uri => ({ redirect_uri })),
  'a client': text(30).map(client_id => ({ client_id })),
  'an ID token': fc
    .array(characters(URL_SAFE, 1, 20), { minLength: 3, maxLength: 3 })
    .map(parts => ({ id_token_hint: parts.join('.') })),
}

const spoiled: Arbitrary<Spoiled> = fc.oneof(
  { weight: 1, arbitrary: honest.map(fields => ({ kind: 'nothing wrong', fields })) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(...Object.entries(faults))
      .chain(([kind, fault]) =>
        fc.tuple(honest, fault).map(([fields, more]) => ({ kind, fields: { ...fields, ...more } })),
      ),
  },
)

/** So many authorization requests from a seed: half honest ones of many forms, half with one fault. */
export const generatedCases = (seed: number, count: number): readonly Case[] =>
  fc.sample(spoiled, { seed, numRuns: count }).map(({ kind, fields }, index) => {
    const { run } = authorization('', { fields: { code_challenge: proof.challenge, ...fields } })
    return { name: `generated ${index}: ${kind} ${JSON.stringify(fields)}`, run }
  })
