import { lineAt, only } from './source.ts'
import type { Source } from './statements.ts'
import type { Violation } from './violations.ts'

const HOOK_MODULE = /from\s+['"](?:#src\/contract|\.)\/hook\.ts['"]/
const CALL = /(?<![\w.$])hook\s*(?=[<(])/g
const AREA = /(?<![\w.$])area\(\{/
const KEY = /^(?:async\s+)?(?:(\w+)|['"]([^'"]+)['"])\s*(?=[,:(}<]|$)/

type Declared = { readonly name: string | undefined; readonly file: string; readonly line: number }

/** Hooks that are declared more than once, or whose name is not a string that can be compared. */
export const hookDeclarations = (sources: readonly Source[]): Violation[] => {
  const declared = sources.filter(({ path }) => !path.endsWith('.test.ts')).flatMap(declaredIn)
  const first = new Map<string, Declared>()
  return declared.flatMap(hook => {
    const { name, file, line } = hook
    if (name === undefined)
      return [{ file, line, message: 'write the name of a hook as a string, so that it can be checked' }]
    const other = first.get(name)
    if (other === undefined) {
      first.set(name, hook)
      return []
    }
    return [{ file, line, message: `the hook ${name} is already declared at ${other.file}:${other.line}` }]
  })
}

/** Areas whose declaration implements a hook more than once, or lists its hooks in a form that cannot be checked. */
export const hookImplementations = (sources: readonly Source[]): Violation[] =>
  sources
    .filter(({ path }) => /^src\/areas\/[^/]+\/index\.ts$/.test(path))
    .flatMap(index => {
      const folder = index.path.slice(0, -'index.ts'.length)
      return implementationsIn(
        index,
        sources.filter(({ path }) => path.startsWith(folder)),
      )
    })

const declaredIn = ({ path, text, all }: Source): Declared[] => {
  if (!HOOK_MODULE.test(only(['code', 'string'], all))) return []
  const code = only(['code'], all)
  return [...code.matchAll(CALL)].map(({ 0: call, index }) => {
    const start = endOfTypes(code, index + call.length)
    const argument = all.find(
      ({ kind, at }) => kind === 'string' && at > start && code.slice(start + 1, at).trim() === '',
    )
    return { name: argument?.text.slice(1, -1), file: path, line: lineAt(text, index) }
  })
}

const implementationsIn = (index: Source, sources: readonly Source[]): Violation[] => {
  const code = only(['code', 'string'], index.all)
  const declaration = AREA.exec(code)
  if (declaration === null) return []
  const start = declaration.index + declaration[0].length - 1
  const property = entriesOf(code, start).find(({ text }) => /^hooks\b/.test(text))
  if (property === undefined) return []
  const line = lineAt(index.text, property.at)
  const found = namesOf(property.text.replace(/^hooks\s*:?\s*/, '') || 'hooks', sources, [])
  if (found === undefined) {
    const message = 'write the hooks of an area as an object with their names, so that it can be checked'
    return [{ file: index.path, line, message }]
  }
  const repeated = [...new Set(found.filter((name, position) => found.indexOf(name) !== position))]
  return repeated.map(name => ({
    file: index.path,
    line,
    message: `the area implements the hook ${name} more than once`,
  }))
}

// The names of the hooks in an object, or in the object that a name stands for; undefined where there is no object.
const namesOf = (value: string, sources: readonly Source[], seen: readonly string[]): string[] | undefined => {
  if (value.startsWith('{')) {
    const names = entriesOf(value, 0).map(({ text }) =>
      text.startsWith('...') ? namesOf(text.slice(3), sources, seen) : keyOf(text),
    )
    return names.every(name => name !== undefined) ? names.flat() : undefined
  }
  if (!/^\w+$/.test(value) || seen.includes(value)) return undefined
  for (const { all } of sources) {
    const code = only(['code', 'string'], all)
    const object = new RegExp(`\\bconst ${value}\\b[^=]*=\\s*(?=\\{)`).exec(code)
    if (object !== null) return namesOf(code.slice(object.index + object[0].length), sources, [...seen, value])
  }
  return undefined
}

const keyOf = (entry: string): string[] | undefined => {
  const [, bare, quoted] = KEY.exec(entry) ?? []
  const name = bare ?? quoted
  return name === undefined ? undefined : [name]
}

// The entries of the object literal that begins at an offset, each with its own offset.
const entriesOf = (code: string, start: number): { text: string; at: number }[] => {
  const entries: { text: string; at: number }[] = []
  let depth = 0
  let from = start + 1
  for (let at = start; at < code.length; at++) {
    const sign = code[at] ?? ''
    if ('{[('.includes(sign)) depth += 1
    if ('}])'.includes(sign)) depth -= 1
    if (depth > 1 || (depth === 1 && sign !== ',') || at === start) continue
    const text = code.slice(from, at)
    if (text.trim() !== '') entries.push({ text: text.trim(), at: from + text.search(/\S/) })
    if (depth === 0) break
    from = at + 1
  }
  return entries
}

// The offset of the parenthesis behind type arguments; the arrow of a function type closes none.
const endOfTypes = (code: string, start: number): number => {
  let depth = 0
  for (let at = start; at < code.length; at++) {
    const sign = code[at]
    if (sign === '<') depth += 1
    else if (sign === '>' && code[at - 1] !== '=') depth -= 1
    else if (sign === '(' && depth === 0) return at
  }
  return code.length
}
