import {
  addCategory,
  addCourse,
  addOutline,
  addPrice,
  addTemplate,
  type CourseRow,
  courseStatus,
  insertTeaching,
  type NewCourseInput,
  type RequestedSection,
} from '#src/areas/courses/index.ts'
import { addQuiz, courseLook, type EnrollmentPlan, enroll, issue } from '#src/areas/learning/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Database } from '#src/contract/db.ts'
import type { PriceInput } from '#src/contract/price.ts'
import { getSchool } from '#src/db/schools.ts'
import { backdate, DAY, MADE } from '../clock.ts'
import type { DemoMedia } from '../files/media.ts'
import { people } from '../people/people.ts'
import { findMemberId, hasRows } from '../queries.ts'
import { addLecturers, type Lecturers } from './lecturers.ts'
import { type LessonTexts, readLessonTexts, writeLessons } from './lessons.ts'
import { quizzes } from './quizzes.ts'
import { addedCourses, shownCourses } from './showcase.ts'

type Source = EnrollmentPlan['source']

type CoursePlan = {
  readonly input: NewCourseInput
  readonly status: CourseRow['status']
  readonly by: keyof Lecturers | undefined
  readonly prices: readonly PriceInput[]
  readonly outline?: readonly RequestedSection[]
}

/** The courses of the demo data. */
const courses = {
  sourdough: {
    input: {
      name: 'Sourdough from scratch',
      subtitle: 'Flour, water, salt and time',
      description: 'From the first starter to a loaf with an open crumb.',
      tags: ['sourdough', 'beginners'],
    },
    status: 'published',
    by: 'carla',
    prices: [
      { payment_type: 'one_time', amount: 4900 },
      { payment_type: 'payment_plan', amount: 1800, interval: 'month', number_of_payments: 3 },
    ],
    outline: [
      {
        name: 'The starter',
        lessons: [
          { name: 'What lives in it', type: 'text', status: 'published', preview: true },
          { name: 'Feeding', type: 'video', status: 'published', duration_seconds: 480 },
          { name: 'Your own starter', type: 'assignment', status: 'published', preview: true },
        ],
      },
      {
        name: 'The loaf',
        lessons: [
          { name: 'Your own loaf', type: 'assignment', status: 'published' },
          {
            name: 'What you know of starters',
            type: 'quiz',
            status: 'published',
            preview: true,
            required_for_completion: false,
          },
          {
            name: 'What you know of loaves',
            type: 'quiz',
            status: 'published',
            required_for_completion: false,
          },
          { name: 'Folding', type: 'video', status: 'draft' },
        ],
      },
      {
        name: 'The oven',
        lessons: [
          { name: 'Heat and steam', type: 'text', status: 'published', duration_seconds: 240 },
          { name: 'Bake with Carla', type: 'live', status: 'published', required_for_completion: false },
        ],
      },
      { name: 'Extras', lessons: [{ name: 'Crackers of discard', type: 'text', status: 'draft' }] },
    ],
  },
  firstLoaf: {
    input: { name: 'First loaf', subtitle: 'A white loaf in an afternoon', tags: ['beginners'] },
    status: 'published',
    by: 'carla',
    prices: [{ payment_type: 'free', amount: 0 }],
  },
  rye: {
    input: { name: 'Rye for the patient', subtitle: 'Three days, one loaf', tags: ['rye'] },
    status: 'draft',
    by: undefined,
    prices: [{ payment_type: 'one_time', amount: 5900 }],
  },
  stollen: {
    input: { name: 'Winter stollen', subtitle: 'With rum and almonds', tags: ['winter'] },
    status: 'archived',
    by: undefined,
    prices: [{ payment_type: 'one_time', amount: 2900, access: { days: 90 } }],
  },
  noOven: {
    input: {
      name: 'Bread without an oven',
      subtitle: 'From the pan, in an hour',
      tags: ['pan'],
      visibility: 'unlisted',
    },
    status: 'published',
    by: undefined,
    prices: [{ payment_type: 'free', amount: 0, enrollment_cap: 500 }],
  },
} as const satisfies Record<string, CoursePlan>

// Everything is created a millisecond apart, so that it keeps the order in which it is listed here.
const ticking = (start: Date): (() => Date) => {
  let at = start.getTime()
  return () => new Date(at++)
}

const fillCategories = async ({ db, school }: TransactionContext, tick: () => Date) => {
  const bread = await addCategory({ db, school, now: tick() }, { name: 'Bread' })
  const sweet = await addCategory({ db, school, now: tick() }, { name: 'Sweet things' })
  await addCategory({ db, school, now: tick() }, { name: 'Workshops' })
  await addCategory({ db, school, now: tick() }, { name: 'Sourdough', parent_id: bread.id })
  return { Bread: bread.id, 'Sweet things': sweet.id } as const
}

// The serial of Ada's certificate in every demo school; it is in the documentation
// and reveals nothing.
const SERIAL = 'BAKEDWARM0BREADDEM00'

const fillTemplates = async ({ db, school }: TransactionContext, tick: () => Date): Promise<string> => {
  const demo = { db, school }
  const house = await addTemplate(
    { ...demo, now: tick() },
    { name: 'House certificate', signature_name: people.carla.name, signature_role: 'Baker' },
  )
  await addTemplate({ ...demo, now: tick() }, { name: 'Summer school', title: 'Certificate of attendance' })
  return house.id
}

