import { addPost, addPostCategory, type NewPost, postStatus, renderedPost } from '#src/areas/publishing/index.ts'
import type { Database } from '#src/contract/db.ts'
import { getSchool } from '#src/db/schools.ts'
import { people } from '../people/people.ts'
import { findMemberId, hasRows } from '../queries.ts'

type PostPlan = {
  readonly input: NewPost['input'] & { readonly body: string }
  readonly category?: 'news' | 'counter'
  readonly isPublished?: true
}

const plans: readonly PostPlan[] = [
  {
    category: 'news',
    isPublished: true,
    input: {
      title: 'The oven is mended',
      subtitle: 'Bread again from Thursday',
      access: 'members',
      excerpt: 'Three days without an oven, and what we did with the dough.',
      tags: ['bakery'],
      body: 'The new stones came on Tuesday. Until then we baked in pots, and some of us like it better.',
    },
  },
  {
    category: 'counter',
    isPublished: true,
    input: {
      title: 'Notes on hydration',
      subtitle: 'What the numbers leave out',
      access: 'paid',
      tags: ['flour', 'water'],
      body: 'A formula says 75 percent. Your flour may not agree.\n\n<!--more-->\n\nThis is the table that hangs above our mixer, with a column for each mill.',
    },
  },
  {
    category: 'counter',
    isPublished: true,
    input: {
      title: 'Why your starter sulks',
      subtitle: 'It is seldom the flour',
      featured: true,
      tags: ['sourdough', 'starter'],
      body: '## Warmth first\n\nMost starters that do not rise are cold. Put yours where you would put a cat.\n\n<!--more-->\n\n## Then patience\n\nFeed it once a day, and wait until it doubles **twice in a row**. See [the course](/courses/sourdough-from-scratch) for the whole week.',
    },
  },
  { input: { title: 'A winter of rye', tags: ['rye'], body: 'Five loaves for short days.' } },
  { input: { title: 'Bread in a pot', body: 'No stone, no steam, no trouble.' } },
  { input: { title: 'Notes for spring', body: 'Wild garlic, perhaps.' } },
]

/** Adds categories and posts to a school without posts: three are published, of which one is for members and one is paid. */
export const createDemoPosts = async (database: Database, schoolId: string): Promise<void> => {
  const rendered = plans.map(plan => ({
    ...plan,
    body: renderedPost({ body: plan.input.body, body_format: 'markdown' }),
  }))
  await database.transaction(schoolId, async (db, now) => {
    if (await hasRows(db, schoolId, 'posts')) return
    const place = { db, school: await getSchool(db, schoolId), now }
    const news = await addPostCategory(place, { name: 'News', description: 'What happens at the bakery.' })
    const counter = await addPostCategory(place, { name: 'Behind the counter' })
    const categories = { news: news.id, counter: counter.id }
    const authorId = await findMemberId(db, schoolId, people.carla.email)
    for (const { input, body, category, isPublished } of rendered) {
      const categoryIds = category === undefined ? [] : [categories[category]]
      const id = await addPost(place, { input: { ...input, category_ids: categoryIds }, body, authorId })
      if (isPublished) await postStatus.store(db, schoolId, id, { status: 'published' })
    }
  })
}
