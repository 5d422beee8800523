import { createHash } from 'node:crypto'
import fc, { type Arbitrary } from 'fast-check'
import type { Case } from '../case.ts'
import { broken, honest, type Sent, setting } from '../requests/exchange.ts'
import { CALLBACKS } from '../side.ts'
import { characters, spoiledBy, text, word } from './text.ts'

type Exchange = { readonly verifier: string; readonly port: number; readonly nonce: string; readonly sent: Sent }

const VERIFIER = 'abcXYZ019-._~'
const fine: Arbitrary<Exchange> = fc.record({
  verifier: characters(VERIFIER, 43, 128),
  port: fc.integer({ min: 1, max: 65_535 }),
  nonce: text(40),
  sent: fc.record({ x_unknown: text(20) }),
})

const sending = (arbitrary: Arbitrary<Sent>): Arbitrary<Exchange> => arbitrary.map(sent => ({ sent }) as Exchange)

const faults: Readonly<Record<string, Arbitrary<Exchange>>> = {
  'another verifier': sending(characters(VERIFIER, 43, 128).map(code_verifier => ({ code_verifier }))),
  'a short verifier': sending(characters(VERIFIER, 1, 42).map(code_verifier => ({ code_verifier }))),
  'another code': sending(text(60).map(code => ({ code }))),
  'another client': sending(word.map(client_id => ({ client_id }))),
  'another callback': sending(word.map(path => ({ redirect_uri: `${CALLBACKS[0]}/${path}` }))),
  'a secret': sending(text(60).map(client_secret => ({ client_secret }))),
  'a grant type': sending(word.map(grant_type => ({ grant_type }))),
  'a resource': sending(fc.webUrl({ validSchemes: ['https'] }).map(resource => ({ resource }))),
}

const run = ({ verifier, port, nonce, sent }: Exchange): Case['run'] => {
  const redirect_uri = `http://127.0.0.1:${port}/callback`
  const code_challenge = createHash('sha256').update(verifier).digest('base64url')
  return async side => {
    const fields = {
      ...(await honest(side, { fields: { redirect_uri, code_challenge, nonce } })),
      code_verifier: verifier,
    }
    return broken(side, fields, setting(sent))
  }
}

/** Generates that many code exchanges from a seed. */
export const generatedExchanges = (seed: number, numRuns: number): readonly Case[] =>
  fc.sample(spoiledBy(fine, faults), { seed, numRuns }).map(({ kind, fields }, index) => ({
    name: `code, generated ${index}: ${kind} ${JSON.stringify(fields)}`,
    run: run(fields),
  }))
