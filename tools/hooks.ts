import { lineAt, only } from './source.ts'
import type { Source } from './statements.ts'
import type { Violation } from './violations.ts'

const HOOK_MODULE = /from\s+['"](?:#src\/contract|\.)\/hook\.ts['"]/
const CALL = /(?<![\w.$])hook\s*(?=[<(])/g

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

// The offset of the parenthesis after type arguments; the arrow of a function type closes none.
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
