import type { Static, TSchema } from 'typebox'
import type { Pairs } from '#src/kit/form.ts'
import type { CallingMember } from './caller.ts'
import type { Encoded } from './codec.ts'
import type { CsvDialect } from './csv.ts'
import type { Db } from './db.ts'
import type { Reply } from './endpoint.ts'
import type { Fact } from './fact.ts'
import type { Content } from './multi-step.ts'
import type { School } from './school.ts'

/** The member of a session, and whether they proved recently who they are. */
type LockedPerson = CallingMember & { readonly isRecent: boolean }

/** A person who is signed in on a page of a school, without an app. */
export type SignedInPerson = {
  readonly school: School
  readonly member: CallingMember
  readonly requestId: string
  /** The network of the browser, for which calls are counted. */
  readonly network: string
  /** Whether they proved recently who they are. */
  readonly hasRecentProof: boolean
  /** Whether a form of theirs is shown again that was kept, so that nothing is written. */
  readonly isKept?: boolean
  /** Whether, in addition, such a write is refused for the proof that it needs. */
  readonly isChecked?: boolean
  /** Whether somebody of the staff sees the school as them, so that nothing is written, and little is read of what is theirs. */
  readonly isViewed?: boolean
  /** Locks the session and its member until the transaction ends, and returns both; undefined when it has ended. */
  lockMember(db: Db): Promise<LockedPerson | undefined>
  /** Lets the last proof count for longer, after an act that needed it. */
  extendProof(): Promise<unknown>
}

/**
 * Somebody who reads a public page, or submits a form without an account: operations answer as to a request without a
 * token.
 */
export type Visitor = Pick<SignedInPerson, 'school' | 'requestId' | 'network'> & { readonly member?: undefined }

/** Somebody who proves who they are in the transaction of a write, such as a buyer with the code from a mail. */
export type Arrival = Visitor & {
  /** Checks the proof, creates the member if there is none, and returns them; a refusal rolls everything back. */
  admit(db: Db, now: Date): Promise<CallingMember>
}

/** One call of a declared operation from a page or a command: the input of an API request, validated in the same way. */
export type PageCall<Returns extends TSchema | undefined> = {
  /** The id of the operation. */
  readonly operation: string
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Pairs
  /** The relations to embed. */
  readonly expand?: readonly string[]
  readonly body?: unknown
  /** The revision that the page showed: a write of a resource that has changed since is refused with 412. */
  readonly revision?: number
  /** Names one form: what it wrote is returned, and not written again, when the form is sent twice within a day. */
  readonly formKey?: string
  /** The file of an operation of the mode `stream`. */
  readonly content?: Content
  /** The schema of the answer that the operation declares; left out where the answer is not used. */
  readonly returns?: Returns
}

/** A call of a write that changes nothing and returns what the write would do. */
export type DryRunCall<Returns extends TSchema | undefined> = PageCall<Returns> & { readonly dryRun: true }

/** What a call returns. */
export type AnswerOf<Returns> = Returns extends TSchema ? Encoded<Static<Returns>> : undefined

/** What a write would do: its answer, and its facts with their effects on money, mail and access. */
export type DryRunOutcome<Returns extends TSchema | undefined> = {
  /** Undefined where the operation does not reveal it in a dry run. */
  readonly result: AnswerOf<Returns> | undefined
  readonly effects: readonly Fact[]
}

/** Performs a call, or tries it when it is a dry run. */
type Perform<By> = {
  <Returns extends TSchema | undefined = undefined>(by: By, call: DryRunCall<Returns>): Promise<DryRunOutcome<Returns>>
  <Returns extends TSchema | undefined = undefined>(by: By, call: PageCall<Returns>): Promise<AnswerOf<Returns>>
}

/**
 * Performs an operation, with or without a route, for a person on a page, a read or an open write for a visitor, or a write
 * for an arrival, who becomes a member in its transaction. Roles are checked and audit entries
 * are written as for a token, without an app. Scopes are not checked, since
 * they limit apps, and no confirmation is requested, since the person is in the browser. Refuses as the API does, and with
 * `sign_in_required` when the session has ended.
 */
export type CallAsPerson = Perform<SignedInPerson | Visitor | Arrival>

/** A list with all of its rows as CSV; without declared columns it has the fields of its items that are one value. */
export type ExportCall = Pick<PageCall<undefined>, 'operation' | 'params' | 'query'> & { readonly dialect: CsvDialect }

/** Returns a list as CSV for a member of the staff on a page; the audit log records who exported it. */
export type ExportAsPerson = (person: SignedInPerson, call: ExportCall) => Promise<Reply>

/** The operator of the installation, who runs a command for one school. */
export type OperatorAtSchool = { readonly school: School; readonly requestId: string }

/**
 * Performs an operation without a route for the operator, who may do what owners may. Audit entries name the operator.
 * Refuses as the API does.
 */
export type CallAsOperator = Perform<OperatorAtSchool>

/** A member of a school in whose name the worker or a command does something. */
export type MemberAtSchool = { readonly school: School; readonly memberId: string; readonly requestId: string }

/**
 * Performs a read or a write, with or without a route, for a member who is not there: with the role that they have at that moment,
 * without an app, in one transaction. Refuses as the API does, and with `sign_in_required` a member who is not active.
 */
export type CallAsMember = Perform<MemberAtSchool>
