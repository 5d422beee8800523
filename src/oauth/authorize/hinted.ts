import { OAuthError } from '#src/contract/oauth-error.ts'
import type { Session } from '#src/identity/index.ts'
import { foldEmail, isEmail } from '#src/kit/text.ts'

/** Whether the address a client hints at, if it is one, is that of who is signed in; it is a wish, and not verified. */
export const isAddressMeant = (hint: string | null | undefined, { member }: Session): boolean =>
  hint === undefined || hint === null || !isEmail(hint) || foldEmail(hint) === foldEmail(member.email)

/** Whether who is signed in is the member whom the client's ID token names, if it sent one. */
export const isHinted = (hintedMemberId: string | null | undefined, { member }: Session): boolean =>
  hintedMemberId === undefined || hintedMemberId === null || hintedMemberId === member.id

/** What a client hears when anybody else signed in: OpenID Connect Core §3.1.2.1. */
export const anotherPerson = (): OAuthError =>
  new OAuthError('login_required', 'Somebody else signed in than the person whom the id_token_hint names.')
