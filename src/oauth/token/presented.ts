import type { Db } from '#src/contract/db.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { isToken, readRefreshToken } from '#src/kit/token.ts'
import { findAccessOwner, findCodeOwner, findFamilyOwner, type Owned } from './presented.queries.ts'

/** A token or code presented for revocation or introspection; its kind is known from its shape, without a hint. */
export type Presented =
  | { readonly kind: 'access'; readonly tokenHash: Buffer }
  | { readonly kind: 'refresh'; readonly handleHash: Buffer; readonly secretHash: Buffer }
  | { readonly kind: 'code'; readonly codeHash: Buffer }

/** Reads a presented value; undefined when it does not have the shape of our tokens. */
export const readPresented = (text: string): Presented | undefined => {
  if (isToken('stoa_at_', text)) return { kind: 'access', tokenHash: sha256(text) }
  if (isToken('stoa_ac_', text)) return { kind: 'code', codeHash: sha256(text) }
  const parts = readRefreshToken(text)
  return parts && { kind: 'refresh', handleHash: sha256(parts.handle), secretHash: sha256(parts.secret) }
}

/** The grant and client of a presented value at a school; a refresh token of any generation identifies its family. */
export const findOwner = (db: Db, schoolId: string, presented: Presented): Promise<Owned | undefined> => {
  if (presented.kind === 'access') return findAccessOwner(db, schoolId, presented.tokenHash)
  if (presented.kind === 'code') return findCodeOwner(db, schoolId, presented.codeHash)
  return findFamilyOwner(db, schoolId, presented.handleHash)
}
