import { posix } from 'node:path'
import { lineAt, only, tokens } from './source.ts'
import type { Violation } from './violations.ts'

/** A file with its text. */
type Source = { readonly path: string; readonly text: string }

const ALL = '*'

const DECLARED = /^export\s+(?:async\s+)?(?:const|let|function\*?|class|type|interface)\s+(\w+)/gm
// The specifier is a row of quotes, since literals are blanked.
const FROM = /^(import|export)\s+(?:type\s+)?([^;"'=]*?)\s*from\s*("+)/gm
const DYNAMIC = /\bimport\s*\(\s*("+)\s*\)/g

const resolveTarget = (path: string, quoted: string): string => {
  const specifier = quoted.slice(1, -1)
  return specifier.startsWith('#') ? specifier.slice(1) : posix.join(posix.dirname(path), specifier)
}

type Named = { readonly name: string; readonly alias: string; readonly at: number }

// The names between braces, with the ones that they get; of a namespace, every name.
const namesIn = (clause: string, at: number): Named[] => {
  if (clause.includes('*')) return [{ name: ALL, alias: ALL, at }]
  const [, list = ''] = /\{([^}]*)\}/.exec(clause) ?? []
  return list
    .split(',')
    .map(entry => entry.trim().replace(/^type\s+/, ''))
    .filter(entry => entry !== '')
    .map(entry => entry.split(/\s+as\s+/))
    .map(([name = '', alias = name]) => ({ name, alias, at }))
}

const readFile = ({ path, text }: Source) => {
  const code = only(['code'], tokens(text))
  const quotedAt = (match: RegExpExecArray, quotes: string): string => {
    const start = match.index + match[0].lastIndexOf(quotes)
    return text.slice(start, start + quotes.length)
  }
  const clauses = [...code.matchAll(FROM)].map(match => ({
    isExport: match[1] === 'export',
    target: resolveTarget(path, quotedAt(match, match[3] ?? '')),
    names: namesIn(match[2] ?? '', match.index),
  }))
  const dynamic = [...code.matchAll(DYNAMIC)].map(match => ({
    target: resolveTarget(path, quotedAt(match, match[1] ?? '')),
    names: [{ name: ALL, alias: ALL, at: match.index }],
  }))
  const declared = [...code.matchAll(DECLARED)].map(({ 1: alias = '', index: at }) => ({ alias, at }))
  const passedOn = clauses.filter(({ isExport }) => isExport).flatMap(({ names }) => names)
  return { path, text, uses: [...clauses, ...dynamic], exports: [...declared, ...passedOn] }
}

/** What files of src export and no other file imports, tests included; `sources` are all files that may import them. */
export const unusedExports = (sources: readonly Source[]): Violation[] => {
  const files = sources.map(readFile)
  const used = new Set(
    files.flatMap(({ uses }) => uses.flatMap(({ target, names }) => names.map(one => `${target} ${one.name}`))),
  )
  return files
    .filter(({ path }) => path.startsWith('src/'))
    .filter(({ path }) => !used.has(`${path} ${ALL}`))
    .flatMap(({ path, text, exports }) =>
      exports
        .filter(({ alias }) => !used.has(`${path} ${alias}`))
        .map(({ alias, at }) => ({
          file: path,
          line: lineAt(text, at),
          message: `no other file imports ${alias}: remove it, or its export`,
        })),
    )
}
