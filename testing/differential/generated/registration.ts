import fc, { type Arbitrary } from 'fast-check'
import type { Case } from '../case.ts'
import { registration } from '../requests/registration.ts'
import { characters, spoiledBy, text, word } from './text.ts'

type Members = Readonly<Record<string, unknown>>

const path = characters('abcXYZ019-._~', 1, 20).filter(name => !/^\.+$/.test(name))
const callback: Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('http://127.0.0.1', 'http://[::1]'),
    fc.integer({ min: 1, max: 65_535 }),
    fc.array(path, { maxLength: 3 }),
  )
  .map(([host, port, segments]) => `${host}:${port}/${segments.join('/')}`)

const honest: Arbitrary<Members> = fc.record({
  redirect_uris: fc.uniqueArray(callback, { minLength: 1, maxLength: 4 }),
  token_endpoint_auth_method: fc.constantFrom('none', 'client_secret_post'),
  grant_types: fc.constantFrom(['authorization_code'], ['authorization_code', 'refresh_token'], undefined),
  client_name: word,
  application_type: fc.constantFrom('native', undefined),
  id_token_signed_response_alg: fc.constantFrom('RS256', 'ES256', undefined),
  x_unknown: text(20),
})

const faults: Readonly<Record<string, Arbitrary<Members>>> = {
  'a method': word.map(name => ({ token_endpoint_auth_method: name })),
  'a response type': word.map(name => ({ response_types: [name] })),
  'an application type': word.map(name => ({ application_type: name })),
  'an algorithm': word.map(name => ({ id_token_signed_response_alg: name })),
  'a subject type': word.map(name => ({ subject_type: name })),
  'a callback that is none': word.map(name => ({ redirect_uris: [name] })),
  'a callback on the web': word.map(name => ({ redirect_uris: [`https://${name.replaceAll('_', '-')}a.example/cb`] })),
  'a callback with a fragment': callback.map(uri => ({ redirect_uris: [`${uri}#x`] })),
  'a callback without TLS': word.map(name => ({ redirect_uris: [`http://${name.replaceAll('_', 'x')}.example/cb`] })),
  'a callback of another type': fc
    .oneof(fc.integer(), fc.boolean(), fc.constant(null))
    .map(uri => ({ redirect_uris: [uri] })),
  'a name of another type': fc.oneof(fc.integer(), fc.boolean()).map(name => ({ client_name: name })),
}

/** Generates that many registrations from a seed. */
export const generatedRegistrations = (seed: number, numRuns: number): readonly Case[] =>
  fc.sample(spoiledBy(honest, faults), { seed, numRuns }).map(({ kind, fields }, index) => ({
    ...registration('', fields),
    name: `registration, generated ${index}: ${kind} ${JSON.stringify(fields)}`,
  }))