// Ada tried her own course first.
const awardAda = async ({ db, school, now }: TransactionContext, courseId: string): Promise<void> => {
  const memberId = await findMemberId(db, school.id, people.ada.email)
  const look = await courseLook({ db, school }, courseId)
  if (memberId === undefined || look === undefined) return
  const award = { courseId, memberId, source: 'staff', name: people.ada.name, serial: SERIAL } as const
  await issue({ db, school, now }, look, award)
}

type Contents = {
  readonly texts: LessonTexts
  readonly shown: DemoMedia['films'] | undefined
  readonly today: Date
}

const fillCourse = async (
  { db, school }: TransactionContext,
  tick: () => Date,
  plan: CoursePlan,
  { lecturers, ...contents }: Contents & { readonly lecturers: Lecturers },
): Promise<string> => {
  const id = await addCourse({ db, school, now: tick() }, plan.input)
  let primary: string | null = null
  for (const price of plan.prices) {
    const created = await addPrice({ db, schoolId: school.id, now: tick() }, { id, primary_price_id: primary }, price)
    primary ??= created.id
  }
  if (plan.outline !== undefined) {
    const { lessons } = await addOutline({ db, school, now: tick() }, id, plan.outline)
    for (const lesson of lessons) {
      const quiz = quizzes[lesson.name]
      if (quiz !== undefined) await addQuiz({ db, school, now: tick() }, { id: lesson.id, course_id: id }, quiz)
    }
  }
  await writeLessons({ db, school, now: tick() }, id, contents)
  if (plan.by !== undefined) await insertTeaching(db, school.id, id, lecturers[plan.by])
  if (plan.status !== 'draft') await courseStatus.store(db, school.id, id, { status: plan.status })
  return id
}

// The learners of each course, in the order of their enrollment.
const LEARNERS: Readonly<Partial<Record<keyof typeof courses, readonly [email: string, source: Source][]>>> = {
  firstLoaf: [
    ['ines@crumb.example', 'gift'],
    ['dev@crumb.example', 'free'],
    ['eli@crumb.example', 'free'],
    ['ada@crumb.example', 'staff'],
  ],
  sourdough: [
    ['dev@crumb.example', 'staff'],
    ['ada@crumb.example', 'staff'],
  ],
}

const fillLearners = async (
  { db, school }: TransactionContext,
  tick: () => Date,
  name: keyof typeof courses,
  courseId: string,
): Promise<void> => {
  for (const [email, source] of LEARNERS[name] ?? []) {
    const memberId = await findMemberId(db, school.id, email)
    if (memberId !== undefined) await enroll({ db, school, now: tick() }, { memberId, courseId, source })
  }
}

// In the tests' schools there is nowhere to store pictures.
const withShowcase = (media: DemoMedia | undefined, name: string, plan: CoursePlan): CoursePlan => {
  const showcase = shownCourses[name]
  if (media === undefined || showcase === undefined) return plan
  const { picture, input, outline = plan.outline } = showcase
  const image = picture === undefined ? {} : { image_file_id: media.pictures[picture] }
  const whole = { ...plan, input: { ...plan.input, ...input, ...image } }
  return outline === undefined ? whole : { ...whole, outline }
}

// In the demo for people its people enrolled some days ago.
const ENROLLED = 12 * DAY

const fillAll = async (context: TransactionContext, media: DemoMedia | undefined, contents: Contents) => {
  const tick = ticking(context.now)
  const filling = { ...contents, lecturers: await addLecturers(context, tick, media?.pictures) }
  const categoryIds = await fillCategories(context, tick)
  const templateId = await fillTemplates(context, tick)
  const ids = new Map<keyof typeof courses, string>()
  const fillPlan = async (name: keyof typeof courses): Promise<void> => {
    const plan = courses[name]
    const certified = name === 'sourdough' ? { certificate_template_id: templateId } : {}
    const input = { ...plan.input, ...certified, tags: [...plan.input.tags], category_ids: [categoryIds.Bread] }
    ids.set(name, await fillCourse(context, tick, withShowcase(media, name, { ...plan, input }), filling))
  }
  // Lists begin with the newest, which for people are those that they look at first.
  const newest: readonly (keyof typeof courses)[] = media === undefined ? [] : ['firstLoaf', 'sourdough']
  for (const name of Object.keys(courses) as (keyof typeof courses)[]) if (!newest.includes(name)) await fillPlan(name)
  for (const { picture, category, input, ...plan } of media === undefined ? [] : addedCourses) {
    const whole = { ...input, category_ids: [categoryIds[category]], image_file_id: media?.pictures[picture] ?? null }
    await fillCourse(context, tick, { ...plan, input: whole, status: 'published' }, filling)
  }
  for (const name of newest) await fillPlan(name)
  return ids
}

/** Fills a school without courses with the demo courses, their categories and lecturers; with media, also with more courses. */
export const createDemoCourses = async (database: Database, schoolId: string, media?: DemoMedia): Promise<boolean> => {
  const texts = await readLessonTexts()
  return database.transaction(schoolId, async (db, now) => {
    if (await hasRows(db, schoolId, 'courses')) return false
    const today = { db, school: await getSchool(db, schoolId), now }
    const ago = (minutes: number) => (media === undefined ? today : backdate(today, minutes))
    const ids = await fillAll(await ago(MADE), media, { texts, shown: media?.films, today: now })
    const enrolled = await ago(ENROLLED)
    const tick = ticking(enrolled.now)
    for (const [name, courseId] of ids) await fillLearners(enrolled, tick, name, courseId)
    const sourdough = ids.get('sourdough')
    if (sourdough !== undefined) await awardAda({ ...enrolled, now: tick() }, sourdough)
    return true
  })
}
