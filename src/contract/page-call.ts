import type { Static, TSchema } from 'typebox'
import type { Pairs } from '#src/kit/form.ts'
import type { CallingMember } from './caller.ts'
import type { Encoded } from './codec.ts'
import type { Db } from './db.ts'
import type { School } from './school.ts'

/** A person who is signed in on a page of a school, without an app. */
export type SignedInPerson = {
  readonly school: School
  readonly member: CallingMember
  readonly requestId: string
  /** Locks the session and its member until the transaction ends, and returns the member; undefined when it has ended. */
  lockMember(db: Db): Promise<CallingMember | undefined>
}

/** Somebody who reads a public page: nobody knows who, so operations answer them as they answer a request without a token. */
export type Visitor = Pick<SignedInPerson, 'school' | 'requestId'> & { readonly member?: undefined }

/** One call of a declared operation from a page: the input of an API request, validated in the same way. */
export type PageCall<Returns extends TSchema | undefined> = {
  /** The id of the operation. */
  readonly operation: string
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Pairs
  /** The relations to embed. */
  readonly expand?: readonly string[]
  readonly body?: unknown
  /** The schema of the answer that the operation declares; left out where the page does not use the answer. */
  readonly returns?: Returns
}

/**
 * Performs an operation of mode `read` or `write` for a person on a page, or one of mode `read` for a visitor. Roles are
 * checked and audit entries are written as for a token, without an app. Scopes are not checked, since they limit apps, and
 * no confirmation is requested, since the person is in the browser. Refuses as the API does, and with `sign_in_required`
 * when the session has ended.
 */
export type CallAsPerson = <Returns extends TSchema | undefined = undefined>(
  person: SignedInPerson | Visitor,
  call: PageCall<Returns>,
) => Promise<Returns extends TSchema ? Encoded<Static<Returns>> : undefined>
