// One thing: an area of the tests, with an operation of each kind that no area of the product has yet.
import Type, { type Static } from 'typebox'
import { area } from '#src/contract/area.ts'
import type { Role } from '#src/contract/caller.ts'
import type { Db, Statement } from '#src/contract/db.ts'
import { type Endpoint, endpoint } from '#src/contract/endpoint.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { multiStepOperation } from '#src/contract/multi-step-operation.ts'
import { operation, type WriteContext } from '#src/contract/operation.ts'
import type { CallAsPerson } from '#src/contract/page-call.ts'
import { problem, Refusal } from '#src/contract/problem.ts'
import { invalidRequest, notFound } from '#src/contract/problems.ts'
import { sql } from '#src/db/sql.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { AllowedActions, Id, Instant, Line } from '#src/kit/shapes.ts'
import { atPage, isReply, requirePerson } from '../src/web/page/request.ts'

/** The text of a pin is taken. */
const pinTaken = problem(
  409,
  'pin_taken',
  'A pin has this text',
  'Two pins cannot have the same text. Choose another one.',
)

const Pin = Type.Object(
  {
    id: Id('pst'),
    text: Line(80, 'What is written on it'),
    is_hidden: Type.Boolean(),
    picture_bytes: Type.Integer(),
    purchases: Type.Integer(),
    created_at: Instant,
  },
  { additionalProperties: false, title: 'Pin' },
)
const NewPin = Type.Object({ text: Pin.properties.text }, { additionalProperties: false, title: 'NewPin' })
const PinList = Type.Object({ data: Type.Array(Pin) }, { additionalProperties: false, title: 'PinList' })
const PinRef = Type.Object({ pin_id: Id('pst') })
const Pinboard = Type.Object(
  { count: Type.Integer(), allowed_actions: AllowedActions },
  { additionalProperties: false, title: 'Pinboard' },
)

type PinRow = Static<typeof Pin>

const columns = sql`id, text, is_hidden, picture_bytes, purchases, created_at`

const insertPin = async (db: Db, schoolId: string, text: string, now: Date): Promise<PinRow> => {
  const row = await db.first(sql<PinRow>`
    insert into pins (school_id, id, text, created_at) values (${schoolId}, ${newUuid(now.getTime())}, ${text}, ${now})
    on conflict do nothing returning ${columns}`)
  if (row === undefined) throw new Refusal(pinTaken, 'Another pin has this text.')
  return row
}

// What a mistake in a statement would do: it names another school than that of the request.
const createPinAstray = operation({
  id: 'createPinAstray',
  route: 'POST /pins/astray',
  summary: 'Put up a pin anywhere',
  description: 'Puts up a pin in the school that the body names.',
  scope: 'none',
  section: 'school',
  who: 'anyone',
  mode: 'write',
  rateLimit: { times: 5, seconds: 3600, by: 'network' },
  body: Type.Object(
    { school_id: Type.String(), text: Pin.properties.text },
    { additionalProperties: false, title: 'PinAstray' },
  ),
  returns: undefined,
  async handle({ db, body, now }) {
    await insertPin(db, body.school_id, body.text, now)
  },
})

type PinWrite = Pick<WriteContext, 'db' | 'school' | 'now' | 'changed' | 'record'>
type PinContext = Omit<PinWrite, 'now'> & { readonly params: Static<typeof PinRef> }

const putUp = async ({ db, school, now, changed, record }: PinWrite, text: string): Promise<PinRow> => {
  const row = await insertPin(db, school.id, text, now)
  const id = toId('pst', row.id)
  changed({ ids: [id], fields: ['text'] })
  const effects = { mail: { en: 'Nobody gets a mail.', pt: 'Ninguém recebe uma mensagem.' } }
  record({ type: 'pin.put_up', payload: { pin_id: id }, effects })
  return row
}

/** How many bytes an event may have. */
export const MAX_EVENT = 256

const anyPin = exampleFrom('pst', 'listPins')

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
  handle: context => putUp(context, context.body.text),
})

