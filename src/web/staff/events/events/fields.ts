import type { Static } from 'typebox'
import type { TicketTypePage } from '#src/areas/events/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { texts } from '#src/texts/index.ts'
import {
  at,
  box,
  choice,
  count,
  day,
  type Field,
  type FieldSet,
  fieldsFor,
  line,
  localTime,
  markdown,
  money,
  optionalLine,
  optionalLink,
  optionalTime,
  required,
  selectMany,
  selectOneOrNone,
  unlessEmpty,
  whole,
  words,
} from '#src/web/page/index.ts'
import { plainEditor } from '../../texts/index.ts'
import type { EventShown } from './frame.ts'

const { acts, fields, recurrence, ticketFields: ticketTexts, time } = texts.staff.events

type Time = { readonly starts_at?: unknown; readonly time_zone?: unknown; readonly duration_minutes: number }

const zonedTime = {
  starts_at: required(at('starts_at', 'local', localTime())),
  time_zone: required(at('starts_at', 'time_zone', line({ most: 64 }))),
}

/** When something begins, and how long it takes. */
export const timeFields = fieldsFor<Time>()(time, { ...zonedTime, duration_minutes: count() })

/** When a copy begins. */
export const startFields = fieldsFor<Pick<Time, 'starts_at' | 'time_zone'>>()(time, zonedTime)

/** What a new event begins with. */
export const newFields = fieldsFor<Time & { readonly name: string }>()(
  { name: fields.name, ...time },
  { name: required(line({ most: 200 })), ...zonedTime, duration_minutes: count() },
)

type Parts = 'place_name' | 'address' | 'place_note' | 'seo_title' | 'seo_description'

type Settings = EventShown & { readonly [Part in Parts]?: unknown }

/** The fields of the settings of an event. */
export const eventFields = fieldsFor<Settings>()(fields, {
  name: required(line({ most: 200 })),
  description: markdown({ most: 10_000, rows: 8, editor: plainEditor('description') }),
  kind: choice(['in_person', 'online', 'hybrid']),
  place_name: at('location', 'name', line({ most: 200 })),
  address: at('location', 'address', line({ most: 500 })),
  place_note: at('location', 'note', line({ most: 500 })),
  meeting_url: optionalLink({ most: 500 }),
  capacity: whole(),
  waitlist: box(),
  approval_holds_seat: box(),
  visibility: choice(['public', 'members', 'private']),
  group_ids: selectMany(),
  plan_ids: selectMany(),
  lecturer_ids: selectMany(),
  course_id: selectOneOrNone(),
  cancellation_until: count(),
  refund_rule: choice(['until', 'full', 'none']),
  slug: required(line({ most: 80 })),
  comments: choice(['open', 'closed', 'off']),
  seo_title: at('seo', 'title', optionalLine({ most: 120 })),
  seo_description: at('seo', 'description', optionalLine({ most: 320 })),
  external_id: optionalLine({ most: 255 }),
})

const staffFields = ['group_ids', 'plan_ids', 'lecturer_ids'] as const

/** The settings of an event as they are sent; staff alone choose hosts, groups and plans. */
export const readSettings = (read: unknown, { location: stored }: EventShown, isStaff: boolean): object => {
  const { location, cancellation_until, ...settings } = read as Partial<Settings>
  const { latitude = null, longitude = null } = stored ?? {}
  const isPrivate = settings.visibility === 'private'
  const body = {
    ...settings,
    ...(isPrivate ? {} : { group_ids: [], plan_ids: [] }),
    location: location?.name ? { ...location, latitude, longitude } : null,
    cancellation_until: cancellation_until ?? 0,
  }
  const isSent = ([name]: readonly [string, unknown]) => isStaff || !staffFields.some(one => one === name)
  return Object.fromEntries(Object.entries(body).filter(isSent))
}

const RULES: Readonly<Record<string, string>> = {
  daily: 'FREQ=DAILY',
  weekly: 'FREQ=WEEKLY',
  biweekly: 'FREQ=WEEKLY;INTERVAL=2',
  monthly: 'FREQ=MONTHLY',
}

const DAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

// The same day of the week in each month: the second Tuesday, or the last one.
const weekdayRule = (local: string): string => {
  const day = new Date(`${local.slice(0, 10)}T00:00Z`)
  const place = Math.ceil(day.getUTCDate() / 7)
  return `FREQ=MONTHLY;BYDAY=${place === 5 ? -1 : place}${DAYS[day.getUTCDay()] ?? 'MO'}`
}

type Recurrence = Time & {
  readonly repeats: string
  readonly count: number | null
  readonly until: string | null
  readonly except: string[]
  readonly rule: string
}

const typedRecurrence = fieldsFor<Recurrence>()(
  { ...time, ...recurrence },
  {
    ...zonedTime,
    duration_minutes: count(),
    repeats: choice(['once', 'daily', 'weekly', 'biweekly', 'monthly', 'weekday', 'own']),
    count: whole(),
    until: day(),
    except: words({ most: 2400 }),
    rule: line({ most: 500 }),
  },
)

/** When an event begins and how it repeats; the body has the rule that the choice names. */
export const recurrenceFields: FieldSet<Recurrence> = {
  ...typedRecurrence,
  body(form, reader) {
    const { repeats = '', rule = '', count, until, except, ...when } = typedRecurrence.body(form, reader)
    const { local = '' } = Object(when.starts_at)
    if (repeats === 'once') return { rule: null, ...when } as object
    const own = RULES[repeats] ?? rule.toUpperCase()
    return { ...when, count, until, except, rule: repeats === 'weekday' ? weekdayRule(local) : own } as object
  },
}

/** What the form of the recurrence begins with. */
export const readRecurrence = (event: EventShown): Partial<Recurrence> => {
  const { count = null, until = null, except = [], rule = '' } = event.recurrence ?? {}
  const known = Object.keys(RULES).find(name => RULES[name] === rule)
  return { ...event, count, until, except, rule, repeats: event.recurrence === null ? 'once' : (known ?? 'own') }
}

/** A ticket of an event as pages get it. */
export type TicketShown = Encoded<Static<typeof TicketTypePage>>['data'][number]

type TicketSettings = TicketShown & { readonly sales_from?: unknown; readonly sales_until?: unknown }

const newTicket = {
  name: required(line({ most: 120 })),
  amount: money() as Field<number>,
  capacity: whole(),
  needs_approval: box(),
}

const typedTicket = fieldsFor<TicketSettings>()(ticketTexts, newTicket)

/** The fields of a new ticket, which is free where no price is typed. */
export const newTicketFields: typeof typedTicket = {
  ...typedTicket,
  body(form, reader) {
    const { amount, ...ticket } = typedTicket.body(form, reader)
    return { ...ticket, amount: amount ?? 0 }
  },
}

/** The fields of a ticket; times are in the zone of its event. */
export const ticketFields = fieldsFor<TicketSettings>()(ticketTexts, {
  ...newTicket,
  description: markdown({ most: 2000, rows: 4, editor: plainEditor('description') }),
  least_amount: money(),
  sales_from: at('sales', 'from', optionalTime()),
  sales_until: at('sales', 'until', optionalTime()),
  min_per_order: count(),
  max_per_order: count(),
  visibility: choice(['listed', 'unlisted']),
  audience: choice(['everybody', 'groups', 'plans']),
  group_ids: selectMany(),
  plan_ids: selectMany(),
  position: count(),
})

type Terms = { readonly reason: string; readonly refund: boolean; readonly message: string | undefined }

const typedTerms = fieldsFor<Terms>()(acts.cancel.fields, {
  reason: required(line({ most: 500 })),
  refund: box(),
  message: unlessEmpty(line({ most: 5000 })),
})

/** The terms of a cancellation: everything that was paid is paid back, or nothing. */
export const termsFields: typeof typedTerms = {
  ...typedTerms,
  body(form, reader) {
    const { refund, ...terms } = typedTerms.body(form, reader)
    return { ...terms, refund: refund ? 'all' : 'none' } as object
  },
}
