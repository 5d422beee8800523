import type { NewCourseInput, RequestedSection } from '#src/areas/courses/index.ts'
import type { PriceInput } from '#src/contract/price.ts'
import type { DemoMedia } from '../files/media.ts'
import type { Lecturers } from './lecturers.ts'

type LessonPlan = RequestedSection['lessons'][number]

const minutes = (count: number): Pick<LessonPlan, 'status' | 'duration_seconds'> => ({
  status: 'published',
  duration_seconds: count * 60,
})

const text = (name: string, count: number): LessonPlan => ({ name, type: 'text', ...minutes(count) })

const preview = (name: string, count: number): LessonPlan => ({ ...text(name, count), preview: true })

const film = (name: string, count: number): LessonPlan => ({ name, type: 'video', ...minutes(count) })

const work = (name: string): LessonPlan => ({ name, type: 'assignment', status: 'published' })

const quiz = (name: string): LessonPlan => ({
  name,
  type: 'quiz',
  status: 'published',
  required_for_completion: false,
})

/** What a course of the demo has beyond that of the tests: a picture and texts for people who look at the site. */
type ShownCourse = {
  readonly picture?: keyof DemoMedia['pictures']
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
    outline: [
      {
        name: 'The starter',
        lessons: [
          preview('What lives in it', 5),
          { ...film('Feeding', 3), preview: true },
          { ...work('Your own starter'), preview: true },
          { ...quiz('What you know of starters'), preview: true },
        ],
      },
      {
        name: 'The loaf',
        lessons: [
          text('Mix and fold', 9),
          text('Shape and rest', 8),
          work('Your own loaf'),
          quiz('What you know of loaves'),
          { name: 'Folding', type: 'video', status: 'draft' },
        ],
      },
      {
        name: 'The oven',
        lessons: [
          text('Heat and steam', 4),
          text('Reading the crumb', 6),
          { name: 'Bake with Carla', type: 'live', status: 'published', required_for_completion: false },
        ],
      },
      { name: 'Extras', lessons: [{ name: 'Crackers of discard', type: 'text', status: 'draft' }] },
    ],
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
        lessons: [preview('Weigh and stir', 10), text('Let it rise', 5), text('Shape and bake', 15)],
      },
    ],
  },
  rye: {
    input: {},
    outline: [
      {
        name: 'Three days',
        lessons: [text('Wake the sour', 6), text('Scald and soak', 5), text('Three days, one loaf', 4)],
      },
    ],
  },
  stollen: {
    input: {},
    outline: [{ name: 'In November', lessons: [text('Fruit overnight', 4), text('Fold it like a blanket', 7)] }],
  },
  noOven: {
    picture: 'pan',
    input: {
      description: 'Three breads for a stove and a pan: for students, campers, and whoever waits for a kitchen.',
    },
    outline: [
      {
        name: 'On the stove',
        lessons: [preview('Flatbread in ten minutes', 5), text('Muffins from the pan', 8), text('Steamed buns', 6)],
      },
    ],
  },
}

/** A course that only the site of the demo has. */
type AddedCourse = Required<ShownCourse> & {
  readonly input: NewCourseInput
  readonly prices: readonly PriceInput[]
  readonly category: 'Bread' | 'Sweet things'
  readonly by: keyof Lecturers
}

/** More published courses, so that the site has something to choose from; lists begin with the last. */
export const addedCourses: readonly AddedCourse[] = [
  {
    picture: 'broa',
    by: 'carla',
    category: 'Bread',
    input: {
      name: 'Broa de milho',
      subtitle: 'O pão do Minho, com milho, centeio e uma côdea que estala.',
      description:
        'Um curso em português. Em quatro lições fazes uma broa como a das nossas avós, num forno de casa: escaldar, amassar, tender na tigela e ter paciência até ao dia seguinte.',
      tags: ['milho', 'português'],
    },
    prices: [{ payment_type: 'one_time', amount: 2400 }],
    outline: [
      {
        name: 'A massa',
        lessons: [preview('O que é uma broa', 5), text('Escaldar a farinha', 6), text('Amassar e levedar', 8)],
      },
      { name: 'O forno', lessons: [text('Cozer no forno de casa', 7), quiz('O que já sabes da broa')] },
    ],
  },
  {
    picture: 'starter',
    by: 'carla',
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
        lessons: [preview('What it eats', 7), text('A week in the cold', 9), text('Waking it up', 6)],
      },
    ],
  },
  {
    picture: 'baguettes',
    by: 'carla',
    category: 'Bread',
    input: {
      name: 'Baguettes at home',
      subtitle: 'A crisp crust, an airy crumb and cuts that open.',
      description: 'Long fermentation, gentle shaping and a lot of steam: what a bakery does, adapted to a home oven.',
      tags: ['yeast'],
    },
    prices: [{ payment_type: 'one_time', amount: 3900, enrollment_cap: 60 }],
    outline: [
      { name: 'The dough', lessons: [preview('A poolish overnight', 8), text('Folds instead of kneading', 6)] },
      {
        name: 'Shape, cut, bake',
        lessons: [text('Rolling without force', 7), film('Five cuts', 3), work('Your own baguette')],
      },
    ],
  },
  {
    picture: 'croissants',
    by: 'gil',
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
        lessons: [preview('Cold hands', 6), text('The butter block', 8), film('Three turns', 3)],
      },
      {
        name: 'Rolled and baked',
        lessons: [text('Triangles', 6), text('When they are ready', 5), quiz('Butter and layers')],
      },
    ],
  },
]
