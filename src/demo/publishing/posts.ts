import { readFile } from 'node:fs/promises'
import { addPost, addPostCategory, type NewPost, postStatus, renderedPost } from '#src/areas/publishing/index.ts'
import type { Database } from '#src/contract/db.ts'
import { getSchool } from '#src/db/schools.ts'
import { backdate, DAY } from '../clock.ts'
import type { DemoMedia } from '../files/media.ts'
import { people } from '../people/people.ts'
import { findMemberId, hasRows } from '../queries.ts'
import { parseSections } from '../texts.ts'

type PostPlan = {
  readonly input: NewPost['input']
  readonly category?: 'news' | 'counter'
  readonly isPublished?: true
  readonly cover?: 'oven' | 'flour' | 'jars' | 'bowls' | 'letters' | 'toast' | 'tin'
  /** How long ago it was written in the demo for people, in days. */
  readonly days?: number
}

const plans: readonly PostPlan[] = [
  {
    category: 'news',
    isPublished: true,
    cover: 'oven',
    days: 12,
    input: {
      title: 'The oven is mended',
      subtitle: 'Bread again from Thursday',
      access: 'members',
      excerpt: 'Three days without an oven, and what we did with the dough.',
      tags: ['bakery'],
    },
  },
  {
    category: 'counter',
    isPublished: true,
    cover: 'flour',
    days: 8,
    input: {
      title: 'Notes on hydration',
      subtitle: 'What the numbers leave out',
      access: 'paid',
      tags: ['flour', 'water'],
    },
  },
  {
    category: 'counter',
    isPublished: true,
    cover: 'jars',
    days: 4,
    input: {
      title: 'Why your starter sulks',
      subtitle: 'It is seldom the flour',
      featured: true,
      tags: ['sourdough', 'starter'],
    },
  },
  { input: { title: 'A winter of rye', tags: ['rye'], body: 'Five loaves for short days.' } },
  { input: { title: 'Bread in a pot', body: 'No stone, no steam, no trouble.' } },
  { input: { title: 'Notes for spring', body: 'Wild garlic, perhaps.' } },
]

// The demo for people has more of them, from the time before.
const earlierPlans: readonly PostPlan[] = [
  {
    category: 'counter',
    isPublished: true,
    cover: 'bowls',
    days: 74,
    input: {
      title: 'Which flour for what',
      subtitle: 'A table for three countries',
      excerpt: 'The names on the bags differ from country to country. One number does not.',
      tags: ['flour'],
    },
  },
  {
    category: 'counter',
    isPublished: true,
    cover: 'toast',
    days: 51,
    input: {
      title: 'Pão de véspera',
      subtitle: 'O que fazer ao pão que sobra',
      excerpt: 'Torradas, açorda e migas, e ao quinto dia a próxima broa.',
      tags: ['português'],
    },
  },
  {
    category: 'news',
    isPublished: true,
    cover: 'letters',
    days: 33,
    input: {
      title: 'What our learners baked',
      subtitle: 'Sixty-one letters',
      excerpt: 'A starter called Fernando, four flat loaves, and bread at 2,200 metres.',
      tags: ['bakery'],
    },
  },
  {
    category: 'counter',
    isPublished: true,
    cover: 'tin',
    days: 16,
    input: {
      title: 'A loaf for a week',
      subtitle: 'Acid, rye and a scald',
      excerpt: 'Bread that is good on Monday is easy. How to bake one that is still good on Saturday.',
      tags: ['sourdough', 'rye'],
    },
  },
]

// The schools of the tests have the beginning of a long post: it is in many examples of the documentation.
const REST = '<!--rest-->\n\n'

const renderPlans = async (plans: readonly PostPlan[], isWhole: boolean) => {
  const bodies = new Map(parseSections(await readFile(new URL('./posts.md', import.meta.url), 'utf8')))
  return plans.map(plan => {
    const [begin = '', rest = ''] = (plan.input.body ?? bodies.get(plan.input.title) ?? '').split(REST)
    const body = isWhole ? begin + rest : begin.trimEnd()
    return { ...plan, body: renderedPost({ body, body_format: 'markdown' }) }
  })
}

/**
 * Adds categories and posts to a school without posts: three are published, of which one is for members and one is paid; with
 * pictures also some from the weeks before.
 */
export const createDemoPosts = async (
  database: Database,
  schoolId: string,
  pictures?: DemoMedia['pictures'],
): Promise<void> => {
  const rendered = await renderPlans(
    [...(pictures === undefined ? [] : earlierPlans), ...plans],
    pictures !== undefined,
  )
  await database.transaction(schoolId, async (db, now) => {
    if (await hasRows(db, schoolId, 'posts')) return
    const place = { db, school: await getSchool(db, schoolId), now }
    const news = await addPostCategory(place, { name: 'News', description: 'What happens at the bakery.' })
    const counter = await addPostCategory(place, { name: 'Behind the counter' })
    const categories = { news: news.id, counter: counter.id }
    const authorId = await findMemberId(db, schoolId, people.carla.email)
    for (const { input, body, category, isPublished, cover, days = 0 } of rendered) {
      const then = pictures === undefined ? place : await backdate(place, days * DAY)
      const image = cover === undefined || pictures === undefined ? {} : { cover_file_id: pictures[cover] }
      const category_ids = category === undefined ? [] : [categories[category]]
      const id = await addPost(then, { input: { ...input, ...image, category_ids }, body, authorId })
      if (isPublished) await postStatus.store(then.db, schoolId, id, { status: 'published' })
    }
  })
}
