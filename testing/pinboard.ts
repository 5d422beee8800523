// One thing: an area of the tests, with an operation of each kind that no area of the product has yet.
import Type, { type Static } from 'typebox'
import { area } from '#src/contract/area.ts'
import type { Role } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import { type Endpoint, endpoint } from '#src/contract/endpoint.ts'
import { operation } from '#src/contract/operation.ts'
import type { CallAsPerson } from '#src/contract/page-call.ts'
import { problem, Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { sql } from '#src/db/sql.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { AllowedActions, Id, Instant, Line } from '#src/kit/shapes.ts'
import { atPage, isReply, personOf } from '#src/web/account/index.ts'

/** The text of a pin is taken. */
const pinTaken = problem(
  409,
  'pin_taken',
  'A pin has this text',
  'Two pins cannot have the same text. Choose another one.',
)

const Pin = Type.Object(
  { id: Id('pst'), text: Line(80, 'What is written on it'), is_hidden: Type.Boolean(), created_at: Instant },
  { additionalProperties: false, title: 'Pin' },
)
const NewPin = Type.Object({ text: Pin.properties.text }, { additionalProperties: false, title: 'NewPin' })
const PinRef = Type.Object({ pin_id: Id('pst') })
const Pinboard = Type.Object(
  { count: Type.Integer(), allowed_actions: AllowedActions },
  { additionalProperties: false, title: 'Pinboard' },
)

type PinRow = Static<typeof Pin>

const columns = sql`id, text, is_hidden, created_at`

const insertPin = async (db: Db, schoolId: string, text: string, now: Date): Promise<PinRow> => {
  const row = await db.first(sql<PinRow>`
    insert into pins (school_id, id, text, created_at) values (${schoolId}, ${newUuid(now.getTime())}, ${text}, ${now})
    on conflict do nothing returning ${columns}`)
  if (row === undefined) throw new Refusal(pinTaken, 'Another pin has this text.')
  return row
}

/** Puts up a pin for the school: staff only, and no app. */
const putUpNotice = operation({
  id: 'putUpNotice',
  summary: 'Put up a notice',
  who: 'staff',
  mode: 'write',
  body: NewPin,
  returns: Pin,
  fails: [pinTaken],
  example: { body: { text: 'The oven is cold on Mondays.' } },
  async handle({ db, school, body, now, changed, record }) {
    const row = await insertPin(db, school.id, body.text, now)
    const id = toId('pst', row.id)
    changed({ ids: [id], fields: ['text'] })
    const effects = { mail: { en: 'Nobody gets a mail.', pt: 'Ninguém recebe uma mensagem.' } }
    record({ type: 'pin.put_up', payload: { pin_id: id }, effects })
    return row
  },
})

const hidePin = operation({
  id: 'hidePin',
  summary: 'Hide a pin',
  who: 'staff',
  mode: 'write',
  params: PinRef,
  returns: undefined,
  async handle({ db, school, params, changed, record }) {
    const hidden = await db.run(
      sql`update pins set is_hidden = true where school_id = ${school.id} and id = ${params.pin_id}`,
    )
    if (hidden === 0) throw new Refusal(notFound, 'There is no such pin.')
    changed({ ids: [toId('pst', params.pin_id)], fields: ['is_hidden'] })
    record({ type: 'pin.hidden', payload: { pin_id: toId('pst', params.pin_id) } })
  },
})

const clearPinboard = operation({
  id: 'clearPinboard',
  summary: 'Remove all pins',
  who: 'owner',
  mode: 'write',
  returns: undefined,
  async handle({ db, school, caller, changed, record }) {
    await db.run(sql`delete from pins where school_id = ${school.id}`)
    changed({ ids: [], fields: ['pins'] })
    record({ type: 'pinboard.cleared', payload: { by_member: caller.member !== undefined } })
  },
})

const getPinboard = operation({
  id: 'getPinboard',
  summary: 'Count the pins',
  who: 'staff',
  mode: 'read',
  returns: Pinboard,
  async handle({ db, school, allowedActions }) {
    const { count } = await db.one(
      sql<{ count: number }>`select count(*)::integer as count from pins where school_id = ${school.id}`,
    )
    return { count, allowed_actions: allowedActions(['putUpNotice', 'clearPinboard', 'getSchool']) }
  },
})

/** The area. */
export const pinboard = area({
  name: 'pinboard',
  operations: [putUpNotice, hidePin, clearPinboard, getPinboard],
})

/** Creates the table of the area. */
export const PINS = `
  create table pins (
    school_id uuid not null references schools (id),
    id uuid not null,
    text text not null,
    is_hidden boolean not null default false,
    created_at timestamptz not null,
    primary key (school_id, id),
    unique (school_id, text)
  );
  select stoa.guard('pins');
  grant select, insert, update, delete on pins to stoa_app`

type Performed = {
  readonly operation: string
  readonly params?: Record<string, string>
  readonly body?: unknown
  readonly dry_run?: boolean
  /** The role that the person had when the session was read, where it has changed since. */
  readonly was?: Role
}

/** A page that performs whichever operation it is sent, for the person who is signed in. */
export const performingPage = ({ performAs }: { readonly performAs: CallAsPerson }): Endpoint =>
  endpoint({
    route: 'POST /account/perform',
    handle: async request => {
      const { dry_run: isDry, was, ...input } = (await request.json()) as Performed
      const session = await personOf(request)
      if (isReply(session)) return session
      const at = atPage(request, session)
      const person = { ...at, member: { ...at.member, role: was ?? at.member.role } }
      const returns = pinboard.operations.find(({ id }) => id === input.operation)?.returns
      const call = returns === undefined ? input : { ...input, returns }
      const value = await (isDry === true ? performAs(person, { ...call, dryRun: true }) : performAs(person, call))
      return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value ?? null) }
    },
  })
