import { posix } from 'node:path'
import { findDomain } from './check-imports.ts'
import { only } from './source.ts'
import type { Source } from './statements.ts'
import { fileViolation, lineCount, matchViolations, type Violation } from './violations.ts'

/** The files that an area may have, alone or for one of its resources (`quotas.queries.ts`, `quotas/queries.ts` or `quotas/account.queries.ts`). */
const fileNames = [
  'index',
  'schema',
  'operations',
  'access',
  'rules',
  'queries',
  'views',
  'writes',
  'lookups',
  'conditions',
  'hooks',
  'implementations',
  'subscribers',
  'jobs',
  'sweeps',
  'mails',
  'metrics',
  'text',
  'constraints',
]

const DOMAIN_FILES = ['index.ts', 'README.md']

/** Words that say nothing about the content: no file, folder or declaration may end in one. */
const vagueWord = /^(?:services?|managers?|helpers?|utils?|dtos?|repositor(?:y|ies)|common|misc)$/i

/** How many lines an area has. */
type AreaSize = { readonly name: string; readonly lines: number; readonly linesWithTests: number }

/** Areas that are not in the list or have no entry point, domains without theirs, files of other names, or no tests. */
export const areaLayout = (paths: string[]): Violation[] => {
  const inAreas = paths.filter(path => path.startsWith('src/areas/')).map(path => path.split('/').slice(2))
  return [...Map.groupBy(inAreas, ([domain = '']) => domain)].flatMap(([domain, all]) => {
    const folder = `src/areas/${domain}`
    if (all.some(path => path.length === 1))
      return fileViolation(folder, 'src/areas may contain only folders, one for each domain')
    return layoutOfDomain(
      folder,
      all.map(path => path.slice(1)),
    )
  })
}

const layoutOfDomain = (folder: string, all: readonly (readonly string[])[]): Violation[] => {
  const own = all.filter(path => path.length === 1).map(([file = '']) => file)
  const areasOfDomain = Map.groupBy(
    all.filter(path => path.length > 1),
    ([area = '']) => area,
  )
  return [
    ...DOMAIN_FILES.filter(file => !own.includes(file)).flatMap(file =>
      fileViolation(folder, `a domain needs ${file}: its entry point, and what belongs to it`),
    ),
    ...own
      .filter(file => !DOMAIN_FILES.includes(file))
      .flatMap(file =>
        fileViolation(posix.join(folder, file), `a domain has only ${DOMAIN_FILES.join(', ')} and areas`),
      ),
    ...[...areasOfDomain].flatMap(([name, files]) => {
      const area = `${folder}/${name}`
      if (findDomain(name) !== posix.basename(folder))
        return fileViolation(area, `${name} is not in the list of ${posix.basename(folder)} in tools/check-imports.ts`)
      return checkLayout(
        area,
        files.map(path => path.slice(1).join('/')),
      )
    }),
  ]
}

