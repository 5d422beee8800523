import type { Static, TSchema } from 'typebox'
import type { Pairs } from '#src/kit/form.ts'
import type { CallingMember } from './caller.ts'
import type { Db } from './db.ts'
import type { School } from './school.ts'

/** Somebody who is signed in on a page of a school, without an app between. */
export type SignedInPerson = {
  readonly school: School
  readonly member: CallingMember
  readonly requestId: string
  /** The person of the living session with their role as it is, held until the transaction ends; undefined when it ended. */
  hold(db: Db): Promise<CallingMember | undefined>
}

/** One call of a declared operation from a page: what a request to the API would carry, checked in the same way. */
export type PageCall<Returns extends TSchema | undefined> = {
  /** The id of the operation. */
  readonly operation: string
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Pairs
  /** The relations to embed. */
  readonly expand?: readonly string[]
  readonly body?: unknown
  /** The schema by which the operation declares its answer; left out where the page has no use for it. */
  readonly returns?: Returns
}

/**
 * Performs an operation of mode `read` or `write` as a person at a page. Roles are checked as for a token and everything is
 * journalled as for one, with no app; scopes say what an app may do and do not matter here, and what an app would have to
 * have confirmed is done: the person is in the browser. Refuses as the API does, and with `sign_in_required` when the
 * session has ended meanwhile.
 */
export type CallAsPerson = <Returns extends TSchema | undefined = undefined>(
  person: SignedInPerson,
  call: PageCall<Returns>,
) => Promise<Returns extends TSchema ? Static<Returns> : undefined>