const hidePin = operation({
  id: 'hidePin',
  summary: 'Hide a pin',
  who: 'staff',
  mode: 'write',
  params: PinRef,
  returns: undefined,
  example: { params: { pin_id: anyPin } },
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

const listPins = operation({
  id: 'listPins',
  route: 'GET /pins',
  summary: 'List pins',
  description: 'Lists the pins of the school.',
  scope: 'school:read',
  who: 'anyone',
  mode: 'read',
  returns: PinList,
  async handle({ db, school }) {
    return {
      data: await db.all(sql<PinRow>`
        select ${columns} from pins where school_id = ${school.id} and not is_hidden order by created_at, id`),
    }
  },
})

// Without the condition on the school, so that only row-level security is left.
const listUnfiltered = operation({
  id: 'listUnfilteredPins',
  route: 'GET /pins/unfiltered',
  summary: 'List pins without a condition',
  description: 'Lists the pins that row-level security shows.',
  scope: 'none',
  section: 'school',
  who: 'anyone',
  mode: 'read',
  returns: PinList,
  handle: async ({ db }) => ({ data: await db.all(sql<PinRow>`select ${columns} from pins order by created_at, id`) }),
})

const createPin = operation({
  id: 'createPin',
  route: 'POST /pins',
  summary: 'Put up a pin',
  description: 'Puts up a pin, also without an account.',
  scope: 'none',
  section: 'school',
  who: 'anyone',
  mode: 'write',
  rateLimit: { times: 5, seconds: 3600, by: 'network' },
  body: NewPin,
  returns: Pin,
  status: 201,
  fails: [pinTaken],
  example: { body: { text: 'Swap: rye starter for spelt' } },
  handle: context => putUp(context, context.body.text),
})

const changePin = async (
  { db, school, params, changed, record }: PinContext,
  change: Statement,
  field: string,
): Promise<PinRow> => {
  const row = await db.first(sql<PinRow>`
    update pins set ${change} where school_id = ${school.id} and id = ${params.pin_id} returning ${columns}`)
  if (row === undefined) throw new Refusal(notFound, 'There is no such pin.')
  changed({ ids: [toId('pst', row.id)], fields: [field] })
  record({ type: 'pin.changed', payload: { pin_id: toId('pst', row.id), fields: [field] } })
  return row
}

const buyPin = operation({
  id: 'buyPin',
  route: 'POST /pins/:pin_id/purchases',
  summary: 'Buy what a pin offers',
  description: 'Buys what the pin offers, once for each key.',
  scope: 'account:write',
  who: 'self',
  mode: 'write',
  idempotency: 'required',
  params: PinRef,
  returns: Pin,
  example: { params: { pin_id: anyPin } },
  handle: context => changePin(context, sql`purchases = purchases + 1`, 'purchases'),
})

const reportPin = operation({
  id: 'reportPin',
  route: 'PUT /pins/:pin_id/report',
  summary: 'Report a pin',
  description: 'Reports a pin, which is hidden.',
  scope: 'account:write',
  who: 'self',
  mode: 'write',
  rateLimit: { times: 3, seconds: 600, by: 'member' },
  params: PinRef,
  returns: Pin,
  example: { params: { pin_id: anyPin } },
  handle: context => changePin(context, sql`is_hidden = true`, 'is_hidden'),
})

const MAX_PICTURE = 1000

/** The pins whose pictures have ended, completely or not. */
export const pictureEnds: string[] = []

const setPinPicture = multiStepOperation({
  id: 'setPinPicture',
  route: 'PUT /pins/:pin_id/picture',
  summary: 'Add a picture to a pin',
  description: 'Adds a picture to a pin, also without an account.',
  scope: 'none',
  section: 'school',
  who: 'anyone',
  mode: 'stream',
  rateLimit: { times: 100, seconds: 3600, by: 'network' },
  params: PinRef,
  returns: Pin,
  example: { params: { pin_id: anyPin }, content: 'a picture' },
  async runSteps({ content, params, school, write }) {
    let size = 0
    try {
      for await (const bytes of content.read(MAX_PICTURE)) size += bytes.length
    } finally {
      pictureEnds.push(params.pin_id)
    }
    // Sent again, the same picture changes nothing.
    return write(async step => {
      const row = await step.db.first(sql<PinRow>`
        select ${columns} from pins where school_id = ${school.id} and id = ${params.pin_id} and picture_bytes = ${size}`)
      return row ?? changePin({ ...step, school, params }, sql`picture_bytes = ${size}`, 'picture_bytes')
    })
  },
})

const webhook = endpoint({
  route: 'POST /webhooks/pins',
  handle: async ({ bytes, database, header, school }) => {
    const body = await bytes(MAX_EVENT)
    if (header('pin-signature') !== sha256(body).toString('hex'))
      throw new Refusal(invalidRequest, 'The signature does not cover these bytes.')
    await database.transaction(school.id, (db, now) => insertPin(db, school.id, body.toString('base64'), now))
    return { status: 200 }
  },
})

/** The area. */
export const pinboard = area({
  name: 'pinboard',
  operations: [
    listPins,
    listUnfiltered,
    createPin,
    buyPin,
    reportPin,
    setPinPicture,
    putUpNotice,
    hidePin,
    clearPinboard,
    getPinboard,
  ],
  endpoints: () => [webhook],
})

/** An area whose only write forgets the school; no derived suite calls it. */
export const astray = area({ name: 'astray', operations: [createPinAstray] })

/** Creates the table of the area. */
export const PINS = `
  create table pins (
    school_id uuid not null references schools (id),
    id uuid not null,
    text text not null,
    is_hidden boolean not null default false,
    picture_bytes integer not null default 0,
    purchases integer not null default 0,
    created_at timestamptz not null,
    primary key (school_id, id),
    unique (school_id, text)
  );
  select stoa.guard('pins');
  grant select, insert, update, delete on pins to stoa_app;
  insert into pins (school_id, id, text, created_at) select id, gen_random_uuid(), 'Welcome', stoa.now() from schools`

type Performed = {
  readonly operation: string
  readonly params?: Record<string, string>
  readonly query?: Readonly<Record<string, string>>
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
      const { dry_run: isDry, was, query, ...rest } = (await request.json()) as Performed
      const input = query === undefined ? rest : { ...rest, query: Object.entries(query) }
      const session = await requirePerson(request)
      if (isReply(session)) return session
      const at = atPage(request, session)
      const person = { ...at, member: { ...at.member, role: was ?? at.member.role } }
      const returns = pinboard.operations.find(({ id }) => id === input.operation)?.returns
      const call = returns === undefined ? input : { ...input, returns }
      const value = await (isDry === true ? performAs(person, { ...call, dryRun: true }) : performAs(person, call))
      return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value ?? null) }
    },
  })
