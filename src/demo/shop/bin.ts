import { addCourse, binCourse } from '#src/areas/courses/index.ts'
import { addPage, addPost, binPage, binPost, preparedBlocks, renderedPost } from '#src/areas/publishing/index.ts'
import { addProduct, binProduct } from '#src/areas/shop/index.ts'
import type { Database } from '#src/contract/db.ts'
import { getSchool } from '#src/db/schools.ts'
import { people } from '../people/people.ts'
import { findMemberId } from '../queries.ts'

/** Puts into the bin what the school no longer needs: a course, a product, a page and a post, in this order. */
export const fillDemoBin = async (database: Database, schoolId: string): Promise<void> => {
  const body = renderedPost({ body: 'The oven is being repaired; we bake again tomorrow.', body_format: 'markdown' })
  await database.transaction(schoolId, async (db, now) => {
    const ada = await findMemberId(db, schoolId, people.ada.email)
    if (ada === undefined) return
    const place = { db, school: await getSchool(db, schoolId), now }
    const course = { name: 'Bread for one evening' }
    await binCourse(place, { ...course, id: await addCourse(place, course) }, ada)
    const product = { name: 'Flyer for the market' }
    await binProduct(place, { ...product, id: await addProduct(place, product) }, ada)
    const page = { input: { title: 'Advent market', path: '/advent' }, prepared: preparedBlocks([]) }
    await binPage(place, { title: page.input.title, redirects: [], id: await addPage(place, page) }, ada)
    const post = { input: { title: 'Closed this afternoon' }, body, authorId: ada }
    await binPost(place, { title: post.input.title, id: await addPost(place, post) }, ada)
  })
}
