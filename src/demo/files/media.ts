import { readFile } from 'node:fs/promises'
import { addFile } from '#src/areas/files/index.ts'
import type { Database } from '#src/contract/db.ts'
import type { Files } from '#src/contract/store.ts'
import { getSchool } from '#src/db/schools.ts'

// Drawn by tools/demo-pictures.ts, each for its purpose.
const PICTURES = {
  sourdough: 'course',
  'first-loaf': 'course',
  starter: 'course',
  baguettes: 'course',
  croissants: 'course',
  pan: 'course',
  broa: 'course',
  logo: 'appearance',
  kitchen: 'page',
  workbook: 'product',
  calendar: 'product',
  club: 'plan',
  basics: 'plan',
  table: 'event',
  slices: 'event',
  night: 'event',
  oven: 'post',
  flour: 'post',
  jars: 'post',
  bowls: 'post',
  letters: 'post',
  toast: 'post',
  tin: 'post',
  carla: 'avatar',
  gil: 'avatar',
} as const

// Drawn by tools/demo-films.ts.
const FILMS = ['feeding', 'turns', 'cuts'] as const

const LANGUAGES = [
  { language: 'en', label: 'English' },
  { language: 'pt', label: 'Português' },
] as const

type PictureName = keyof typeof PICTURES

/** The name of a film. */
export type FilmName = (typeof FILMS)[number]

type Film = {
  readonly file_id: string
  readonly captions: readonly { readonly language: string; readonly label: string; readonly file_id: string }[]
}

/** The pictures of the demo, and the films of its lessons with their captions, as ids of rows. */
export type DemoMedia = {
  readonly pictures: Readonly<Record<PictureName, string>>
  readonly films: Readonly<Record<FilmName, Film>>
}

type Purpose = (typeof PICTURES)[PictureName]

/** Stores the pictures and films of the demo as files of its owner. */
export const addDemoMedia = async (
  database: Database,
  schoolId: string,
  { files, ownerId: memberId }: { readonly files: Files; readonly ownerId: string },
): Promise<DemoMedia> => {
  const school = await getSchool(database.shared, schoolId)
  const add = async (path: string, contentType: string, purpose: Purpose): Promise<string> => {
    const bytes = await readFile(new URL(path, import.meta.url))
    const filename = path.slice(path.lastIndexOf('/') + 1)
    return addFile({ database, school, files }, { memberId, purpose, filename, contentType, bytes })
  }
  const addFilm = async (name: FilmName): Promise<Film> => {
    const [file_id, ...captions] = await Promise.all([
      add(`./films/${name}.mp4`, 'video/mp4', 'course'),
      ...LANGUAGES.map(({ language }) => add(`./films/${name}.${language}.vtt`, 'text/vtt', 'course')),
    ])
    return { file_id, captions: LANGUAGES.map((one, index) => ({ ...one, file_id: captions[index] ?? '' })) }
  }
  // Together, since looking into a picture takes longer than the statements about it.
  const [pictures, films] = await Promise.all([
    Promise.all(
      Object.entries(PICTURES).map(
        async ([name, purpose]) => [name, await add(`./pictures/${name}.webp`, 'image/webp', purpose)] as const,
      ),
    ),
    Promise.all(FILMS.map(async name => [name, await addFilm(name)] as const)),
  ])
  return { pictures: Object.fromEntries(pictures), films: Object.fromEntries(films) } as DemoMedia
}
