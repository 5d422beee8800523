import Type, { type Static } from 'typebox'
import { toId } from '#src/kit/ids.ts'
import { Closed, Id, Instant, OneOf } from '#src/kit/shapes.ts'
import type { Db } from './db.ts'
import { describeEffects, type Fact } from './fact.ts'
import type { School } from './school.ts'

const statuses = ['pending', 'approved', 'rejected', 'expired', 'failed'] as const

/** The status of a confirmation; `failed`: it was approved, and then the write was refused. */
type ConfirmationStatus = (typeof statuses)[number]

/** The effects of one fact, described in words. */
export const Effect = Closed('Effect', {
  type: Type.String({ description: 'The fact that would be recorded' }),
  payload: Type.Record(Type.String(), Type.Unknown()),
  money: Type.Optional(Type.String()),
  mail: Type.Optional(Type.String()),
  access: Type.Optional(Type.String({ description: 'Who gains or loses which access, in words' })),
})

/** A write that the person behind the token has to approve, or its outcome. */
export const Confirmation = Closed('Confirmation', {
  id: Id('cnf'),
  status: OneOf(statuses, 'failed means that it was approved and the write was then refused'),
  operation: Type.String({ description: 'The id of the requested operation' }),
  url: Type.String({ description: 'Where to send the person, in a browser' }),
  effects: Type.Array(Effect, {
    description: 'What the write would do; empty when the confirmation is no longer pending',
  }),
  outcome: Type.Optional(
    Type.Object(
      {
        status: Type.Integer({ description: 'The HTTP status of the response to the write' }),
        code: Type.Optional(Type.String({ description: 'The code of the refusal' })),
      },
      { additionalProperties: false, description: 'The response to the approved write' },
    ),
  ),
  created_at: Instant,
  updated_at: Instant,
  expires_at: Instant,
})

/** The body of the 202 response of an operation that a person has to confirm. */
export const ConfirmationRequired = Closed('ConfirmationRequired', { confirmation: Confirmation })

/** The validated input of a write, and its If-Match header. */
export type RequestedWrite = {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly if_match?: string | undefined
}

/** A confirmation as it is stored. */
export type ConfirmationRow = {
  readonly id: string
  readonly member_id: string
  readonly client_id: string
  readonly client_name: string
  readonly is_pre_registered: boolean
  readonly grant_id: string
  readonly operation: string
  readonly asked: RequestedWrite | null
  readonly effects: readonly Fact[] | null
  readonly status: ConfirmationStatus
  readonly outcome_status: number | null
  readonly outcome_code: string | null
  readonly created_at: Date
  readonly expires_at: Date
  readonly decided_at: Date | null
}

const buildOutcome = ({ outcome_status: status, outcome_code: code }: ConfirmationRow) => {
  if (status === null) return {}
  return { outcome: { status, ...(code === null ? {} : { code }) } }
}

/** A confirmation on the wire. */
export const renderConfirmation = (school: School, row: ConfirmationRow): Static<typeof Confirmation> => {
  return {
    id: row.id,
    status: row.status,
    operation: row.operation,
    url: `${school.siteOrigin}/account/confirmations/${toId('cnf', row.id)}`,
    effects: row.status === 'pending' ? describeEffects(row.effects ?? []) : [],
    ...buildOutcome(row),
    created_at: row.created_at,
    updated_at: row.decided_at ?? row.created_at,
    expires_at: row.expires_at,
  }
}

/** A confirmation as its page shows it. */
export type ConfirmationDetails = {
  readonly id: string
  readonly status: ConfirmationStatus
  readonly client: { readonly name: string; readonly isPreRegistered: boolean }
  /** The operation in words. */
  readonly summary: string
  /** The path parameters of the operation, as they were sent. */
  readonly params: readonly string[]
  readonly effects: readonly Fact[]
  readonly expiresAt: Date
  /** The code of the refusal, when it failed. */
  readonly refusalCode: string | undefined
}

/** The decision of a signed-in person on a confirmation. */
export type Decision = {
  readonly school: School
  readonly memberId: string
  readonly id: string
  readonly decision: 'approve' | 'reject'
  readonly requestId: string
  /** Locks the session until the transaction ends; false when it has ended. */
  lockSession(db: Db): Promise<boolean>
}

/** The result of a decision: made by this request, already decided or expired, or the session has ended. */
export type DecisionResult = 'decided' | 'settled_before' | 'signed_out'

/** The confirmations of a school, for the page on which a person decides. */
export type Confirmations = {
  /** A confirmation of this member. */
  find(school: School, memberId: string, id: string): Promise<ConfirmationDetails | undefined>
  /** The pending confirmations of this member, the oldest first. */
  listPending(school: School, memberId: string): Promise<ConfirmationDetails[]>
  /** Approves or rejects a confirmation; undefined when this member has no such confirmation. */
  decide(decision: Decision): Promise<DecisionResult | undefined>
}
