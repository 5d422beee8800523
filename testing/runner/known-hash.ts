import crypto, { type Argon2Algorithm, type Argon2Parameters } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { PASSWORD } from '../password.ts'

// Imported before the product. All people of the demo data have the same password with the same salt, and their hash takes 50 ms of a
// core at each sign-in: it is calculated once for each process, with the parameters of production. Every other hash is calculated anew.

type Callback = (error: Error | null, hash: NonSharedBuffer) => void

const { argon2 } = crypto
const known = new Map<string, Buffer>()

const hashOnce = (algorithm: Argon2Algorithm, parameters: Argon2Parameters, callback: Callback): void => {
  const key = JSON.stringify([algorithm, parameters])
  const hash = known.get(key)
  if (hash !== undefined) setImmediate(callback, null, Buffer.from(hash))
  else
    argon2(algorithm, parameters, (error, calculated) => {
      if (error === null && parameters.message === PASSWORD) known.set(key, Buffer.from(calculated))
      callback(error, calculated)
    })
}

crypto.argon2 = hashOnce
syncBuiltinESMExports()
