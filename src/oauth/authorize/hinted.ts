import { OAuthError } from '#src/contract/oauth-error.ts'
import type { Session } from '#src/identity/index.ts'
import { foldEmail, isEmail } from '#src/kit/text.ts'

/** Whether login_hint, if it is an address, is that of the signed-in person; the hint is not verified. */
export const isHintedAddress = (hint: string | null | undefined, { member }: Session): boolean =>
  hint === undefined || hint === null || !isEmail(hint) || foldEmail(hint) === foldEmail(member.email)

/** Whether the signed-in person is the member in the id_token_hint, if the client sent one. */
export const isHinted = (hintedMemberId: string | null | undefined, { member }: Session): boolean =>
  hintedMemberId === undefined || hintedMemberId === null || hintedMemberId === member.id

/** The error when another person than that of the id_token_hint signed in: OpenID Connect Core §3.1.2.1. */
export const anotherPerson = (): OAuthError =>
  new OAuthError('login_required', 'The person who signed in is not the one in the id_token_hint.')
