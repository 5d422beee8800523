import type { NewCourseInput, RequestedSection } from '#src/areas/courses/index.ts'
import type { PriceInput } from '#src/contract/price.ts'
import type { DemoPictures } from '../files/pictures.ts'

/** What a course of the demo has beyond that of the tests: a picture and texts for people who look at the site. */
type ShownCourse = {
  readonly picture: keyof DemoPictures
  readonly input: Partial<NewCourseInput>
  readonly outline?: readonly RequestedSection[]
}

/** What the courses of the tests show on the site. */
export const shownCourses: Readonly<Record<string, ShownCourse>> = {
  sourdough: {
    picture: 'sourdough',
    input: {
      subtitle: 'Raise a starter from flour and water, and bake a loaf with an open crumb.',
      description: `Good sourdough needs four ingredients: flour, water, salt and time. This course takes you from an empty jar to a loaf with a thin crust and an open crumb, in an ordinary kitchen and an ordinary oven.

You begin with a starter of your own, learn to read it by its smell and height, and bake your first loaf in the second week. Carla looks at the work that you hand in and tells you what to change.

- **For beginners.** You need a bowl, a scale and a pot with a lid.
- **At your own pace.** About an hour of work a week; the dough does the rest.
- **With answers.** Every assignment is read by a baker.`,
    },
  },
  firstLoaf: {
    picture: 'first-loaf',
    input: {
      subtitle: 'A soft white loaf in one afternoon, with dry yeast and no kneading.',
      description:
        'If you have never baked bread, begin here. You stir a dough together, wait while it rises, and take a loaf out of the oven before dinner.',
    },
    outline: [
      {
        name: 'An afternoon',
        lessons: [
          { name: 'Weigh and stir', type: 'text', status: 'published', preview: true, duration_seconds: 600 },
          { name: 'Let it rise', type: 'text', status: 'published', duration_seconds: 300 },
          { name: 'Shape and bake', type: 'text', status: 'published', duration_seconds: 900 },
        ],
      },
    ],
  },
}

/** A course that only the site of the demo has. */
type AddedCourse = ShownCourse & {
  readonly input: NewCourseInput
  readonly prices: readonly PriceInput[]
  readonly outline: readonly RequestedSection[]
  readonly category: 'Bread' | 'Sweet things'
}

/** More published courses, so that the site has something to choose from. */
export const addedCourses: readonly AddedCourse[] = [
  {
    picture: 'starter',
    category: 'Bread',
    input: {
      name: 'Keep your starter alive',
      subtitle: 'Feed it, rest it, wake it up again: a short course for busy people.',
      description: 'A starter can wait in the cold for weeks, if you know how to put it to sleep and how to wake it.',
      tags: ['sourdough'],
    },
    prices: [{ payment_type: 'one_time', amount: 1900, access: { days: 180 } }],
    outline: [
      {
        name: 'Every week',
        lessons: [
          { name: 'What it eats', type: 'text', status: 'published', preview: true, duration_seconds: 420 },
          { name: 'A week in the cold', type: 'text', status: 'published', duration_seconds: 540 },
          { name: 'Waking it up', type: 'video', status: 'published', duration_seconds: 780 },
        ],
      },
    ],
  },
  {
    picture: 'baguettes',
    category: 'Bread',
    input: {
      name: 'Baguettes at home',
      subtitle: 'A crisp crust, an airy crumb and cuts that open.',
      description: 'Long fermentation, gentle shaping and a lot of steam: what a bakery does, adapted to a home oven.',
      tags: ['yeast'],
    },
    prices: [{ payment_type: 'one_time', amount: 3900, enrollment_cap: 20 }],
    outline: [
      {
        name: 'The dough',
        lessons: [
          { name: 'A poolish overnight', type: 'text', status: 'published', preview: true, duration_seconds: 480 },
          { name: 'Folds instead of kneading', type: 'video', status: 'published', duration_seconds: 660 },
        ],
      },
      {
        name: 'Shape, cut, bake',
        lessons: [
          { name: 'Rolling without force', type: 'video', status: 'published', duration_seconds: 900 },
          { name: 'Five cuts', type: 'video', status: 'published', duration_seconds: 540 },
          { name: 'Your own baguette', type: 'assignment', status: 'published' },
        ],
      },
    ],
  },
  {
    picture: 'croissants',
    category: 'Sweet things',
    input: {
      name: 'Croissants, layer by layer',
      subtitle: 'Butter, patience and twenty-seven layers.',
      description: 'Lamination looks like magic and is mostly temperature. Two days of work, most of it waiting.',
      tags: ['pastry'],
    },
    prices: [
      { payment_type: 'one_time', amount: 5900 },
      { payment_type: 'payment_plan', amount: 2100, interval: 'month', number_of_payments: 3 },
    ],
    outline: [
      {
        name: 'Dough and butter',
        lessons: [
          { name: 'Cold hands', type: 'text', status: 'published', preview: true, duration_seconds: 360 },
          { name: 'The butter block', type: 'video', status: 'published', duration_seconds: 720 },
          { name: 'Three turns', type: 'video', status: 'published', duration_seconds: 1080 },
        ],
      },
      {
        name: 'Rolled and baked',
        lessons: [
          { name: 'Triangles', type: 'video', status: 'published', duration_seconds: 600 },
          { name: 'When they are ready', type: 'text', status: 'published', duration_seconds: 300 },
        ],
      },
    ],
  },
]
