import type { Db } from '#src/contract/db.ts'
import type { EndpointRequest } from '#src/contract/endpoint.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { cleanEmail } from '#src/kit/text.ts'
import { lockPassword } from './queries.ts'
import { readBrowser } from './session-cookies.ts'
import { type SignInResult, signIn } from './sign-in.ts'

/** Why a sign-in form is shown again; `wait` is in seconds. */
export type SignInFailure = Exclude<SignInResult, { kind: 'signed_in' }>

/** A person who entered the correct password. */
type PasswordProof = {
  readonly kind: 'proven'
  readonly memberId: string
  /**
   * Whether the password is still the same, in the transaction that creates the session: a reset after the check has
   * changed it and ended all sessions.
   */
  confirm(db: Db): Promise<boolean>
}

/** What is typed in a sign-in form, and whether the person stays signed in on this device. */
export type Credentials = { readonly email: string; readonly password: string; readonly isRemembered: boolean }

/** Reads a sign-in form. */
export const credentialsIn = (form: Pairs): Credentials => ({
  email: cleanEmail(formField(form, 'email')).slice(0, 254),
  password: formField(form, 'password').slice(0, 1024),
  isRemembered: formField(form, 'remember') === 'yes',
})

/** Checks the address and password of a form, for the authorization pages and the account pages alike. */
export const proveByPassword = async (
  request: EndpointRequest,
  { email, password }: Pick<Credentials, 'email' | 'password'>,
  secret: string,
): Promise<SignInFailure | PasswordProof> => {
  const { school, database, network } = request
  const { trustedDevice } = readBrowser(request)
  const result = await signIn(database, school, { email, password, network, trustedDevice, secret })
  if (result.kind !== 'signed_in') return result
  const { memberId, proof } = result
  return { kind: 'proven', memberId, confirm: db => lockPassword(db, school.id, memberId, proof) }
}
