import { findLecturerByMember } from '#src/areas/courses/index.ts'
import { addDatedEvent, type EventDates, eventStatus, type NewEvent } from '#src/areas/events/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Database } from '#src/contract/db.ts'
import { getSchool } from '#src/db/schools.ts'
import { dayAt, daysAfter } from '#src/kit/local-time.ts'
import { backdate, DAY } from '../clock.ts'
import type { DemoMedia } from '../files/media.ts'
import { people } from '../people/people.ts'
import { findBySlug, findMemberId, hasRows } from '../queries.ts'

const ZONE = 'Europe/Lisbon'

/** The next Tuesday, at least two days after an instant. */
const nextTuesday = (now: Date): string => {
  const day = daysAfter(dayAt(now, ZONE), 2)
  const ahead = (9 - new Date(`${day}T00:00Z`).getUTCDay()) % 7
  return daysAfter(day, ahead)
}

const dated = (day: string, time: string, minutes: number): EventDates => ({
  starts_local: `${day}T${time}`,
  time_zone: ZONE,
  duration_minutes: minutes,
  recurrence: null,
})

const weekly = { rule: 'FREQ=WEEKLY;BYDAY=TU', until: null, count: 12, except: [] }

const bakery = {
  name: 'Crumb & Crust',
  address: 'Rua do Forno 12, 1200-001 Lisboa',
  latitude: 38.7109,
  longitude: -9.1434,
  note: 'The blue door beside the shop.',
}

type Plan = {
  readonly input: NewEvent['input']
  readonly dates: EventDates
  readonly isPublished?: true
  readonly picture?: 'table' | 'slices' | 'night'
}

/** How many weeks ago the event began that only the demo for people has. */
const PAST_WEEKS = 12

const plansFor = (tuesday: string, courseId: string | undefined, hostIds: string[]): Plan[] => [
  {
    input: {
      name: 'Open kitchen',
      description: 'Bring your dough, your questions and an apron. We bake together, and somebody who knows is there.',
      kind: 'hybrid',
      location: bakery,
      meeting_url: 'https://meet.example/open-kitchen',
      capacity: 12,
      waitlist: true,
      lecturer_ids: hostIds,
      ...(courseId === undefined ? {} : { course_id: courseId }),
    },
    dates: { ...dated(tuesday, '19:00', 120), recurrence: weekly },
    isPublished: true,
    picture: 'table',
  },
  {
    input: {
      name: 'Night of ovens',
      description: 'All ovens are lit, and every loaf of the house comes out warm until midnight.',
      location: bakery,
      capacity: 2,
      waitlist: true,
      lecturer_ids: hostIds,
    },
    dates: dated(daysAfter(tuesday, 18), '20:00', 240),
    isPublished: true,
    picture: 'night',
  },
  {
    input: { name: 'Summer picnic', description: 'In the park, with whatever you baked.', capacity: 40 },
    dates: dated(daysAfter(tuesday, 200), '13:00', 180),
  },
  {
    input: { name: 'Flour market', description: 'Millers from the north come to us.', lecturer_ids: hostIds },
    dates: dated(daysAfter(tuesday, 60), '10:00', 300),
  },
]

// Every Sunday since some weeks before the next Tuesday, and for some more.
const buildCircle = (tuesday: string, hostIds: string[]): Plan => ({
  input: {
    name: 'Sunday loaves',
    description: 'Bring what you baked this week. We cut it, look at the crumb together, and eat the evidence.',
    location: bakery,
    capacity: 10,
    lecturer_ids: hostIds,
  },
  dates: {
    ...dated(daysAfter(tuesday, -2 - 7 * PAST_WEEKS), '11:00', 90),
    recurrence: { rule: 'FREQ=WEEKLY;BYDAY=SU', until: null, count: PAST_WEEKS + 12, except: [] },
  },
  isPublished: true,
  picture: 'slices',
})

/**
 * Adds events to a school without events: one that repeats every week, one with two seats, and two drafts; with pictures also one
 * that has taken place for weeks.
 */
export const createDemoEvents = async (
  database: Database,
  schoolId: string,
  pictures?: DemoMedia['pictures'],
): Promise<void> => {
  await database.transaction(schoolId, async (db, now) => {
    if (await hasRows(db, schoolId, 'events')) return
    const place = { db, school: await getSchool(db, schoolId), now }
    const courseId = await findBySlug(db, schoolId, 'courses', 'first-loaf')
    const carla = await findMemberId(db, schoolId, people.carla.email)
    const host = carla && (await findLecturerByMember(db, schoolId, carla))
    const hostIds = host ? [host.id] : []
    const add = async (context: TransactionContext, { input, dates, isPublished, picture }: Plan): Promise<void> => {
      const image = picture === undefined || pictures === undefined ? {} : { image_file_id: pictures[picture] }
      const id = await addDatedEvent(context, { input: { ...input, ...image }, dates, authorId: carla })
      if (isPublished) await eventStatus.store(context.db, schoolId, id, { status: 'published' })
    }
    const tuesday = nextTuesday(now)
    for (const plan of plansFor(tuesday, courseId, hostIds)) await add(place, plan)
    if (pictures !== undefined)
      await add(await backdate(place, (PAST_WEEKS + 1) * 7 * DAY), buildCircle(tuesday, hostIds))
  })
}
