import type { Database } from '#src/contract/db.ts'
import { getSchool } from '#src/db/schools.ts'
import { backdate, DAY } from '../clock.ts'
import { publishReview } from '../courses/reviews.ts'
import { learners } from '../people/learners.ts'
import { listEnrollments } from './queries.ts'

type Review = { readonly slug: string; readonly language?: string; readonly rating: number; readonly body: string }

const SOURDOUGH = 'sourdough-from-scratch'

// Each is by the first learner of the course who writes this language and has not reviewed it.
const REVIEWS: readonly Review[] = [
  {
    slug: SOURDOUGH,
    language: 'pt',
    rating: 5,
    body: 'A Carla respondeu a todas as fotografias. Ao terceiro pão já não tive de perguntar nada.',
  },
  {
    slug: SOURDOUGH,
    language: 'fr',
    rating: 5,
    body: 'Enfin un cours qui explique pourquoi, et pas seulement combien. La mie de mon deuxième pain était parfaite.',
  },
  {
    slug: SOURDOUGH,
    language: 'de',
    rating: 4,
    body: 'Sehr klar, ohne Geheimnisse. Ein weiteres Video zum Formen hätte ich mir gewünscht.',
  },
  {
    slug: SOURDOUGH,
    rating: 5,
    body: 'Four failed loaves before this course, none since. The table of crumbs is on my fridge.',
  },
  {
    slug: SOURDOUGH,
    language: 'es',
    rating: 4,
    body: 'Muy bien explicado. Horneé mi primer pan en una olla, y mi madre me pidió la receta.',
  },
  {
    slug: 'first-loaf',
    rating: 5,
    body: 'Three hours of waiting, ten minutes of work, and a whole loaf gone before dinner.',
  },
  {
    slug: 'keep-your-starter-alive',
    rating: 4,
    body: 'Short and useful. My starter has survived two holidays by now.',
  },
  {
    slug: 'croissants-layer-by-layer',
    language: 'uk',
    rating: 5,
    body: 'Дуже докладно й зрозуміло. Двадцять сім шарів справді видно!',
  },
  {
    slug: 'croissants-layer-by-layer',
    rating: 4,
    body: 'The butter came through twice. The third time I waited, as you say, and it worked.',
  },
  { slug: 'baguettes-at-home', rating: 5, body: 'The film about the five cuts is worth the price alone.' },
  {
    slug: 'baguettes-at-home',
    language: 'pt',
    rating: 4,
    body: 'Já não compro baguetes. Só o enrolar me custou três fornadas.',
  },
  { slug: 'baguettes-at-home', rating: 5, body: 'I never thought that 0.3 g of yeast would do. It does.' },
  {
    slug: SOURDOUGH,
    language: 'pt',
    rating: 5,
    body: 'Explica o porquê de cada passo. Agora percebo o que a massa me diz.',
  },
  { slug: SOURDOUGH, rating: 5, body: 'Carla found out from one photo that my oven is 20 degrees too cold.' },
  { slug: SOURDOUGH, rating: 4, body: 'Plan for two weeks, not for one. Then it is the best thing on the table.' },
  { slug: SOURDOUGH, rating: 3, body: 'Good lessons. In my cold kitchen everything took twice as long as written.' },
  { slug: 'first-loaf', rating: 5, body: 'My son is nine and did it alone, apart from the hot pot.' },
  { slug: 'first-loaf', rating: 4, body: 'A good loaf, and it is free. I would add a little more salt.' },
  { slug: 'croissants-layer-by-layer', rating: 5, body: 'Two days of work, and four people silent at breakfast.' },
  {
    slug: 'keep-your-starter-alive',
    rating: 5,
    body: 'Three weeks in the fridge, two feedings, and a loaf on Sunday.',
  },
  {
    slug: 'broa-de-milho',
    language: 'pt',
    rating: 5,
    body: 'Igual à da minha avó, e eu julgava que era preciso um forno de lenha.',
  },
]

/** Publishes what learners of the demo say of their courses, some days after they enrolled. */
export const createLearnerReviews = (database: Database, schoolId: string): Promise<void> =>
  database.transaction(schoolId, async (db, now) => {
    const context = { db, school: await getSchool(db, schoolId), now }
    const locales = new Map(learners.map(({ email, locale }) => [email, locale]))
    const open = new Set(await listEnrollments(db, schoolId, [...locales.keys()]))
    for (const { slug, language = '', ...review } of REVIEWS) {
      const found = [...open].find(
        one => one.slug === slug && (locales.get(one.email) ?? '').startsWith(language) && one.minutes > 8 * DAY,
      )
      if (found === undefined) continue
      open.delete(found)
      const then = await backdate(context, Math.round(found.minutes / 3))
      const author = { courseId: found.course_id, memberId: found.member_id }
      await publishReview(then, author, { ...review, title: null })
    }
  })
