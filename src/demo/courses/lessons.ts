import { readFile } from 'node:fs/promises'
import { addContent, type LessonRow, listLessons } from '#src/areas/courses/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import { dayAt, daysAfter } from '#src/kit/local-time.ts'
import type { DemoMedia, FilmName } from '../files/media.ts'
import { parseSections } from '../texts.ts'

const FILES = ['sourdough', 'first-loaf', 'pan', 'rye', 'stollen', 'starter', 'baguettes', 'croissants', 'broa']

const ZONE = 'Europe/Lisbon'

const films: Readonly<Record<string, FilmName>> = { Feeding: 'feeding', 'Five cuts': 'cuts', 'Three turns': 'turns' }

/** The texts of the lessons of the context, by the names of the lessons. */
export type LessonTexts = ReadonlyMap<string, string>

/** Reads the texts of the lessons of the context. */
export const readLessonTexts = async (): Promise<LessonTexts> => {
  const files = await Promise.all(FILES.map(name => readFile(new URL(`./texts/${name}.md`, import.meta.url), 'utf8')))
  return new Map(files.flatMap(parseSections))
}

// A live lesson is some days ahead, whenever the demo is made.
const buildParts = ({ type, name }: LessonRow, now: Date, shown: DemoMedia['films']) => {
  const film = films[name]
  if (type === 'video' && film !== undefined) return shown[film]
  if (type !== 'live') return {}
  const starts_at_local = `${daysAfter(dayAt(now, ZONE), 3)}T18:30`
  return { starts_at_local, time_zone: ZONE, meeting_url: 'https://meet.example/bake-with-carla' }
}

/** Writes the contents of the lessons of a demo course; without films also no dates, which are some days after `today`. */
export const writeLessons = async (
  context: TransactionContext,
  courseId: string,
  {
    texts,
    shown,
    today,
  }: { readonly texts: LessonTexts; readonly shown: DemoMedia['films'] | undefined; readonly today: Date },
): Promise<void> => {
  for (const lesson of await listLessons(context.db, context.school.id, courseId)) {
    const body = texts.get(lesson.name)
    const parts = shown === undefined ? {} : buildParts(lesson, today, shown)
    if (body !== undefined) await addContent(context, lesson.id, { body, ...parts })
  }
}
