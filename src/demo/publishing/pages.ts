import { addPage, countPages, type NewPage, preparedBlocks, publishAddedPage } from '#src/areas/publishing/index.ts'
import type { Database } from '#src/contract/db.ts'
import { getSchool } from '#src/db/schools.ts'

const about: NewPage['input'] = {
  title: 'About us',
  path: '/about',
  nav_label: 'About',
  seo: { title: null, description: 'Who bakes and teaches at Crumb & Crust, and how to find us.' },
  blocks: [
    {
      type: 'text',
      body: 'We have baked bread in Lisbon since 1998, and taught others to do it since 2011. **Everything we teach works in a kitchen at home**: no special oven, no machine, and no flour that only a bakery can buy.',
    },
    {
      type: 'columns',
      columns: [
        { body: '### Small steps\n\nEach lesson is one thing that you can try the same evening.' },
        { body: '### Real people\n\nYou send a picture of your loaf, and a baker answers.' },
        { body: '### At your pace\n\nA course stays open for you, so a week without baking is no problem.' },
      ],
    },
    {
      type: 'quote',
      quote: 'I had given up on sourdough twice. Now I bake every Saturday.',
      author: 'Sofia',
      about: 'Porto',
    },
    { type: 'lecturers', title: 'Who teaches here' },
    {
      type: 'faq',
      title: 'Questions that people ask',
      items: [
        {
          question: 'Do I need a starter?',
          answer: 'No. The first lesson of the course makes one, which takes a week.',
        },
        { question: 'Can I visit the bakery?', answer: 'Yes: Rua do Forno 12, from seven, except on Mondays.' },
      ],
    },
    { type: 'button', label: 'See all courses', href: '/courses' },
  ],
}

const welcome: NewPage['input'] = {
  title: 'Bread that you bake yourself',
  path: '/welcome',
  blocks: [
    { type: 'text', body: 'Courses from a bakery in Lisbon, for kitchens at home. Begin with flour, water and salt.' },
    { type: 'button', label: 'Choose a course', href: '/courses' },
    { type: 'button', label: 'Who we are', href: '/about', style: 'plain' },
    { type: 'courses', title: 'New this season', limit: 3 },
    {
      type: 'columns',
      columns: [
        { body: '### Begin tonight\n\nFlour, water, salt and a bowl are enough for the first lesson.' },
        { body: '### Ask a baker\n\nYou send a picture of your loaf, and Carla tells you what to change.' },
        { body: '### Keep it\n\nWhat you bought stays yours. Come back to it whenever you bake.' },
      ],
    },
    { type: 'events', title: 'Bake with us', limit: 3 },
    { type: 'reviews', title: 'What learners say', limit: 2 },
    { type: 'plans', title: 'Everything for one price', limit: 3 },
    { type: 'products', title: 'To download and print', limit: 3 },
  ],
}

// Beside the texts and buttons with which the home page begins; there are more courses where there are pictures.
const withPicture = (page: NewPage['input'], fileId: string): NewPage['input'] => {
  const [text, choose, about, ...rest] = page.blocks ?? []
  const begin = [text, choose, about].filter(block => block !== undefined)
  const alt = 'A loaf on a board, with a jar of starter and wheat'
  const others = rest.map(block => (block.type === 'courses' ? { ...block, limit: 6 } : block))
  return { ...page, blocks: [...begin, { type: 'image', file_id: fileId, alt }, ...others] }
}

const summer: NewPage['input'] = {
  title: 'Summer classes',
  path: '/summer-classes',
  blocks: [{ type: 'text', body: 'Three evenings in July. We write here when you can enroll.' }],
}

/**
 * Adds a page about the school, one with its courses, and a draft, to a school without pages; `isShown` makes the second one
 * the home page, with the picture `imageId` beside its title.
 */
export const createDemoPages = async (
  database: Database,
  schoolId: string,
  { isShown, imageId }: { readonly isShown: boolean; readonly imageId: string | undefined },
): Promise<void> => {
  const home = imageId === undefined ? welcome : withPicture(welcome, imageId)
  const prepared = [about, home, summer].map(input => ({ input, prepared: preparedBlocks(input.blocks ?? []) }))
  await database.transaction(schoolId, async (db, now) => {
    if ((await countPages(db, schoolId)) > 0) return
    const place = { db, school: await getSchool(db, schoolId), now }
    for (const page of prepared) {
      const id = await addPage(place, page)
      if (page.input !== summer) await publishAddedPage(place, id, { isHome: isShown && page.input === home })
    }
  })
}
