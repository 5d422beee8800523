import { findLecturerByMember } from '#src/areas/courses/index.ts'
import { addDatedEvent, type EventDates, eventStatus, type NewEvent } from '#src/areas/events/index.ts'
import type { Database } from '#src/contract/db.ts'
import { getSchool } from '#src/db/schools.ts'
import { dayAt, daysAfter } from '#src/kit/local-time.ts'
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
}

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

/** Adds events to a school without events: one that repeats every week, one with two seats, and two drafts. */
export const createDemoEvents = async (database: Database, schoolId: string): Promise<void> => {
  await database.transaction(schoolId, async (db, now) => {
    if (await hasRows(db, schoolId, 'events')) return
    const place = { db, school: await getSchool(db, schoolId), now }
    const courseId = await findBySlug(db, schoolId, 'courses', 'first-loaf')
    const carla = await findMemberId(db, schoolId, people.carla.email)
    const host = carla && (await findLecturerByMember(db, schoolId, carla))
    for (const { input, dates, isPublished } of plansFor(nextTuesday(now), courseId, host ? [host.id] : [])) {
      const id = await addDatedEvent(place, { input, dates, authorId: carla })
      if (isPublished) await eventStatus.store(db, schoolId, id, { status: 'published' })
    }
  })
}
