import fc, { type Arbitrary } from 'fast-check'
import type { Case } from '../case.ts'
import { authorization, type Fields } from '../requests/request.ts'
import { CALLBACKS, proof } from '../side.ts'
import { characters, spoiledBy, text, URL_SAFE, word } from './text.ts'

const scopeNames = fc.subarray(['profile', 'email', 'account:read', 'account:write', 'school:read'])

// Both servers accept these, whatever else varies.
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

// One fault at a time, so that the order of a server's checks does not matter.
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

/** Generates that many authorization requests from a seed: some valid, in many forms, and some with one fault. */
export const generatedAuthorizations = (seed: number, numRuns: number): readonly Case[] =>
  fc.sample(spoiledBy(honest, faults), { seed, numRuns }).map(({ kind, fields }, index) => {
    const { run } = authorization('', { fields: { code_challenge: proof.challenge, ...fields } })
    return { name: `authorization, generated ${index}: ${kind} ${JSON.stringify(fields)}`, run }
  })