/** The sizes of the areas, the largest first. */
export const areaSizes = (sources: readonly Source[]): AreaSize[] => {
  const sizes = new Map<string, AreaSize>()
  for (const { path, text } of sources) {
    if (!/^src\/areas\/[^/]+\/[^/]+\//.test(path)) continue
    const name = path.split('/')[3] ?? ''
    const { lines, linesWithTests } = sizes.get(name) ?? { lines: 0, linesWithTests: 0 }
    const count = lineCount(text)
    sizes.set(name, { name, lines: lines + (isTest(path) ? 0 : count), linesWithTests: linesWithTests + count })
  }
  return [...sizes.values()].sort((a, b) => b.lines - a.lines)
}

/** Files and folders whose names end in a vague word. */
export const vaguePath = (path: string): Violation[] => {
  const word = path
    .split(/[/.]/)
    .map(lastWord)
    .find(word => vagueWord.test(word))
  return word ? fileViolation(path, vague(path, word)) : []
}

/** Declarations whose names end in a vague word. */
export const vagueDeclarations = ({ path, all }: Source): Violation[] => {
  const declared = /\b(?:class|interface|type|function|const|let)\s+(\w+)/g
  return matchViolations(declared, only(['code'], all), path, ([, name = '']) => {
    return vagueWord.test(lastWord(name)) ? vague(name, lastWord(name)) : ''
  }).filter(({ message }) => message !== '')
}

/** Parameters that have a context of a call under another name: `context` is the one word for it. */
export const namedContexts = ({ path, all }: Source): Violation[] =>
  path.endsWith('.test.ts')
    ? []
    : matchViolations(
        /(?<=[(,]\s*)\b(?!context\b)(\w+): (?:Pick<)?((?:School|Transaction|Read|Write|Page|Staff|Teacher)Context)\b(?!\[)/g,
        only(['code'], all),
        path,
        ([, name, type]) => `call a parameter of the type ${type} context, not ${name}`,
      )

/** Types without a name, said by the parameter of a function, and literals that are spread instead of written. */
export const unnamedParts = ({ path, all }: Source): Violation[] => {
  if (path.endsWith('.test.ts')) return []
  const code = only(['code'], all)
  return [
    ...matchViolations(
      /\bParameters<\s*typeof\b/g,
      code,
      path,
      () => 'name the type and export it beside its function',
    ),
    ...matchViolations(/\.\.\.\{/g, code, path, () => 'write the properties instead of spreading a literal'),
  ]
}

/** Functions whose names say only what they belong to, and not what they do. */
export const namesWithoutVerb = ({ path, all }: Source): Violation[] => {
  const declared = /\b(?:const (_?[a-z]\w*Of)(?:: [^=\n]+)? = (?:async )?[<(]|function\*? (_?[a-z]\w*Of)\b)/g
  return matchViolations(declared, only(['code'], all), path, ([, constant, named]) => {
    return `begin the name of ${constant ?? named} with a verb: read, find, list, build, compute, format, render`
  })
}

// Pages of people who are signed in, and forms, are declared with the kit of pages alone (decision 222).
const KIT = /^src\/web\/(?!page\/|site\/)/
const ENDPOINT = /^import [^\n]*\bendpoint\b[^\n]*'#src\/contract\/endpoint\.ts'/gm
const CONTROL =
  /^export const \w+ =(?:(?!^(?:export|const|type) )[\s\S])*?<(?:input|select|textarea) [^>]*\bname="\$\{name\}"/gm

/** Second kits of pages: endpoints that the kit does not declare, and exported controls. */
export const secondKits = ({ path, text }: Source): Violation[] => {
  if (!KIT.test(path)) return []
  return [
    ...matchViolations(ENDPOINT, text, path, () => 'declare pages and forms with src/web/page'),
    ...matchViolations(CONTROL, text, path, () => 'controls of forms belong to src/web/page'),
  ]
}

const checkLayout = (folder: string, files: string[]): Violation[] => {
  const code = files.filter(file => file.endsWith('.ts'))
  const hasOperations = code.some(file => /(?:^|[./])operations\.ts$/.test(file))
  return [
    ...(files.includes('index.ts') ? [] : fileViolation(folder, 'an area needs an entry point, index.ts')),
    ...(hasOperations && !code.some(isTest) ? fileViolation(folder, 'an area with operations needs a test') : []),
    ...code.filter(isMisnamed).flatMap(file => fileViolation(posix.join(folder, file), ALLOWED)),
  ]
}

const ALLOWED =
  `a file in an area is one of ${fileNames.join(', ')}, alone or for one resource ` +
  '(quotas.queries.ts or quotas/queries.ts), or a test'

// One level of folders: an area whose resources have resources of their own is two areas.
const isMisnamed = (file: string): boolean => {
  const resource = '[a-z][a-z0-9_-]*'
  const test = new RegExp(`^(?:${resource}/)?(?:${resource}\\.)+test\\.ts$`)
  const code = new RegExp(`^(?:${resource}/)?(?:${resource}\\.)?(?:${fileNames.join('|')})\\.ts$`)
  return !test.test(file) && !code.test(file)
}

const isTest = (path: string): boolean => path.endsWith('.test.ts')

const lastWord = (name: string) => name.split(/[-_]|(?<=[a-z0-9])(?=[A-Z])/).at(-1) ?? name

const vague = (name: string, word: string) => `"${word}" says nothing about ${name}: name what it contains`
