import Type, { type Static } from 'typebox'
import { toId } from '#src/kit/ids.ts'
import { Id, Instant, OneOf } from '#src/kit/shapes.ts'
import type { Db } from './db.ts'
import { describeEffects, type Fact } from './fact.ts'
import type { School } from './school.ts'

const words = ['pending', 'approved', 'rejected', 'expired', 'failed'] as const

/** How far a confirmation has got; `failed`: it was approved, and the write was refused by then. */
export type ConfirmationStatus = (typeof words)[number]

/** What one fact would do, in words. */
export const Effect = Type.Object(
  {
    type: Type.String({ description: 'The fact that would be recorded' }),
    payload: Type.Record(Type.String(), Type.Unknown()),
    money: Type.Optional(Type.String()),
    mail: Type.Optional(Type.String()),
    access: Type.Optional(Type.String({ description: 'Who gains or loses which access, in words' })),
  },
  { additionalProperties: false, title: 'Effect' },
)

/** A write that waits for the person behind the token, or what came of it. */
export const Confirmation = Type.Object(
  {
    id: Id('cnf'),
    status: OneOf(words, 'How far it has got; failed: approved, and refused when it was carried out'),
    operation: Type.String({ description: 'The id of the operation that was asked for' }),
    url: Type.String({ description: 'Where to send the person, in a browser' }),
    effects: Type.Array(Effect, { description: 'What the write would do; empty once it is no longer pending' }),
    outcome: Type.Optional(
      Type.Object(
        {
          status: Type.Integer({ description: 'The HTTP status the write would have answered' }),
          code: Type.Optional(Type.String({ description: 'The code of the refusal' })),
        },
        { additionalProperties: false, description: 'What the approved write answered' },
      ),
    ),
    created_at: Instant,
    updated_at: Instant,
    expires_at: Instant,
  },
  { additionalProperties: false, title: 'Confirmation' },
)

/** The 202 of an operation that a person has to confirm. */
export const ConfirmationRequired = Type.Object(
  { confirmation: Confirmation },
  { additionalProperties: false, title: 'ConfirmationAsked' },
)

/** What was asked, as it was validated, with If-Match as it was sent. */
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
  readonly is_arranged: boolean
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

const outcomeOf = ({ outcome_status: status, outcome_code: code }: ConfirmationRow) => {
  if (status === null) return {}
  return { outcome: { status, ...(code === null ? {} : { code }) } }
}

/** A confirmation on the wire. */
export const confirmationOf = (school: School, row: ConfirmationRow): Static<typeof Confirmation> => {
  const id = toId('cnf', row.id)
  return {
    id,
    status: row.status,
    operation: row.operation,
    url: `${school.baseUrl}/account/confirmations/${id}`,
    effects: row.status === 'pending' ? describeEffects(row.effects ?? []) : [],
    ...outcomeOf(row),
    created_at: row.created_at.toISOString(),
    updated_at: (row.decided_at ?? row.created_at).toISOString(),
    expires_at: row.expires_at.toISOString(),
  }
}

/** A confirmation as its page shows it. */
export type ConfirmationDetails = {
  readonly id: string
  readonly status: ConfirmationStatus
  readonly client: { readonly name: string; readonly isArranged: boolean }
  /** The operation in words. */
  readonly summary: string
  /** The things it is about, as the address named them. */
  readonly things: readonly string[]
  readonly effects: readonly Fact[]
  readonly expiresAt: Date
  /** The code of the refusal, when it failed. */
  readonly refusedFor: string | undefined
}

/** Who decides what: the person of a living browser session, and how to hold that session in the transaction. */
export type Decision = {
  readonly school: School
  readonly memberId: string
  readonly id: string
  readonly decision: 'approve' | 'reject'
  readonly requestId: string
  /** Whether the session still lives, held until the transaction ends. */
  holds(db: Db): Promise<boolean>
}

/** What came of a decision: made by this request, too late or made before, or of somebody whose session has ended. */
export type DecisionResult = 'decided' | 'settled_before' | 'signed_out'

/** The confirmations of a school, for the page on which a person decides. */
export type Confirmations = {
  /** One that this member was asked for. */
  find(school: School, memberId: string, id: string): Promise<ConfirmationDetails | undefined>
  /** Those that wait for this member, what was asked first before the rest. */
  listPending(school: School, memberId: string): Promise<ConfirmationDetails[]>
  /** Approves or rejects one; undefined when this member was asked for no such thing. */
  decide(deciding: Decision): Promise<DecisionResult | undefined>
}
