import { extname } from 'node:path'
import { Failed, type Run, textOption, textOptions } from './command.ts'

// What browsers call these files, too.
const TYPES: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.tsv': 'text/plain',
  '.txt': 'text/plain',
  '.zip': 'application/zip',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** What the arguments of an import say. */
export type Plan = {
  readonly kind: 'people' | 'learning'
  readonly path: string
  /** The media type of the file. */
  readonly type: string
  /** The address of the member who imports. */
  readonly email: string
  /** What columns become, by their headings. */
  readonly columns: readonly (readonly [heading: string, field: string])[]
  readonly course: string | undefined
  readonly options: Readonly<Record<string, unknown>>
  readonly isRun: boolean
  readonly report: string | undefined
}

const splitPair = (option: string, text: string): readonly [name: string, value: string] => {
  const at = text.lastIndexOf('=')
  if (at < 1) throw new Failed(`--${option} "${text}" is not of the form NAME=VALUE`)
  return [text.slice(0, at), text.slice(at + 1)]
}

// The operation refuses what it does not allow.
const parseOption = (text: string): readonly [name: string, value: unknown] => {
  const [name, value] = splitPair('option', text)
  if (value === 'true' || value === 'false') return [name, value === 'true']
  return [name, name === 'tags' ? value.split(',').map(tag => tag.trim()) : value]
}

/** Reads the arguments of an import; a course makes people students. */
export const readPlan = (run: Run): Plan => {
  const [word, path, ...more] = run.positionals
  if ((word !== 'people' && word !== 'students') || path === undefined || more.length > 0)
    throw new Failed(`usage: ${run.usage}`)
  const type = TYPES[extname(path).toLowerCase()]
  if (type === undefined) throw new Failed(`${path} is none of ${Object.keys(TYPES).join(', ')}`)
  const email = textOption(run, 'as')
  if (email === undefined) throw new Failed('name with --as EMAIL the member of the staff who imports')
  const course = textOption(run, 'course')
  return {
    kind: word === 'students' || course !== undefined ? 'learning' : 'people',
    path,
    type,
    email,
    columns: textOptions(run, 'map').map(text => splitPair('map', text)),
    course,
    options: Object.fromEntries(textOptions(run, 'option').map(parseOption)),
    isRun: run.options.run === true,
    report: textOption(run, 'report'),
  }
}
