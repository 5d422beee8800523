import { type CodeBinding, findCode } from '#src/identity/index.ts'
import { sha256 } from '#src/kit/crypto.ts'
import type { VisitorContext } from './parts.ts'

type Purpose = 'reset' | 'sign_up' | 'sign_in'

/** What a code is bound to that was requested by a visitor: the browser in which it was requested. */
export const buildCodePlace = <Of extends Purpose>(
  { bound }: VisitorContext,
  purpose: Of,
): CodeBinding & { readonly purpose: Of } => {
  if ('session' in bound) throw new Error('a code of a visitor is bound to a browser')
  return { boundTo: sha256(`visit:${bound.browserBinding}`), purpose }
}

/** The address to which such a code was sent; undefined where none was. */
export const findAddress = async (context: VisitorContext, purpose: Purpose): Promise<string | undefined> => {
  const { request, school } = context
  const place = buildCodePlace(context, purpose)
  return (await request.database.statements(school.id, db => findCode(db, school.id, place)))?.email
}
