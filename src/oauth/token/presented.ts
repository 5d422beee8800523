import type { Db } from '#src/contract/db.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { isToken, readRefreshToken } from '#src/kit/token.ts'
import { findAccessOwner, findCodeOwner, findFamilyOwner, type Owned } from './presented.queries.ts'

/** A value that somebody presents outside its own grant type, told apart by its shape alone; no hint is needed. */
export type Presented =
  | { readonly kind: 'access'; readonly tokenHash: Buffer }
  | { readonly kind: 'refresh'; readonly handleHash: Buffer; readonly secretHash: Buffer }
  | { readonly kind: 'code'; readonly codeHash: Buffer }

/** Reads a presented value; undefined when it was never a token of ours. */
export const readPresented = (text: string): Presented | undefined => {
  if (isToken('stoa_at_', text)) return { kind: 'access', tokenHash: sha256(text) }
  if (isToken('stoa_ac_', text)) return { kind: 'code', codeHash: sha256(text) }
  const parts = readRefreshToken(text)
  return parts && { kind: 'refresh', handleHash: sha256(parts.handle), secretHash: sha256(parts.secret) }
}

/** Whose a presented value is at a school; a refresh token of any generation names its family. */
export const findOwner = (db: Db, schoolId: string, presented: Presented): Promise<Owned | undefined> => {
  if (presented.kind === 'access') return findAccessOwner(db, schoolId, presented.tokenHash)
  if (presented.kind === 'code') return findCodeOwner(db, schoolId, presented.codeHash)
  return findFamilyOwner(db, schoolId, presented.handleHash)
}
