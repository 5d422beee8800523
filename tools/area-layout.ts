import { rooms } from './check-imports.ts'
import { only } from './source.ts'
import type { Source } from './statements.ts'
import { each, type Violation, whole } from './violations.ts'

/** The files a room may hold, bare or for one of its resources (`tickets.queries.ts` or `tickets/queries.ts`). */
const furniture = ['index', 'schema', 'operations', 'rules', 'queries', 'actions', 'questions', 'text']

/** Words that name no thing of a school: no file, folder or declaration may end in one. */
const emptyName = /^(?:services?|managers?|helpers?|utils?|dtos?|repositor(?:y|ies)|common|misc)$/i

/** SQL beside the migrations that is run again after each of them. */
const repeated = ['migrations/grants.sql']
const migrationName = /^migrations\/\d{4}(?:_[a-z0-9]+)+\.sql$/

/** Rooms that are not among the areas, have no door, hold strange files, or have operations and no test. */
export const roomFurniture = (paths: string[]): Violation[] => {
  const inAreas = paths.filter(path => path.startsWith('src/areas/'))
  const names = [...new Set(inAreas.map(path => path.split('/')[2] ?? ''))]
  return names.flatMap(name => {
    const folder = `src/areas/${name}`
    if (inAreas.includes(folder)) return whole(folder, 'src/areas holds rooms alone, and no files')
    if (!rooms.includes(name)) return whole(folder, `${name} is neither one of the twenty areas nor entitlements`)
    return oneRoom(
      folder,
      inAreas.filter(path => path.startsWith(`${folder}/`)),
    )
  })
}

/** A file or folder whose name ends in an empty word. */
export const emptyPath = (path: string): Violation[] => {
  const word = path
    .split(/[/.]/)
    .map(lastWord)
    .find(word => emptyName.test(word))
  return word ? whole(path, sayNothing(path, word)) : []
}

/** Declarations whose names end in an empty word. */
export const emptyDeclarations = ({ path, all }: Source): Violation[] => {
  const declared = /\b(?:class|interface|type|function|const|let)\s+(\w+)/g
  const isEmpty = ({ says }: Violation) => says !== ''
  return each(declared, only(['code'], all), path, ([, name = '']) => {
    return emptyName.test(lastWord(name)) ? sayNothing(name, lastWord(name)) : ''
  }).filter(isEmpty)
}

/** Migrations that are misnamed, or leave a gap in the numbers. */
export const migrationNames = (paths: string[]): Violation[] => {
  const misnamed = paths.filter(path => !migrationName.test(path) && !repeated.includes(path))
  const numbered = paths.filter(path => migrationName.test(path))
  return [
    ...misnamed.flatMap(path => whole(path, 'a migration is called NNNN_snake_case.sql')),
    ...numbered.flatMap((path, index) => {
      const due = String(index + 1).padStart(4, '0')
      return path.startsWith(`migrations/${due}_`) ? [] : whole(path, `here the number ${due} is due`)
    }),
  ]
}

const oneRoom = (folder: string, paths: string[]): Violation[] => {
  const files = paths.map(path => path.slice(folder.length + 1)).filter(file => file.endsWith('.ts'))
  const operates = files.some(file => /(?:^|[./])operations\.ts$/.test(file))
  const tested = files.some(file => file.endsWith('.test.ts'))
  const allowed = `${furniture.join(', ')}, each also per resource, and tests`
  return [
    ...(files.includes('index.ts') ? [] : whole(folder, 'a room has a door, and index.ts is missing')),
    ...(operates && !tested ? whole(folder, 'a room with operations has a test of them') : []),
    ...files.filter(isStrange).flatMap(file => whole(`${folder}/${file}`, `no furniture of a room: ${allowed}`)),
  ]
}

// One resource deep: a room whose resources have resources of their own is two rooms.
const isStrange = (file: string) => {
  const resource = '[a-z][a-z0-9_-]*'
  const test = new RegExp(`^(?:${resource}/)?(?:${resource}\\.)+test\\.ts$`)
  const bare = new RegExp(`^(?:${resource}[./])?(?:${furniture.join('|')})\\.ts$`)
  return !test.test(file) && !bare.test(file)
}

const lastWord = (name: string) => name.split(/[-_]|(?<=[a-z0-9])(?=[A-Z])/).at(-1) ?? name

const sayNothing = (name: string, word: string) => `call ${name} by the thing it is: "${word}" says nothing`
